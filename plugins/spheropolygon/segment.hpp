#pragma once
/// \file Straight segments, the nearest point on them, and whether they meet. Pure formulas, host and device; the foot
/// is templated on the scalar, which may be four of them at once (scree/base/lanes.hpp). Lengths in metres.

#include "scree/base/api.hpp"

namespace scree::spheropolygon {

struct Point {
  double x, y;  ///< [m]
};

/// A vertex as a group of four numbers, so that loops turn and compare four at once.
struct alignas(32) RoundVertex {
  double x, y;    ///< [m]
  double rs;      ///< sum of the radii of its disc and of the other body's edges, if those are known [m]
  double radius;  ///< radius of its disc [m]
};

/// The points m + t h, -1 <= t <= 1: one group of four numbers.
struct alignas(32) Segment {
  double mx, my;  ///< middle [m]
  double hx, hy;  ///< half of the way from the first end to the second [m]
};

/// Nearest point of a segment to a point.
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

/// > 0 where r lies to the left of the way from p to q: twice the area of the triangle [m^2].
SCREE_HD inline double side_of(Point p, Point q, Point r) {
  return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
}

/// Checks whether r, which lies on the line through p and q, lies between them.
SCREE_HD inline bool between(Point p, Point q, Point r) {
  const auto within = [](double from, double to, double x) {
    return from < to ? from <= x && x <= to : to <= x && x <= from;
  };
  return within(p.x, q.x, r.x) && within(p.y, q.y, r.y);
}

/// Checks whether the segments p - q and r - s have a point in common.
SCREE_HD inline bool segments_meet(Point p, Point q, Point r, Point s) {
  const double a = side_of(p, q, r), b = side_of(p, q, s), c = side_of(r, s, p), d = side_of(r, s, q);
  if (((a > 0 && b < 0) || (a < 0 && b > 0)) && ((c > 0 && d < 0) || (c < 0 && d > 0))) return true;
  return (a == 0 && between(p, q, r)) || (b == 0 && between(p, q, s)) || (c == 0 && between(r, s, p)) ||
         (d == 0 && between(r, s, q));
}

/// Checks whether the ray from p along x crosses the segment a - b. A point lies within the polygon whose edges its ray
/// crosses an odd number of times.
SCREE_HD inline bool ray_crosses(Point p, Point a, Point b) {
  if ((a.y > p.y) == (b.y > p.y)) return false;
  return p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x);
}

}  // namespace scree::spheropolygon
