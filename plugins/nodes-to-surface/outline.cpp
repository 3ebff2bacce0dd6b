#include "outline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/error.hpp"

namespace scree::nodes_to_surface {

namespace {

/// Histories keep places as 16-bit parts of the outline: four units per node tell neighbours apart.
constexpr std::size_t kMostNodes = 16384;

std::vector<Block> blocks_of(std::span<const Vec3> nodes) {
  std::vector<Block> blocks;
  for (std::size_t first = 0; first < nodes.size(); first += kBlockNodes) {
    const auto part = nodes.subspan(first, std::min<std::size_t>(kBlockNodes, nodes.size() - first));
    Vec3 low = part[0], high = part[0];
    for (const Vec3& p : part) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    Block block{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(part.size()), (low + high) / 2, 0};
    for (const Vec3& p : part) block.radius = std::max(block.radius, (p - block.centre).norm());
    blocks.push_back(block);
  }
  return blocks;
}

}  // namespace

Outline make_outline(const Shape& shape) {
  Outline outline;
  outline.radius = shape.bounding_radius();
  outline.field = facet<SignedDistance>(shape);
  if (const auto* exact = facet<ExactDistance>(shape)) {
    outline.field = exact;
    outline.exact = true;
  }
  const auto* boundary = facet<BoundaryNodes>(shape);
  if (boundary == nullptr) return outline;
  outline.nodes = boundary->nodes();
  if (outline.nodes.size() > kMostNodes)
    throw InputError(
        fmt::format("detector \"nodes-to-surface\": a shape has {} boundary nodes; at most {} are possible. "
                    "Take fewer nodes or a larger node spacing.",
                    outline.nodes.size(), kMostNodes));
  outline.blocks = blocks_of(outline.nodes);
  for (std::size_t i = 0; i < outline.nodes.size(); ++i)
    outline.spacing =
        std::max(outline.spacing, (outline.nodes[i] - outline.nodes[(i + 1) % outline.nodes.size()]).norm());
  return outline;
}

}  // namespace scree::nodes_to_surface
