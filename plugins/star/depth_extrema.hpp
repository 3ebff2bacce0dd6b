#pragma once
/// \file Maxima and minima of the depth along an outline that is sampled by nodes: where they are, how deep, and how
/// the depth changes when the bodies move. Pure, host and device.
///
/// The depths u_i at consecutive nodes are the samples of a quadratic B-spline over the node's index, whose control
/// values reproduce parabolas. An extremum lies in the segment of node i where the spline's slope changes sign between
/// i - 1/2 and i + 1/2. By the envelope theorem its depth changes with the nodes' depths by fixed weights: the place of
/// the extremum need not be differentiated.

#include <cmath>

#include "scree/base/api.hpp"

namespace scree::star {

/// Nodes that an extremum depends on: i - 2 .. i + 2.
inline constexpr int kStencil = 5;

/// Control value of a node from its own depth and its neighbours'.
template <class Real>
SCREE_HD inline Real control_value(Real before, Real here, Real after) {
  return (Real(10) * here - before - after) * Real(0.125);
}

/// The spline's slope where the segment of a node begins and where it ends [m per node], and the depth in the middle of
/// the control polygon's first edge.
template <class Real>
struct SplineSegment {
  Real slope_in, slope_out, start;

  /// Exactly one of two neighbouring segments has the sign change between them.
  SCREE_HD bool has_extremum() const { return (slope_in > 0) != (slope_out > 0); }
  SCREE_HD Real place() const { return slope_in / (slope_in - slope_out); }  ///< in [0, 1]
  SCREE_HD Real value(Real t) const { return start + Real(0.5) * slope_in * t; }
};

template <class Real>
SCREE_HD inline SplineSegment<Real> spline_segment(Real u0, Real u1, Real u2, Real u3, Real u4) {
  const Real before = control_value(u0, u1, u2), here = control_value(u1, u2, u3), after = control_value(u2, u3, u4);
  return {here - before, after - here, Real(0.5) * (before + here)};
}

/// One term of the energy (k/4) sum +-v^2, in the frame of the body whose field it is.
struct DepthTerm {
  double value;   ///< depth v of the extremum [m]
  double sign;    ///< +1 maximum, -1 minimum, 0 no extremum
  double sx, sy;  ///< dv by a common shift of the nodes [-]: length near 1, pointing inward
  double px, py;  ///< a point on the force's line of action [m]
};

/// Smallest square of the distance from the origin of the nodes [first, last) of a stencil [m^2].
SCREE_HD inline double nearest2(const double (&x)[kStencil], const double (&y)[kStencil], int first = 0,
                                int last = kStencil) {
  double least = x[first] * x[first] + y[first] * y[first];
  for (int j = first + 1; j < last; ++j) {
    const double rho2 = x[j] * x[j] + y[j] * y[j];
    least = rho2 < least ? rho2 : least;
  }
  return least;
}

/// The sum of the nodes' shares acts like one force along (sx, sy) through (px, py): exact torque about any point.
/// \param u       depths of the nodes [m]          \param gx, gy  gradients of the depth there [-]
/// \param x, y    the nodes [m]
SCREE_HD inline DepthTerm depth_term(const double (&u)[kStencil], const double (&gx)[kStencil],
                                     const double (&gy)[kStencil], const double (&x)[kStencil],
                                     const double (&y)[kStencil]) {
  const SplineSegment<double> segment = spline_segment(u[0], u[1], u[2], u[3], u[4]);
  const double t = segment.place(), s = 1 - t;
  const double b0 = 0.5 * s * s, b1 = 0.5 + t * s, b2 = 0.5 * t * t;
  const double weight[kStencil] = {-0.125 * b0, 0.125 * (10 * b0 - b1), 0.125 * (10 * b1 - b0 - b2),
                                   0.125 * (10 * b2 - b1), -0.125 * b2};
  double sx = 0, sy = 0, px = 0, py = 0, torque = 0;
  for (int j = 0; j < kStencil; ++j) {
    sx += weight[j] * gx[j];
    sy += weight[j] * gy[j];
    px += weight[j] * x[j];
    py += weight[j] * y[j];
    torque += weight[j] * (x[j] * gy[j] - y[j] * gx[j]);
  }
  // Where gradients cancel there is no force, and the line of action lies nowhere: keep it near.
  const double length2 = sx * sx + sy * sy, shift = (torque - (px * sy - py * sx)) / (length2 > 1e-6 ? length2 : 1e-6);
  const double sign = segment.has_extremum() ? (segment.slope_in > 0 ? 1.0 : -1.0) : 0.0;
  return {segment.value(t), sign, sx, sy, px + shift * sy, py - shift * sx};
}

}  // namespace scree::star
