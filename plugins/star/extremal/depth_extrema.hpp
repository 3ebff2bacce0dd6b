#pragma once
/// \file Maxima and minima of the depth along an outline that is sampled by nodes: where they are, how deep, and how
/// the depth changes when the bodies move. Pure, host and device.
///
/// The depths u_i at consecutive nodes are the samples of a quadratic B-spline over the node's index, whose control
/// values reproduce parabolas. An extremum lies in the segment of node i where the spline's slope changes sign between
/// i - 1/2 and i + 1/2. By the envelope theorem its depth changes with the nodes' depths by fixed weights: the place of
/// the extremum need not be differentiated. Real is a double, or eight of them.

#include "outline/octet.hpp"

namespace scree::star {

/// Nodes that an extremum depends on: i - 2 .. i + 2.
inline constexpr int kStencil = 5;

/// Control value of a node from its own depth and its neighbours'.
template <class Real>
SCREE_HD inline Real control_value(const Real& before, const Real& here, const Real& after) {
  return (10.0 * here - before - after) * 0.125;
}

/// The spline's slope where the segment of a node begins and where it ends [m per node], and the depth in the middle of
/// the control polygon's first edge.
template <class Real>
struct SplineSegment {
  Real slope_in, slope_out, start;

  /// Exactly one of two neighbouring segments has the sign change between them.
  SCREE_HD auto has_extremum() const { return (slope_in > 0) != (slope_out > 0); }
  SCREE_HD Real value(const Real& place) const { return start + 0.5 * slope_in * place; }  ///< place in [0, 1]
};

template <class Real>
SCREE_HD inline SplineSegment<Real> spline_segment(const Real (&u)[kStencil]) {
  const Real before = control_value(u[0], u[1], u[2]), here = control_value(u[1], u[2], u[3]),
             after = control_value(u[2], u[3], u[4]);
  return {here - before, after - here, 0.5 * (before + here)};
}

/// Returns the place of the extremum in its segment, in [0, 1].
template <class Real>
SCREE_HD inline Real place_of(const SplineSegment<Real>& segment) {
  return segment.slope_in / (segment.slope_in - segment.slope_out);
}

/// The extremum's change with the nodes' places: the sum of their shares.
template <class Real>
struct DepthForce {
  Real sx, sy;  ///< by a common shift of the nodes [-]: length near 1, pointing inward
  Real torque;  ///< about the node in the middle [m]
};

/// \param t       see place_of()
/// \param gx, gy  gradients of the depth at the nodes [-]   \param x, y  the nodes [m]
template <class Real>
SCREE_HD inline DepthForce<Real> depth_force(const Real& t, const Real (&gx)[kStencil], const Real (&gy)[kStencil],
                                             const Real (&x)[kStencil], const Real (&y)[kStencil]) {
  const Real s = 1.0 - t, b0 = 0.5 * (s * s), b1 = 0.5 + t * s, b2 = 0.5 * (t * t);
  const Real weight[kStencil] = {-b0, 10.0 * b0 - b1, 10.0 * b1 - (b0 + b2), 10.0 * b2 - b1, -b2};  // eight times
  DepthForce<Real> sum{weight[2] * gx[2], weight[2] * gy[2], Real{}};
  for (int j : {0, 1, 3, 4}) {
    const Real wx = weight[j] * gx[j], wy = weight[j] * gy[j];
    sum.sx += wx;
    sum.sy += wy;
    sum.torque += (x[j] - x[2]) * wy - (y[j] - y[2]) * wx;
  }
  return {0.125 * sum.sx, 0.125 * sum.sy, 0.125 * sum.torque};
}

/// One term of the energy (k/4) sum +-v^2, in the frame of the body whose field it is. It acts like one force along
/// (nx, ny) through (px, py): exact torque about any point.
template <class Real>
struct DepthTerm {
  Real nx, ny;  ///< direction in which v grows when the nodes shift together: inward, length 1
  Real slope;   ///< by how much [-], near 1
  Real px, py;  ///< a point on the force's line of action [m]
};

/// \param x, y  the node in the middle
template <class Real>
SCREE_HD inline DepthTerm<Real> depth_term(const DepthForce<Real>& force, const Real& x, const Real& y) {
  const Real length2 = force.sx * force.sx + force.sy * force.sy;
  const Real inverse = 1.0 / square_root(larger(length2, Real{} + 1e-60));
  const Real nx = force.sx * inverse, ny = force.sy * inverse, slope = length2 * inverse;
  // Where gradients cancel there is no force, and the line of action lies nowhere: keep it near.
  const Real shift = force.torque * smaller(inverse, 1e6 * slope);
  return {nx, ny, slope, x + shift * ny, y - shift * nx};
}

/// +1 for a maximum, -1 for a minimum.
template <class Real>
SCREE_HD inline Real sign_of(const SplineSegment<Real>& segment) {
  return segment.slope_in > 0 ? Real{} + 1.0 : Real{} - 1.0;
}

/// The least of the numbers [first, last) of a stencil.
template <class Real>
SCREE_HD inline Real least(const Real (&of)[kStencil], int first = 0, int last = kStencil) {
  Real result = of[first];
  for (int j = first + 1; j < last; ++j) result = smaller(of[j], result);
  return result;
}

}  // namespace scree::star
