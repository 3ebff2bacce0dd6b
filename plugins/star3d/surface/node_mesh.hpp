#pragma once
/// \file The nodes of a shape, in blocks of neighbours.

#include <cstdint>
#include <vector>

#include "scree/base/types.hpp"
#include "scree/shape/smooth_surface.hpp"

namespace scree::star3d {

/// Consecutive nodes and a sphere that holds them [m].
struct NodeBlock {
  std::uint32_t first, count;
  Vec3 centre;
  double radius;
};

/// At most so many blocks, so that a word of bits tells which are near.
inline constexpr std::size_t kMostBlocks = 64;

/// Nodes in an order in which those of a block follow each other.
struct NodeMesh {
  std::vector<Vec3> nodes;                       ///< in the frame of the shape [m]
  std::vector<std::uint32_t> first, neighbours;  ///< neighbours of each node, see SurfaceNodes
  std::vector<NodeBlock> blocks;
  double spacing = 0;  ///< [m]
};

NodeMesh make_node_mesh(const SurfaceNodes& surface);

}  // namespace scree::star3d
