#pragma once
/// \file A smooth depth about an outline r(theta), with its own exact gradient: the field of the extremal depth law.
///
///     U(rho, theta) = w (r - rho),   w = 1 / sqrt(1 + (r'/r)^2)
///
/// It agrees with the distance to first order at the outline, grows inward along every ray, and its gradient there is
/// minus the unit outward normal. Written as U = a - w rho, it needs two functions of the angle alone: a = w r and w.
/// Both are quadratic B-splines over the quadrant angle, and the gradient is that of the splines: energy that a force
/// derived from them loses is the integrator's.

#include <cmath>
#include <cstdint>
#include <vector>

#include "outline/octet.hpp"
#include "scree/shape/facets.hpp"

namespace scree::star {

/// Control values of a [m] and w [-] at the middle of one cell. Rounded to single precision: a spline is as smooth with
/// one set of control values as with another, and the outline moves by 3e-8 of its radius.
struct FieldKnot {
  float a, w;
};

/// Cells of a turn. They are even in the quadrant angle: quadrants about the four half-axes, the first from -pi/4, and
/// in each the sine of the angle to its half-axis. It costs one inverse root, which the distance from the centre needs
/// anyway, and its slope is continuous. The outline of a star with harmonics up to 10 is met to 1e-6 of its radius.
inline constexpr int kFieldCells = 4096;
/// Knots of a table: cell i is made of knots i, i + 1, i + 2; the end of the turn falls into cell kFieldCells, and four
/// knots are loaded at once.
inline constexpr int kFieldKnots = kFieldCells + 4;
/// Cells by the sine.
inline constexpr double kCellsPerSine = kFieldCells / 4 * 0.70710678118654752440;

/// The polar angle [rad] of a place among the cells.
double field_angle(double position);

/// Place of a point in the field.
template <class Real>
struct FieldPlace {
  Real position;  ///< among the cells
  Real rho;       ///< from the outline's centre [m]
  Real inverse;   ///< 1/rho [1/m]
};

/// The square of a point's distance from the centre [m^2], such that there is an inverse.
template <class Real>
SCREE_HD inline Real field_rho2(const Real& x, const Real& y) {
  return larger(x * x + y * y, Real{} + 1e-30);
}

/// \param x, y   the point about the outline's centre [m]
/// \param rough  rough_inverse_root() of rho2
template <class Real>
SCREE_HD inline FieldPlace<Real> field_place(const Real& x, const Real& y, const Real& rho2, const Real& rough) {
  const Real inverse = inverse_root(rho2, rough);
  const auto upright = magnitude(y) > magnitude(x);
  const Real along = upright ? y : x, across = upright ? -x : y;
  const auto back = along < 0;
  const Real begin = (upright ? Real{} + 1.5 * (kFieldCells / 4) : Real{} + 0.5 * (kFieldCells / 4)) +
                     (back ? Real{} + 0.5 * kFieldCells : Real{});
  return {begin + ((back ? -across : across) * kCellsPerSine) * inverse, rho2 * inverse, inverse};
}
SCREE_HD inline FieldPlace<double> field_place(double x, double y) {
  const double rho2 = field_rho2(x, y);
  return field_place(x, y, rho2, rough_inverse_root(rho2));
}

/// Depth [m] at a point and its gradient (inward) [-].
template <class Real>
struct Depth {
  Real u, gx, gy;
};

/// \param a, w  three knots   \param t  how far into their cell the point lies
template <class Real>
SCREE_HD inline Depth<Real> field_depth(const Real (&a)[3], const Real (&w)[3], const Real& t, const Real& x,
                                        const Real& y, const Real& rho, const Real& inverse) {
  // At this rho U is a spline of its own.
  const Real u0 = a[0] - w[0] * rho, u1 = a[1] - w[1] * rho, u2 = a[2] - w[2] * rho, s = 1.0 - t;
  const Real in = s * (u1 - u0), out = t * (u2 - u1);
  const Real w_here = w[1] + 0.5 * (t * (t * (w[2] - w[1])) - s * (s * (w[1] - w[0])));
  const Real ex = x * inverse, ey = y * inverse;
  // The place among the cells grows by kCellsPerSine times the cosine per radian.
  const Real cosine = larger(magnitude(ex), magnitude(ey));
  const Real turn = (in + out) * ((kCellsPerSine * inverse) * cosine);
  return {u1 + 0.5 * (t * out - s * in), -(turn * ey) - w_here * ex, turn * ex - w_here * ey};
}

/// \param knots  a table of kFieldKnots control values
SCREE_HD inline Depth<double> field_depth(const FieldKnot* knots, double x, double y, const FieldPlace<double>& place) {
  const std::int32_t cell = whole_part(place.position);
  const FieldKnot* k = knots + cell;
  return field_depth<double>({k[0].a, k[1].a, k[2].a}, {k[0].w, k[1].w, k[2].w}, place.position - as_real(cell), x, y,
                             place.rho, place.inverse);
}

/// FieldPlace::position in single precision.
SCREE_HD inline float coarse_position(float x, float y) {
  const float rho2 = x * x + y * y, inverse = 1 / std::sqrt(rho2 > 1e-30f ? rho2 : 1e-30f);
  const bool upright = std::abs(y) > std::abs(x);
  const float along = upright ? y : x, across = upright ? -x : y;
  const float begin = (upright ? 1.5f : 0.5f) * (kFieldCells / 4) + (along < 0 ? 0.5f * kFieldCells : 0);
  return begin + static_cast<float>(kCellsPerSine) * (along < 0 ? -across : across) * inverse;
}

/// U from the control polygon instead of the spline, in single precision: to sort out nodes. FieldBounds bounds its
/// error.
/// \param place  see coarse_position()
SCREE_HD inline float coarse_depth(const FieldKnot* knots, float place, float rho) {
  const float position = place + 0.5f;  // knot k is at k - 1/2
  const auto cell = static_cast<std::int32_t>(position);
  const float t = position - static_cast<float>(cell);
  const FieldKnot k0 = knots[cell], k1 = knots[cell + 1];
  return k0.a + t * (k1.a - k0.a) - (k0.w + t * (k1.w - k0.w)) * rho;
}

/// Bound of the error of a depth u in single precision [m].
struct DepthError {
  float at_outline, per_depth;
  float of(float u) const { return at_outline + per_depth * std::abs(u); }
};

/// The table of an outline.
std::vector<FieldKnot> make_field(const RadialFunction& outline);

/// Parts of a turn in which slopes are bounded.
inline constexpr int kSlopeCells = 256;
/// A bound of the slope in a part holds for all that lies within this angle of it [rad].
inline constexpr double kSlopeReach = 0.045;
/// And beyond this part of the outline's radius.
inline constexpr double kSlopeCore = 0.5;

/// In one part of a turn.
struct SlopeBound {
  float slope;  ///< bound of |grad U| [-]
  float core;   ///< points beyond it keep clear of kSlopeCore [m]
};

/// Bounds of the field of an outline.
struct FieldBounds {
  std::vector<SlopeBound> slopes;  ///< (kSlopeCells + 1) by quadrant angle
  double steepest;                 ///< the largest slope
  /// Bounds of the error of coarse_depth(), places being exact: within 3 r_max [m]; and of a depth u: at_outline [m] +
  /// per_depth |u|, much less near the outline.
  double error, at_outline, per_depth;
};
FieldBounds field_bounds(const std::vector<FieldKnot>& table, double r_max);

}  // namespace scree::star
