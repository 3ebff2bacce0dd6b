#pragma once
/// \file Base class of every solid given by its radius r(direction) > 0 about a centre. An author writes one function:
///
///     class Bumpy : public scree::RadialShape3D {
///      public:
///       Bumpy() { derive({.max_radius = 0.004}); }
///       double radius(const Vec3& w) const override { return 1 + 0.3 * w.x() * w.y() * w.z(); }
///     };
///
/// Everything else is derived from it: mass properties, principal axes, nodes, depth field, signed distance, picture.

#include <memory>
#include <optional>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/shape/radial_moments.hpp"
#include "scree/shape/shape.hpp"
#include "scree/shape/smooth_surface.hpp"

namespace scree {

/// Settings by which a radius becomes a shape. At most one of `max_radius` and `volume` is positive; it then decides
/// the scale.
struct RadialSettings3D {
  int nodes = 642;        ///< on the surface, at least; rounded up to 10 k^2 + 2
  int table = 64;         ///< cells of the field's table along an edge of a cube; 0 evaluates radius() itself
  double scale = 1;       ///< [m] per unit of radius()
  double max_radius = 0;  ///< [m]: scale so that the largest radius is this
  double volume = 0;      ///< [m^3]: scale to this volume
  std::optional<RadialMoments> moments = {};  ///< moments in units of radius(), if known in closed form
};

class SCREE_API RadialShape3D : public Shape {
 public:
  ~RadialShape3D() override;

  /// r > 0 in the direction of a unit vector, in units of `scale`. Must not change after derive().
  virtual double radius(const Vec3& unit) const = 0;
  /// The gradient of the radius on the unit sphere, tangent to it. Default: differences, error about 1e-11 of r.
  virtual Vec3 slope(const Vec3& unit) const;

  int dimension() const noexcept final { return 3; }
  MassProperties mass(double density) const final;
  double bounding_radius() const noexcept final;
  double rotation_reach() const noexcept final;
  /// The point that radii start from, in the body frame.
  Vec3 reference_point() const noexcept final;
  ShapeTraits traits() const override;
  Surface surface() const final;
  /// SurfaceNodes/1, BoundaryNodes/1, SmoothField/1, SignedDistance/1.
  const void* facet(std::string_view name) const noexcept override;

  double volume() const;  ///< [m^3]

 protected:
  RadialShape3D();
  /// Computes all that follows from radius(): to be called at the end of the constructor of the class that defines it.
  /// \throws OptionError when r <= 0 (or is not a number) in some direction, or when a setting is out of range
  void derive(const RadialSettings3D& settings);

 private:
  struct Derived;
  const Derived& derived() const;
  std::unique_ptr<Derived> derived_;
};

}  // namespace scree
