#pragma once
/// \file Nodes of a pair that are near the other body.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "scree/base/types.hpp"

namespace scree::star3d {

/// Position and orientation of one body in the frame of the other.
struct RelativePose {
  Vec3 position;
  Quat orientation;
};

/// A relative pose that something was found for, as plain numbers.
struct KnownPose {
  double position[3], orientation[4];

  void set(const RelativePose& pose) {
    std::copy_n(pose.position.data(), 3, position);
    std::copy_n(pose.orientation.coeffs().data(), 4, orientation);
  }

  /// Bounds how far points of either body have moved in the frame of the other [m].
  /// \param reach  radius of the body that moves, and of the other one about the former's centre [m]
  double moved(const RelativePose& pose, double reach) const {
    double way2 = 0, turn2 = 0, other2 = 0;  // q and -q are the same orientation
    for (int k = 0; k < 3; ++k) way2 += (pose.position[k] - position[k]) * (pose.position[k] - position[k]);
    for (int k = 0; k < 4; ++k) {
      const double now = pose.orientation.coeffs()[k], then = orientation[k];
      turn2 += (now - then) * (now - then);
      other2 += (now + then) * (now + then);
    }
    return std::sqrt(way2) + 2 * reach * std::sqrt(std::min(turn2, other2));
  }
};

/// Nodes of one body that are near the other: their numbers where they are few, and the blocks that they lie in.
struct NearOfSide {
  static constexpr std::size_t kFew = 40;
  std::uint64_t blocks;  ///< bit by bit
  std::uint16_t count;   ///< number of nodes; more than kFew: they are not listed
  std::uint16_t nodes[kFew];

  void clear() { blocks = 0, count = 0; }
  bool listed() const { return count <= kFew; }
  void add_block(std::uint32_t block) { blocks |= std::uint64_t{1} << block; }
  /// Adds a node, unless it is there.
  void add(std::uint32_t node) {
    if (!listed() || std::find(nodes, nodes + count, node) != nodes + count) return;
    if (count == kFew || node > std::numeric_limits<std::uint16_t>::max()) return dont_list();
    nodes[count++] = static_cast<std::uint16_t>(node);
  }
  void dont_list() { count = kFew + 1; }
};

/// Near nodes of both sides; all zeros know nothing. They hold for every relative pose within `slack` of the one they
/// were found for, and for smaller margins.
struct NearNodes {
  KnownPose at;
  double slack;         ///< [m]; 0: nothing known
  double margin;        ///< [m]
  NearOfSide sides[2];  ///< nodes of a and of b
};

}  // namespace scree::star3d
