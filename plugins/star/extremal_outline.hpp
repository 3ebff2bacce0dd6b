#pragma once
/// \file What the extremal depth law keeps of each shape: nodes where the outline bends, and the depth field.

#include <vector>

#include "depth_field.hpp"
#include "outline.hpp"

namespace scree::star {

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
  double spacing = 0;  ///< largest distance of neighbouring nodes [m]

  std::vector<FieldKnot> field;
  FieldBounds bounds;
};

/// Angles [rad] of `count` nodes, the first at 0: half of them spread by arc length, half by how far the outline turns.
/// Turning is averaged over the angle between two nodes, so that corners attract nodes without gathering them in one
/// place.
std::vector<double> spread_nodes(const RadialFunction& outline, int count);

}  // namespace scree::star
