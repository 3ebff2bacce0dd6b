#include "surface/node_mesh.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace scree::star3d {

namespace {

constexpr std::size_t kBlock = 10;

/// Halves the nodes across their longest side until blocks are small. Appends the sizes of the blocks.
void divide(std::span<std::uint32_t> order, std::span<const Vec3> nodes, std::size_t small,
            std::vector<std::uint32_t>& sizes) {
  if (order.size() <= small) return sizes.push_back(static_cast<std::uint32_t>(order.size()));
  Vec3 low = nodes[order[0]], high = low;
  for (const std::uint32_t i : order) low = low.cwiseMin(nodes[i]), high = high.cwiseMax(nodes[i]);
  int axis = 0;
  (high - low).maxCoeff(&axis);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t k) {
    return nodes[i][axis] < nodes[k][axis] || (nodes[i][axis] == nodes[k][axis] && i < k);
  });
  const std::size_t half = order.size() / 2;
  divide(order.first(half), nodes, small, sizes);
  divide(order.subspan(half), nodes, small, sizes);
}

NodeBlock block_of(std::span<const Vec3> nodes, std::uint32_t first, std::uint32_t count) {
  NodeBlock block{first, count, Vec3::Zero(), 0};
  for (std::uint32_t i = first; i < first + count; ++i) block.centre += nodes[i] / count;
  for (std::uint32_t i = first; i < first + count; ++i)
    block.radius = std::max(block.radius, (nodes[i] - block.centre).norm());
  return block;
}

}  // namespace

NodeMesh make_node_mesh(const SurfaceNodes& surface) {
  const std::span<const Vec3> nodes = surface.nodes();
  const auto first = surface.first_neighbour(), neighbours = surface.neighbours();
  std::vector<std::uint32_t> order(nodes.size()), place(nodes.size()), sizes;
  std::iota(order.begin(), order.end(), 0u);
  divide(order, nodes, std::max(kBlock, (nodes.size() + kMostBlocks - 1) / kMostBlocks), sizes);
  NodeMesh mesh;
  mesh.spacing = surface.spacing();
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    place[order[k]] = k;
    mesh.nodes.push_back(nodes[order[k]]);
  }
  for (const std::uint32_t i : order) {
    mesh.first.push_back(static_cast<std::uint32_t>(mesh.neighbours.size()));
    for (std::uint32_t k = first[i]; k < first[i + 1]; ++k) mesh.neighbours.push_back(place[neighbours[k]]);
  }
  mesh.first.push_back(static_cast<std::uint32_t>(mesh.neighbours.size()));
  std::uint32_t begin = 0;
  for (const std::uint32_t size : sizes) {
    mesh.blocks.push_back(block_of(mesh.nodes, begin, size));
    begin += size;
  }
  return mesh;
}

}  // namespace scree::star3d
