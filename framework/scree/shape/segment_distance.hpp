#pragma once
/// \file Nearest points of two segments. Pure formulas, host and device; lengths in metres.
///
/// Segment a is s u_a with |s| <= h_a, segment b is c + t u_b with |t| <= h_b: u unit axes, c from the middle of a to
/// that of b.

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

struct SegmentPair {
  Vec3 between;           ///< c
  Vec3 axis_a, axis_b;    ///< u_a, u_b, unit
  double half_a, half_b;  ///< h_a, h_b
};

/// A point of each segment.
struct SegmentPoints {
  double s, t;
  Vec3 way;       ///< from the point of a to that of b
  double square;  ///< |way|^2
};

SCREE_HD inline double clamped(double x, double limit) { return x < -limit ? -limit : x > limit ? limit : x; }

SCREE_HD inline SegmentPoints points_at(const SegmentPair& p, double s, double t) {
  const Vec3 way = p.between + t * p.axis_b - s * p.axis_a;
  return {s, t, way, way.squaredNorm()};
}

/// The point of b nearest to the point s of a: d/dt |way|^2 = 0, clamped.
SCREE_HD inline SegmentPoints foot_on_b(const SegmentPair& p, double s) {
  return points_at(p, s, clamped(s * p.axis_a.dot(p.axis_b) - p.between.dot(p.axis_b), p.half_b));
}

/// The point of a nearest to the point t of b.
SCREE_HD inline SegmentPoints foot_on_a(const SegmentPair& p, double t) {
  return points_at(p, clamped(p.between.dot(p.axis_a) + t * p.axis_a.dot(p.axis_b), p.half_a), t);
}

/// Tells whether the lines along the two segments are further apart than this: then the segments are too. Cheaper than
/// nearest_points(). False for lines parallel to 1e-6 rad, whose common normal is rounding.
SCREE_HD inline bool lines_apart(const SegmentPair& p, double distance) {
  const Vec3 across = p.axis_a.cross(p.axis_b);
  const double along = p.between.dot(across), sine2 = across.squaredNorm();
  return sine2 > 1e-12 && along * along > distance * distance * sine2;
}

/// Tells whether b is farther than this from the line along a, as the distance of its middle and its slant tell. Often
/// true for segments side by side, of which lines_apart() says nothing. Cheaper than nearest_points().
SCREE_HD inline bool beside(const SegmentPair& p, double distance) {
  const double along = p.between.dot(p.axis_a), cosine = p.axis_a.dot(p.axis_b);
  const double slant2 = p.half_b * p.half_b * (1 - cosine * cosine);  // (x + y)^2 <= 2 x^2 + 2 y^2
  return p.between.squaredNorm() - along * along > 2 * (distance * distance + slant2);
}

/// Two nearest points. Where the lines are parallel the two are not unique, and any of them is given.
SCREE_HD inline SegmentPoints nearest_points(const SegmentPair& p) {
  const double cosine = p.axis_a.dot(p.axis_b), sine2 = p.axis_a.cross(p.axis_b).squaredNorm();
  const double along_a = p.between.dot(p.axis_a), along_b = p.between.dot(p.axis_b);
  const double s = clamped(sine2 > 0 ? (along_a - cosine * along_b) / sine2 : along_a, p.half_a);
  const double t = s * cosine - along_b;
  return t < -p.half_b || t > p.half_b ? foot_on_a(p, clamped(t, p.half_b)) : points_at(p, s, t);
}

}  // namespace scree
