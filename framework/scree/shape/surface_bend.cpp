#include "scree/shape/surface_bend.hpp"

#include <algorithm>
#include <vector>

namespace scree {

double largest_curvature(const SurfaceNodes& surface, const SmoothField& field) {
  const auto nodes = surface.nodes();
  const auto first = surface.first_neighbour(), neighbours = surface.neighbours();
  std::vector<double> depth(nodes.size());
  std::vector<Vec3> normal(nodes.size());
  field.depth(nodes, depth, normal);
  double largest = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::uint32_t k = first[i]; k < first[i + 1]; ++k) {
      const std::uint32_t beside = neighbours[k];
      largest = std::max(largest, (normal[i] - normal[beside]).norm() / (nodes[i] - nodes[beside]).norm());
    }
  return largest;
}

bool is_convex(const SurfaceNodes& surface, const SmoothField& field) {
  constexpr double kWave = 1e-5;  // of the body's size
  constexpr std::size_t kPlanes = 1000;
  const auto nodes = surface.nodes();
  std::vector<double> depth(nodes.size());
  std::vector<Vec3> inward(nodes.size());
  field.depth(nodes, depth, inward);
  double size = 0;
  for (const Vec3& node : nodes) size = std::max(size, node.norm());
  const std::size_t stride = 1 + nodes.size() / kPlanes;
  for (std::size_t i = 0; i < nodes.size(); i += stride) {
    const Vec3 outward = -inward[i].normalized();
    const double limit = outward.dot(nodes[i]) + kWave * size;
    if (std::ranges::any_of(nodes, [&](const Vec3& node) { return outward.dot(node) > limit; })) return false;
  }
  return true;
}

}  // namespace scree
