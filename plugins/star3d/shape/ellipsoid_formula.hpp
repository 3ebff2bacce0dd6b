#pragma once
/// \file Ellipsoids by their radius. Pure formulas; lengths in the unit of the semi-axes.

#include <numbers>

#include "scree/base/types.hpp"
#include "scree/shape/radial_moments.hpp"

namespace scree::star3d {

/// r(w) = 1/|w/a|, component by component.
inline double ellipsoid_radius(const Vec3& semi_axes, const Vec3& unit) {
  return 1 / unit.cwiseQuotient(semi_axes).norm();
}

/// grad_S r = -r^3 (w/a^2 - (w . w/a^2) w).
inline Vec3 ellipsoid_slope(const Vec3& semi_axes, const Vec3& unit) {
  const double r = ellipsoid_radius(semi_axes, unit);
  const Vec3 g = unit.cwiseQuotient(semi_axes.cwiseAbs2());
  return -r * r * r * (g - g.dot(unit) * unit);
}

/// V = 4/3 pi a b c, I_x = V (b^2 + c^2)/5.
inline RadialMoments ellipsoid_moments(const Vec3& semi_axes) {
  const Vec3 square = semi_axes.cwiseAbs2();
  RadialMoments m;
  m.volume = 4 * std::numbers::pi / 3 * semi_axes.prod();
  m.inertia.diagonal() = m.volume / 5 * (Vec3::Constant(square.sum()) - square);
  return m;
}

}  // namespace scree::star3d
