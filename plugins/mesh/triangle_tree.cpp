#include "triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace scree::mesh {

namespace {

constexpr std::uint32_t kLeaf = 4;

float below(double x) { return std::nextafter(static_cast<float>(x), -std::numeric_limits<float>::infinity()); }
float above(double x) { return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity()); }

std::vector<std::uint32_t> all_of(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> all(mesh.triangles().size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

}  // namespace

TriangleTree::TriangleTree(const TriangleMesh& mesh) : TriangleTree(mesh, all_of(mesh)) {}

TriangleTree::TriangleTree(const TriangleMesh& mesh, std::vector<std::uint32_t> triangles)
    : order_(std::move(triangles)) {
  std::vector<Vec3> centre;
  centre.reserve(mesh.triangles().size());
  for (const Triangle& t : mesh.triangles())
    centre.push_back((mesh.vertices()[t.vertex[0]] + mesh.vertices()[t.vertex[1]] + mesh.vertices()[t.vertex[2]]) / 3);
  nodes_.reserve(order_.size());
  build(mesh, centre, 0, static_cast<std::uint32_t>(order_.size()));
  nodes_.shrink_to_fit();
}

void TriangleTree::build(const TriangleMesh& mesh, const std::vector<Vec3>& centre, std::uint32_t begin,
                         std::uint32_t end) {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower, low = lower, high = upper;
  for (std::uint32_t k = begin; k < end; ++k) {
    for (const std::uint32_t v : mesh.triangles()[order_[k]].vertex) {
      lower = lower.cwiseMin(mesh.vertices()[v]);
      upper = upper.cwiseMax(mesh.vertices()[v]);
    }
    low = low.cwiseMin(centre[order_[k]]);
    high = high.cwiseMax(centre[order_[k]]);
  }
  const std::size_t at = nodes_.size();
  Node& node = nodes_.emplace_back();
  for (int k = 0; k < 3; ++k) node.lower[k] = below(lower[k]), node.upper[k] = above(upper[k]);
  node.begin = begin;
  node.count = end - begin;
  if (end - begin <= kLeaf) return;
  int axis;
  (high - low).maxCoeff(&axis);
  const std::uint32_t middle = (begin + end) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                   [&](std::uint32_t s, std::uint32_t t) {
                     return centre[s][axis] != centre[t][axis] ? centre[s][axis] < centre[t][axis] : s < t;
                   });
  build(mesh, centre, begin, middle);
  nodes_[at].count = 0;
  nodes_[at].begin = static_cast<std::uint32_t>(nodes_.size());
  build(mesh, centre, middle, end);
}

double TriangleTree::squared_distance(const Node& node, const Vec3& point) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double off = std::max({node.lower[k] - point[k], point[k] - node.upper[k], 0.0});
    sum += off * off;
  }
  return sum;
}

void TriangleTree::find(const Vec3& point, double reach, std::vector<std::uint32_t>& found) const {
  std::uint32_t stack[64];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const std::uint32_t at = stack[--depth];
    const Node& node = nodes_[at];
    if (squared_distance(node, point) >= reach * reach) continue;
    if (node.count > 0) {
      found.insert(found.end(), order_.begin() + node.begin, order_.begin() + node.begin + node.count);
    } else {
      stack[depth++] = node.begin;
      stack[depth++] = at + 1;
    }
  }
}

Foot TriangleTree::nearest(const TriangleMesh& mesh, const Vec3& point) const {
  Foot best{Vec3::Zero(), std::numeric_limits<double>::infinity(), Feature::face, 0};
  std::uint32_t stack[64];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const std::uint32_t at = stack[--depth];
    const Node& node = nodes_[at];
    if (squared_distance(node, point) > best.distance * best.distance) continue;
    for (std::uint32_t k = node.begin; k < node.begin + node.count; ++k) {
      const Foot foot = mesh.foot(order_[k], point);
      if (foot.distance < best.distance || (foot.distance == best.distance && mesh.number(foot.feature, foot.part) <
                                                                                  mesh.number(best.feature, best.part)))
        best = foot;
    }
    if (node.count > 0) continue;
    const bool first_is_nearer = squared_distance(nodes_[at + 1], point) <= squared_distance(nodes_[node.begin], point);
    stack[depth++] = first_is_nearer ? node.begin : at + 1;
    stack[depth++] = first_is_nearer ? at + 1 : node.begin;
  }
  return best;
}

}  // namespace scree::mesh
