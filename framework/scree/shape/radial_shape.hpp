#pragma once
/// \file Base class of every planar shape given by its radius r(theta) > 0 about a centre. An author writes one
/// function:
///
///     class Superellipse : public scree::RadialShape2D {
///      public:
///       explicit Superellipse(double exponent) : n_(exponent) { derive({.max_radius = 0.004}); }
///       double radius(double theta) const override {
///         return std::pow(std::pow(std::abs(std::cos(theta)), n_) + std::pow(std::abs(std::sin(theta)), n_), -1 / n_);
///       }
///      private:
///       double n_;
///     };
///
/// Everything else is derived from it: mass properties, boundary nodes, signed distance, outline for pictures.

#include <memory>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"

namespace scree {

/// Options by which an outline becomes a shape. At most one of `max_radius` and `area` is positive; it then decides the
/// scale.
struct RadialSettings {
  int nodes = 100;         ///< boundary nodes, equally spaced in theta
  int table_size = 20000;  ///< samples of lookup tables of r and r'; 0 = detectors evaluate the function itself
  double thickness = 1;    ///< [m], for the mass
  double scale = 1;        ///< [m] per unit of radius()
  double max_radius = 0;   ///< [m]: scale so that the largest radius is this
  double area = 0;         ///< [m^2]: scale to this area
};

class SCREE_API RadialShape2D : public Shape {
 public:
  ~RadialShape2D() override;

  /// The outline: r(theta) > 0 with period 2 pi, in units of `scale`. Must not change after derive().
  virtual double radius(double theta) const = 0;
  /// dr/dtheta. Default: central differences, error about 1e-10 of r for smooth outlines.
  virtual double slope(double theta) const;

  int dimension() const noexcept final { return 2; }
  MassProperties mass(double density) const final;
  double bounding_radius() const noexcept final;
  double rotation_reach() const noexcept final;
  /// The centre of the outline, in the body frame.
  Vec3 reference_point() const noexcept final;
  Surface surface() const final;
  /// RadialFunction/1, BoundaryNodes/1, SignedDistance/1.
  const void* facet(std::string_view name) const noexcept override;

  double area() const;  ///< [m^2]

 protected:
  RadialShape2D();
  /// Computes all that follows from radius(): to be called at the end of the constructor of the class that defines it.
  /// \throws OptionError when r <= 0 (or is not a number) at some theta, or when a setting is out of range
  void derive(const RadialSettings& settings);

 private:
  struct Derived;
  const Derived& derived() const;
  std::unique_ptr<Derived> derived_;
};

}  // namespace scree
