#pragma once
/// \file Cache of a pair between steps: nodes that are near, and sides that cannot touch yet.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "scree/base/types.hpp"
#include "surface/near_nodes.hpp"

namespace scree::star3d {

/// Tops that cannot become contacts until the bodies have moved by `way`; all zeros know nothing. A bit stands for the
/// nodes of one body (0 or 1) in one of the first 32 fields of the other.
struct Apart {
  KnownPose at;
  double way;     ///< [m], as KnownPose::moved() bounds it
  double margin;  ///< [m] gaps up to this size count as contacts
  std::uint64_t of;

  static constexpr std::size_t kFields = 32;
  static std::uint64_t bit(int side, std::size_t field) {
    return field < kFields ? std::uint64_t{1} << (static_cast<std::size_t>(side) * kFields + field) : 0;
  }
  bool covers(int side, std::size_t field) const { return (of & bit(side, field)) != 0; }
  /// Begins anew at a pose.
  void reset(const RelativePose& pose, double gaps_up_to) {
    at.set(pose);
    way = std::numeric_limits<double>::infinity();
    margin = gaps_up_to;
    of = 0;
  }
  /// Adds a top that stays apart while the bodies move by `gap` from `pose`, where they have moved by `moved` already.
  void add(int side, std::size_t field, double gap, const RelativePose& pose, double moved) {
    if (!(gap > 0) || bit(side, field) == 0) return;
    at.set(pose);
    way = std::min(way - moved, gap);
    of |= bit(side, field);
  }
};

/// A row of the pair's cache.
struct PairMemory {
  NearNodes near;
  Apart apart;
};

}  // namespace scree::star3d
