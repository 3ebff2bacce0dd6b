#pragma once
/// \file Straight segments and the nearest point on them. Pure formulas, host and device, templated on the scalar,
/// which may be four of them at once (scree/base/lanes.hpp). Lengths in metres.

#include "scree/base/api.hpp"

namespace scree::spheropolygon {

/// The points m + t h, -1 <= t <= 1: one group of four numbers.
struct alignas(32) Segment {
  double mx, my;  ///< middle [m]
  double hx, hy;  ///< half of the way from the first end to the second [m]
};

/// Where a point is nearest to a segment.
template <class Real>
struct Foot {
  Real t;       ///< -1 and 1 at the ends, between them inside [-]
  Real dx, dy;  ///< from the foot to the point [m]
  Real d2;      ///< squared distance [m^2]
};

/// Y of the specification: the clamped projection of p.
/// \source Alonso-Marroquin 2008, eq. (1)
template <class Real>
SCREE_HD inline Foot<Real> foot_on_segment(Real px, Real py, Real mx, Real my, Real hx, Real hy) {
  const Real one = Real{} + 1.0;
  const Real ux = px - mx, uy = py - my;
  Real t = (ux * hx + uy * hy) / (hx * hx + hy * hy);
  t = t < -one ? -one : t;
  t = t > one ? one : t;
  const Real dx = ux - t * hx, dy = uy - t * hy;
  return {t, dx, dy, dx * dx + dy * dy};
}

SCREE_HD inline Foot<double> foot_on_segment(double px, double py, const Segment& s) {
  return foot_on_segment(px, py, s.mx, s.my, s.hx, s.hy);
}

}  // namespace scree::spheropolygon
