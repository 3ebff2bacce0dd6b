#pragma once
/// \file Nearest points of vertices, edges and faces. Pure formulas, host and device; all lengths in one unit.

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree::skeleton {

/// The points from + t along, 0 <= t <= 1.
struct EdgeLine {
  Vec3 from, along;
  double inverse_square;  ///< 1/|along|^2

  SCREE_HD static EdgeLine between(const Vec3& p, const Vec3& q) {
    const Vec3 along = q - p;
    return {p, along, 1 / along.squaredNorm()};
  }
};

/// Feet this close to a rim are on it, as part of an edge's length or of a body's size: distances change by squares of
/// it, and what is aligned stays one contact whatever the rounding.
inline constexpr double kRim = 1e-9;

/// From 0 to 1, exactly 0 and 1 near the ends.
SCREE_HD inline double along_edge(double t) { return t < kRim ? 0 : t > 1 - kRim ? 1 : t; }

/// Nearest point of an edge.
struct EdgeFoot {
  double t;   ///< exactly 0 and 1 at the ends
  Vec3 way;   ///< from the foot to the point
  double d2;  ///< squared distance
};

SCREE_HD inline EdgeFoot foot_on_edge(const Vec3& p, const EdgeLine& e) {
  const Vec3 from = p - e.from;
  const double t = along_edge(from.dot(e.along) * e.inverse_square);
  const Vec3 way = t == 1 ? Vec3(p - (e.from + e.along)) : Vec3(from - t * e.along);
  return {t, way, way.squaredNorm()};
}

/// Nearest points of two edges, p(s) and q(t).
struct EdgePair {
  double s, t;    ///< exactly 0 and 1 at the ends
  bool parallel;  ///< then s and t mean nothing, unless both are at ends
  double d2;      ///< squared distance
};

/// Squared sine of the angle below which edges are parallel: nearest points of edges at 1e-8 rad are rounding.
inline constexpr double kParallel = 1e-16;

/// \source Ericson, Real-Time Collision Detection (2005), sec. 5.1.9
SCREE_HD inline EdgePair nearest_on_edges(const EdgeLine& p, const EdgeLine& q) {
  const Vec3 r = p.from - q.from;
  const double a = p.along.squaredNorm(), e = q.along.squaredNorm(), b = p.along.dot(q.along), c = p.along.dot(r),
               f = q.along.dot(r), det = a * e - b * b;
  // a e - b^2 loses what is small; the cross product does not.
  const bool parallel = det < 1e-6 * a * e && p.along.cross(q.along).squaredNorm() <= kParallel * a * e;
  double s = parallel ? 0 : along_edge((b * f - c * e) / det);
  const double t = along_edge((b * s + f) / e);
  if (t == 0) s = along_edge(-c / a);
  if (t == 1) s = along_edge((b - c) / a);
  return {s, t, parallel, (r + s * p.along - t * q.along).squaredNorm()};
}

/// The stretch of the first of two parallel edges that lies beside the second: from s[0] to s[1], empty where they are
/// not ascending.
struct CommonStretch {
  double s[2];
  bool end_of_second[2];  ///< true where the stretch ends because the second edge does
  bool second_begins[2];  ///< then: true where that end of the second edge is its begin
};

SCREE_HD inline CommonStretch common_stretch(const EdgeLine& p, const EdgeLine& q) {
  const double first = (q.from - p.from).dot(p.along) * p.inverse_square,
               last = (q.from + q.along - p.from).dot(p.along) * p.inverse_square;
  const double low = first < last ? first : last, high = first < last ? last : first;
  return {{along_edge(low), along_edge(high)}, {low > kRim, high < 1 - kRim}, {first <= last, first > last}};
}

}  // namespace scree::skeleton
