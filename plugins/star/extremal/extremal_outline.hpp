#pragma once
/// \file Data of each shape for the extremal depth law: nodes where the outline bends, and the depth field.

#include <vector>

#include "extremal/depth_field.hpp"
#include "outline/outline.hpp"

namespace scree::star {

/// Nodes first .. first + count - 1 of a side, not past the last one.
struct NodeWindow {
  std::uint16_t first;
  std::uint16_t count : 15, side : 1;
};

/// Some consecutive nodes and a circle that holds them and one node beyond either end.
struct NodeBlock {
  static constexpr int kMost = 12;  ///< few enough to reject closely, and to be looked at at once
  int first, count;
  double x, y, radius;  ///< about the outline's centre [m]

  NodeWindow nodes(std::uint16_t side) const {
    return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(count & 0x7fff), side};
  }
};

/// Circles a little larger than those of the outline, in columns that may be read by sixteens.
struct CircleColumns {
  std::vector<float> x, y, radius;
};

/// Immutable. Coordinates are about the outline's centre, axes of the body frame. Columns over nodes run on cyclically,
/// from two nodes before the first one: node i is entry i + kBefore, and any segment is contiguous.
struct ExtremalOutline {
  static constexpr int kBefore = 2;

  explicit ExtremalOutline(const RadialFunction& function);

  Vec2 centre;  ///< in the body frame [m]
  double r_max, r_min;
  int nodes;
  std::vector<double> x, y;  ///< [m]
  std::vector<float> fx, fy;
  std::vector<std::uint16_t> place;  ///< (nodes) of a node on the ring, in units of 1/65536 of it
  double spacing = 0;                ///< largest distance of neighbouring nodes [m]
  std::vector<NodeBlock> blocks;
  CircleColumns circles;

  std::vector<FieldKnot> field;
  FieldBounds bounds;

 private:
  void make_blocks();
};

/// Angles [rad] of `count` nodes, the first at 0: half of them spread by arc length, half by how far the outline turns.
/// Turning is averaged over the angle between two nodes, so that corners attract nodes without gathering them in one
/// place.
std::vector<double> spread_nodes(const RadialFunction& outline, int count);

}  // namespace scree::star
