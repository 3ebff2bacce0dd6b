#pragma once
/// \file Bodies much longer than wide. Their bounding spheres meet many bodies that they are far from.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/body_poses.hpp"
#include "scree/contacts/lists/expected_paths.hpp"
#include "scree/grid/periodic_pairs.hpp"
#include "scree/integrate/own_rows.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// The slender bodies among others: those with the facet Segment/1 that are at least three times as long as wide. Pairs
/// of them are found by the distance of their segments. Such lists hold as long as the ends of the segments stay near
/// the places they had, or near their paths (ExpectedPaths).
///
/// Holds rows as they were when it was made.
class SCREE_API SlenderBodies {
 public:
  SlenderBodies() = default;
  /// \param among  rows, ascending: of all but large bodies, which count as spheres however they turn
  SlenderBodies(const World& world, std::span<const std::uint32_t> among);

  bool any() const { return !rows_.empty(); }
  /// Whether all are slender.
  bool all() const { return any() && rows_.size() == among_; }
  /// Half the length of the longest segment [m]; 0 where there is none.
  double longest() const { return longest_; }

  /// How far a point of a segment will be from where it was, at most, if bodies move on for `ahead` seconds, squared
  /// [m^2]. With paths also from where it was expected, times (skin/2)^2 over the square of its slack, and more than
  /// (skin/2)^2 where paths end. \param rows  of bodies that count, ascending \param skin  of the lists [m]
  double farthest_squared_way(const World& world, const BodyPoses& reference, const ExpectedPaths& paths, double skin,
                              double ahead, std::span<const RowRange> rows) const;
  /// The highest speed of a point of a segment that is due to its turning, about [m/s].
  double fastest_turn(const World& world) const;
  /// As they move now.
  std::vector<ExpectedPaths::Start> starts(const World& world) const;

  /// What is searched: bodies as they lie, and how far beyond its surface each one reaches.
  struct Search {
    BodyPoses poses;
    std::span<const double> radius;       ///< bounding radii, by row [m]
    std::span<const double> grown;        ///< the same, and how far laws reach; by row [m]
    std::span<const std::uint32_t> rows;  ///< of bodies it was made among
    double reach;                         ///< further gap up to which pairs are wanted [m]
    /// Where there are any, slender bodies follow them, with their slacks in place of half of the skin.
    const ExpectedPaths& paths;
    double skin;  ///< that is part of the reach [m]
  };
  /// The pairs of which the distance is below `reach`, or may be on their paths; bodies that are not slender count as
  /// their bounding spheres. Every pair and image once, i < j. Does not depend on the number of threads.
  std::vector<ImagePair> pairs(const Search& search) const;
  /// By row, how far a body reaches from its place on its path [m].
  std::vector<double> reaches_of_paths(const Search& search) const;

 private:
  class PairSearch;
  /// The direction of a segment in the world: the third column of the rotation, in 2D the first.
  Vec3 axis_of(const Quat& q) const {
    const double w = q.w(), x = q.x(), y = q.y(), z = q.z();
    if (flat_) return {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    return {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
  }
  Vec3 half_of(std::uint32_t row, const Quat& orientation) const { return half_length_[row] * axis_of(orientation); }
  std::vector<std::span<const std::uint32_t>> parts_of(std::span<const RowRange> rows) const;

  bool flat_ = false;                ///< in 2D
  std::size_t among_ = 0;            ///< of how many bodies
  std::vector<std::uint32_t> rows_;  ///< of slender bodies, ascending
  std::vector<double> half_length_;  ///< of the segment, by row; 0 for bodies that are not slender; empty without any
  std::vector<double> core_;         ///< radius of the sphere that sweeps it, by row; for others the bounding radius
  double longest_ = 0;
};

}  // namespace scree
