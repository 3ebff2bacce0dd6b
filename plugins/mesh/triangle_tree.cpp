#include "triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
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
  std::vector<Item> items;
  items.reserve(order_.size());
  for (const std::uint32_t t : order_) {
    const auto& v = mesh.triangles()[t].vertex;
    const Vec3 middle = (mesh.vertices()[v[0]] + mesh.vertices()[v[1]] + mesh.vertices()[v[2]]) / 3;
    items.push_back({{static_cast<float>(middle[0]), static_cast<float>(middle[1]), static_cast<float>(middle[2])}, t});
  }
  nodes_.reserve(order_.size());
  build(mesh, items, 0, static_cast<std::uint32_t>(order_.size()));
  nodes_.shrink_to_fit();
}

void TriangleTree::make_leaf(const TriangleMesh& mesh, std::span<const Item> items, std::uint32_t begin, Node& node) {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
  for (std::size_t k = 0; k < items.size(); ++k) {
    order_[begin + k] = items[k].triangle;
    for (const std::uint32_t v : mesh.triangles()[items[k].triangle].vertex) {
      lower = lower.cwiseMin(mesh.vertices()[v]);
      upper = upper.cwiseMax(mesh.vertices()[v]);
    }
  }
  for (int k = 0; k < 3; ++k) node.lower[k] = below(lower[k]), node.upper[k] = above(upper[k]);
  node.begin = begin;
  node.count = static_cast<std::uint32_t>(items.size());
}

/// Makes the nodes of the items from `begin` to `end`, the first of which has all of them below it.
void TriangleTree::build(const TriangleMesh& mesh, std::vector<Item>& items, std::uint32_t begin, std::uint32_t end) {
  const std::size_t at = nodes_.size();
  nodes_.emplace_back();
  if (end - begin <= kLeaf) return make_leaf(mesh, std::span(items).subspan(begin, end - begin), begin, nodes_[at]);
  float low[3], high[3];
  for (int k = 0; k < 3; ++k) low[k] = high[k] = items[begin].centre[k];
  for (std::uint32_t i = begin + 1; i < end; ++i)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], items[i].centre[k]);
      high[k] = std::max(high[k], items[i].centre[k]);
    }
  int axis = 0;
  for (int k : {1, 2})
    if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
  const std::uint32_t middle = (begin + end) / 2;
  std::nth_element(
      items.begin() + begin, items.begin() + middle, items.begin() + end, [axis](const Item& a, const Item& b) {
        return a.centre[axis] != b.centre[axis] ? a.centre[axis] < b.centre[axis] : a.triangle < b.triangle;
      });
  build(mesh, items, begin, middle);
  const auto second = static_cast<std::uint32_t>(nodes_.size());
  build(mesh, items, middle, end);
  Node& node = nodes_[at];
  node.count = 0;
  node.begin = second;
  for (int k = 0; k < 3; ++k) {
    node.lower[k] = std::min(nodes_[at + 1].lower[k], nodes_[second].lower[k]);
    node.upper[k] = std::max(nodes_[at + 1].upper[k], nodes_[second].upper[k]);
  }
}

double TriangleTree::squared_distance(const Node& node, const Vec3& point) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double off = std::max({node.lower[k] - point[k], point[k] - node.upper[k], 0.0});
    sum += off * off;
  }
  return sum;
}

template <class Enters>
void TriangleTree::collect(const Enters& enters, std::vector<std::uint32_t>& found) const {
  std::uint32_t stack[64];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const std::uint32_t at = stack[--depth];
    const Node& node = nodes_[at];
    if (!enters(node)) continue;
    if (node.count > 0) {
      found.insert(found.end(), order_.begin() + node.begin, order_.begin() + node.begin + node.count);
    } else {
      stack[depth++] = node.begin;
      stack[depth++] = at + 1;
    }
  }
}

void TriangleTree::find(const Vec3& point, double reach, std::vector<std::uint32_t>& found) const {
  collect([&](const Node& node) { return squared_distance(node, point) < reach * reach; }, found);
}

void TriangleTree::find(const Eigen::AlignedBox3d& box, std::vector<std::uint32_t>& found) const {
  collect(
      [&](const Node& node) {
        bool meets = true;
        for (int k = 0; k < 3; ++k) meets = meets && node.lower[k] <= box.max()[k] && node.upper[k] >= box.min()[k];
        return meets;
      },
      found);
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
