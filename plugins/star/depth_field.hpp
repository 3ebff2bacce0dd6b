#pragma once
/// \file A smooth depth about an outline r(theta), with its own exact gradient: the field of the extremal depth law.
///
///     U(rho, theta) = w (r - rho),   w = 1 / sqrt(1 + (r'/r)^2)
///
/// It agrees with the distance to first order at the outline, grows inward along every ray, and its gradient there is
/// minus the unit outward normal. Written as U = a - w rho, it needs two functions of the angle alone: a = w r and w.
/// Both are quadratic B-splines over the pseudo-angle, and the gradient is that of the splines: energy that a force
/// derived from them loses is the integrator's.

#include <cmath>
#include <cstdint>
#include <vector>

#include "radial_lookup.hpp"
#include "scree/shape/facets.hpp"

namespace scree::star {

/// Control values of a [m] and w [-] at the middle of one cell. Rounded to single precision: a spline is as smooth with
/// one set of control values as with another, and the outline moves by 3e-8 of its radius.
struct FieldKnot {
  float a, w;
};

/// Cells of a turn: a multiple of 4, since the pseudo-angle has its kinks on the axes. The outline of a star with
/// harmonics up to 10 is met to 1e-6 of its radius.
inline constexpr int kFieldCells = 4096;
/// Knots of a table: cell i is made of knots i, i + 1, i + 2; the pseudo-angle 4 falls into cell kFieldCells, and four
/// knots are loaded at once.
inline constexpr int kFieldKnots = kFieldCells + 4;

/// Both functions at a point's pseudo-angle, and where in the plane that is.
template <class Real>
struct FieldSample {
  Real a, w;         ///< [m], [-]
  Real da, dw;       ///< by the pseudo-angle
  Real rho;          ///< from the outline's centre [m]
  Real inverse_l1;   ///< 1 / (|x| + |y|) [1/m]
  Real inverse_rho;  ///< [1/m]
};

/// \param knots  tables of kFieldKnots control values, one of which begins at `first`
/// \param x, y   the point about the outline's centre [m]
template <class Real>
SCREE_HD inline FieldSample<Real> field_sample(const FieldKnot* knots, Real x, Real y, std::int32_t first = 0) {
  using std::abs;
  using std::sqrt;
  constexpr Real per_unit = Real(kFieldCells) / Real(4);
  // One division for both inverses: it is what takes longest here.
  const Real l1 = abs(x) + abs(y), rho = sqrt(x * x + y * y), product = l1 * rho;
  const Real reciprocal = Real(1) / (product > Real(1e-30) ? product : Real(1e-30));
  const Real inverse = reciprocal * rho, u = x * inverse, position = (y < 0 ? Real(3) + u : Real(1) - u) * per_unit;
  const auto cell = static_cast<std::int32_t>(position);
  const Real t = position - static_cast<Real>(cell), s = Real(1) - t;
  const Real b0 = Real(0.5) * s * s, b1 = Real(0.5) + t * s, b2 = Real(0.5) * t * t;
  const std::int32_t k = first + cell;
  const FieldKnot k0 = knots[k], k1 = knots[k + 1], k2 = knots[k + 2];
  const Real a0 = Real(k0.a), a1 = Real(k1.a), a2 = Real(k2.a), w0 = Real(k0.w), w1 = Real(k1.w), w2 = Real(k2.w);
  return {b0 * a0 + b1 * a1 + b2 * a2,
          b0 * w0 + b1 * w1 + b2 * w2,
          per_unit * (s * (a1 - a0) + t * (a2 - a1)),
          per_unit * (s * (w1 - w0) + t * (w2 - w1)),
          rho,
          inverse,
          reciprocal * l1};
}

/// U [m], > 0 inside. \source this file's head
template <class Real>
SCREE_HD inline Real depth_of(const FieldSample<Real>& f) {
  return f.a - f.w * f.rho;
}

/// Depth [m] at a point and its gradient (inward) [-].
template <class Real>
struct Depth {
  Real u, gx, gy;
};

/// The gradient of the pseudo-angle is (-y, x) / (|x| + |y|)^2 in all four quadrants.
template <class Real>
SCREE_HD inline Depth<Real> depth_with_gradient(const FieldSample<Real>& f, Real x, Real y) {
  const Real turn = (f.da - f.dw * f.rho) * f.inverse_l1 * f.inverse_l1;
  const Real fall = f.w * f.inverse_rho;
  return {depth_of(f), -turn * y - fall * x, turn * x - fall * y};
}

/// U from the control polygon instead of the spline, in single precision: to sort out nodes. FieldBounds bounds its
/// error.
SCREE_HD inline float coarse_depth(const FieldKnot* knots, float x, float y, std::int32_t first) {
  const float l1 = std::abs(x) + std::abs(y), u = x / (l1 > 1e-30f ? l1 : 1e-30f);
  const float position = (y < 0 ? 3 + u : 1 - u) * (kFieldCells / 4.0f) + 0.5f;  // knot k is at k - 1/2
  const auto cell = static_cast<std::int32_t>(position);
  const float t = position - static_cast<float>(cell);
  const FieldKnot k0 = knots[first + cell], k1 = knots[first + cell + 1];
  return k0.a + t * (k1.a - k0.a) - (k0.w + t * (k1.w - k0.w)) * std::sqrt(x * x + y * y);
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
  float core2;  ///< what lies beyond its root keeps clear of kSlopeCore [m^2]
};

/// What is known of the field of an outline.
struct FieldBounds {
  std::vector<SlopeBound> slopes;  ///< (kSlopeCells + 1) by pseudo-angle
  double steepest;                 ///< the largest slope
  /// Bounds of the error of coarse_depth(), places being exact: within 3 r_max [m]; and of a depth u: at_outline [m] +
  /// per_depth |u|, much less near the outline.
  double error, at_outline, per_depth;
};
FieldBounds field_bounds(const std::vector<FieldKnot>& table, double r_max);

}  // namespace scree::star
