#pragma once
/// \file The shapes "star3d", "superquadric" and "ellipsoid".

#include <memory>
#include <vector>

#include "scree/scene/options.hpp"
#include "scree/shape/radial_shape_3d.hpp"
#include "shape/ellipsoid_formula.hpp"
#include "shape/harmonics.hpp"
#include "shape/superquadric_formula.hpp"

namespace scree::star3d {

/// A star-shaped solid: a series of spherical harmonics for the radius.
class Star3D final : public RadialShape3D {
 public:
  /// \throws OptionError with pointer "/coefficients" when r <= 0 somewhere
  Star3D(std::vector<Harmonic> terms, const RadialSettings3D& settings);
  double radius(const Vec3& unit) const override { return series_.value(unit); }
  Vec3 slope(const Vec3& unit) const override { return series_.slope(unit); }

 private:
  HarmonicSeries series_;
};

class SuperquadricShape final : public RadialShape3D {
 public:
  SuperquadricShape(const Superquadric& formula, RadialSettings3D settings);
  double radius(const Vec3& unit) const override { return radius_of(formula_, unit); }
  Vec3 slope(const Vec3& unit) const override { return slope_of(formula_, unit); }

 private:
  Superquadric formula_;
};

class Ellipsoid final : public RadialShape3D {
 public:
  Ellipsoid(const Vec3& semi_axes, RadialSettings3D settings);
  double radius(const Vec3& unit) const override { return ellipsoid_radius(semi_axes_, unit); }
  Vec3 slope(const Vec3& unit) const override { return ellipsoid_slope(semi_axes_, unit); }

 private:
  Vec3 semi_axes_;
};

/// From the options of schema.json, "shape/star3d" and so on.
std::shared_ptr<const Star3D> make_star(const Options& options);
std::shared_ptr<const SuperquadricShape> make_superquadric(const Options& options);
std::shared_ptr<const Ellipsoid> make_ellipsoid(const Options& options);

}  // namespace scree::star3d
