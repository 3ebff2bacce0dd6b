#pragma once
/// \file Superquadrics. The inside-outside function F is homogeneous of degree 1, F(s x) = s F(x), so that the surface
/// F = 1 has the radius r(w) = 1/F(w) in direction w. Pure formulas; lengths in the unit of the semi-axes.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/base/types.hpp"
#include "scree/shape/radial_moments.hpp"

namespace scree::star3d {

/// F = [(|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1)]^(e1/2). Ellipsoids have e1 = e2 = 1, boxes go towards 0,
/// octahedra have 2.
/// \source Barr 1981; Jaklic, Leonardis and Solina 2000, eq. (2.20)
struct Superquadric {
  Vec3 semi_axes;  ///< a, b, c
  double e1, e2;   ///< along z, and around it
};

/// (x^p + y^p)^(1/p) for x, y >= 0, and its derivatives: by the ratio to the larger one, which keeps high powers
/// finite.
struct PowerMean {
  double value, by_x, by_y;
};
inline PowerMean power_mean(double x, double y, double p) {
  const double most = std::max(x, y);
  if (most == 0) return {0, 0, 0};
  const double value = most * std::pow(std::pow(x / most, p) + std::pow(y / most, p), 1 / p);
  return {value, std::pow(x / value, p - 1), std::pow(y / value, p - 1)};
}

/// F and its gradient.
struct InsideOutside {
  double value;
  Vec3 gradient;
};
inline InsideOutside inside_outside(const Superquadric& s, const Vec3& p) {
  const Vec3 q = p.cwiseAbs().cwiseQuotient(s.semi_axes);
  const PowerMean around = power_mean(q.x(), q.y(), 2 / s.e2);
  const PowerMean all = power_mean(around.value, q.z(), 2 / s.e1);
  const Vec3 by_q(all.by_x * around.by_x, all.by_x * around.by_y, all.by_y);
  Vec3 gradient;
  for (int k = 0; k < 3; ++k) gradient[k] = std::copysign(by_q[k], p[k]) / s.semi_axes[k];
  return {all.value, gradient};
}

/// r = 1/F.
inline double radius_of(const Superquadric& s, const Vec3& unit) { return 1 / inside_outside(s, unit).value; }

/// grad_S r = -r^2 (grad F - F w), since grad F . w = F.
inline Vec3 slope_of(const Superquadric& s, const Vec3& unit) {
  const InsideOutside f = inside_outside(s, unit);
  return -(f.gradient - f.value * unit) / (f.value * f.value);
}

inline double beta_function(double x, double y) {
  return std::exp(std::lgamma(x) + std::lgamma(y) - std::lgamma(x + y));
}

/// V = 2 a b c e1 e2 B(e1/2 + 1, e1) B(e2/2, e2/2), and moments likewise.
/// \source Jaklic, Leonardis and Solina 2000, eqs. (2.60), (2.71) to (2.73)
inline RadialMoments moments_of(const Superquadric& s) {
  const double a = s.semi_axes[0], b = s.semi_axes[1], c = s.semi_axes[2], e1 = s.e1, e2 = s.e2;
  const double common = a * b * c * e1 * e2;
  const double across = 0.5 * common * beta_function(1.5 * e2, 0.5 * e2) * beta_function(0.5 * e1, 2 * e1 + 1);
  const double along = 2 * common * c * c * beta_function(0.5 * e2, 0.5 * e2 + 1) * beta_function(1.5 * e1, e1 + 1);
  RadialMoments m;
  m.volume = 2 * common * beta_function(0.5 * e1 + 1, e1) * beta_function(0.5 * e2, 0.5 * e2);
  m.inertia.diagonal() = Vec3(b * b * across + along, a * a * across + along, (a * a + b * b) * across);
  return m;
}

}  // namespace scree::star3d
