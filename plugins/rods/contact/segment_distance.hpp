#pragma once
/// \file Contacts of two capsules: at the nearest points of their segments, and at the end of their common stretch.
/// Pure formulas, host and device; lengths in metres.

#include "scree/shape/segment_distance.hpp"

namespace scree::rods {

/// Contacts of two segments: at their nearest points, and at the other end of the stretch along which they lie. With V
/// the energy of an overlap, V(nearest) + V(far) is continuous as the segments turn, slide along each other and part.
/// The exception is two ends that meet at a right angle. Its gradient is that of the two distances: each belongs to
/// nearest points or to a vertex and its foot.
struct SegmentContacts {
  /// End of the common stretch, in the direction of u_a; `crossing`: between its ends.
  enum Place : int { crossing = 0, lower = 1, upper = 2 };
  SegmentPoints nearest, far;
  Place nearest_place, far_place;
  bool one;  ///< both are the same points: an end touches an end
};

/// Below this part of the squared distance the nearest points are those of an end.
inline constexpr double kSameDistance = 1e-12;

SCREE_HD inline SegmentContacts contacts_of(const SegmentPair& p) {
  const double turned = p.axis_a.dot(p.axis_b) < 0 ? -p.half_b : p.half_b;
  const auto nearer = [](const SegmentPoints& x, const SegmentPoints& y) { return x.square <= y.square ? x : y; };
  const SegmentPoints ends[2] = {nearer(foot_on_b(p, -p.half_a), foot_on_a(p, -turned)),
                                 nearer(foot_on_b(p, p.half_a), foot_on_a(p, turned))};
  const int near_end = ends[1].square < ends[0].square, far_end = 1 - near_end;
  SegmentContacts c{nearest_points(p), ends[far_end], SegmentContacts::crossing,
                    static_cast<SegmentContacts::Place>(1 + far_end), false};
  if (!(c.nearest.square < (1 - kSameDistance) * ends[near_end].square)) {
    c.nearest = ends[near_end];
    c.nearest_place = static_cast<SegmentContacts::Place>(1 + near_end);
    c.one = c.nearest.s == c.far.s && c.nearest.t == c.far.t;
  }
  return c;
}

}  // namespace scree::rods
