#pragma once
/// \file Data of each shape for the detector: its facets, and its nodes in blocks that can be skipped as a whole.

#include <cstdint>
#include <vector>

#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"

namespace scree::nodes_to_surface {

/// Some consecutive nodes and a circle that holds them.
struct Block {
  std::uint32_t first, count;
  Vec3 centre;    ///< body frame [m]
  double radius;  ///< [m]
};

/// Consecutive nodes of a block: few enough to reject closely, many enough to pay for the test.
inline constexpr std::uint32_t kBlockNodes = 8;

struct Outline {
  std::span<const Vec3> nodes;  ///< empty: the shape offers none
  std::vector<Block> blocks;
  double spacing = 0;                     ///< largest distance of neighbouring nodes [m]
  const SignedDistance* field = nullptr;  ///< null: the shape offers none
  bool exact = false;                     ///< the field is an ExactDistance
  double radius = 0;                      ///< bounding radius [m], may be infinite
};

/// \throws InputError when there are more nodes than places in a contact's history can tell apart
Outline make_outline(const Shape& shape);

}  // namespace scree::nodes_to_surface
