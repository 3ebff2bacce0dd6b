#pragma once
/// \file Slender bodies, much longer than wide. Their bounding spheres meet many bodies that they are far from.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/body_poses.hpp"
#include "scree/contacts/lists/expected_paths.hpp"
#include "scree/grid/periodic_pairs.hpp"
#include "scree/integrate/mechanics.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Slender bodies among others: those with the facet Segment/1 that are at least three times as long as wide. Their
/// pairs are found by the distance of their segments. Such lists hold as long as the ends of the segments stay near
/// their places at the rebuild, or near their paths (ExpectedPaths).
///
/// Holds rows as of its construction.
class SCREE_API SlenderBodies {
 public:
  SlenderBodies() = default;
  /// \param among  rows, ascending: all but large bodies, which count as spheres however they rotate
  SlenderBodies(const World& world, std::span<const std::uint32_t> among);

  bool any() const { return !rows_.empty(); }
  /// Checks whether all are slender.
  bool all() const { return any() && rows_.size() == among_; }
  /// Half the length of the longest segment [m]; 0 if there is none.
  double longest() const { return longest_; }

  /// Returns the largest squared displacement of points of segments, if bodies move on for `ahead` seconds [m^2]. With
  /// paths it includes the squared distance from the path, times (skin/2)^2 over the square of its slack. Where paths
  /// end it is above (skin/2)^2.
  /// \param rows  rows of bodies that count, ascending
  /// \param skin  skin of the lists [m]
  double farthest_squared_way(const World& world, const BodyPoses& reference, const ExpectedPaths& paths, double skin,
                              double ahead, std::span<const RowRange> rows) const;
  /// Returns the highest speed of a point of a segment due to its rotation, approximately [m/s].
  double fastest_turn(const World& world) const;
  /// Returns segments with their present motion.
  std::vector<ExpectedPaths::Start> starts(const World& world) const;

  /// Input of a search: poses of bodies, and how far each one reaches beyond its surface.
  struct Search {
    BodyPoses poses;
    std::span<const double> radius;       ///< bounding radii, by row [m]
    std::span<const double> grown;        ///< bounding radii plus the range of laws, by row [m]
    std::span<const std::uint32_t> rows;  ///< rows among which slender bodies were found
    double reach;                         ///< further gap up to which pairs are wanted [m]
    /// Paths that slender bodies follow, if there are any, with their slacks instead of half of the skin.
    const ExpectedPaths& paths;
    double skin;  ///< skin that is part of the reach [m]
  };
  /// Returns the pairs whose distance is below `reach`, or may be on their paths. Bodies that are not slender count as
  /// their bounding spheres. Every pair and image comes once, i < j. The result does not depend on the number of
  /// threads.
  std::vector<ImagePair> pairs(const Search& search) const;
  /// Returns how far each body reaches from its place on its path, by row [m].
  std::vector<double> reaches_of_paths(const Search& search) const;

 private:
  class PairSearch;
  /// Returns the direction of a segment in the world: the third column of the rotation, in 2D the first.
  Vec3 axis_of(const Quat& q) const {
    const double w = q.w(), x = q.x(), y = q.y(), z = q.z();
    if (flat_) return {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    return {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
  }
  Vec3 half_of(std::uint32_t row, const Quat& orientation) const { return half_length_[row] * axis_of(orientation); }
  std::vector<std::span<const std::uint32_t>> parts_of(std::span<const RowRange> rows) const;

  bool flat_ = false;                ///< true in 2D
  std::size_t among_ = 0;            ///< number of bodies among which slender ones were found
  std::vector<std::uint32_t> rows_;  ///< rows of slender bodies, ascending
  std::vector<double>
      half_length_;  ///< half length of the segment, by row; 0 for bodies that are not slender; empty if none is
  std::vector<double> core_;  ///< radius of the sphere that sweeps the segment, by row; bounding radius of other bodies
  double longest_ = 0;
};

}  // namespace scree
