#include "on_device.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "near_list.hpp"
#include "scree/device/table_bytes.hpp"

namespace scree::spheropolygon {

namespace {

FlatBox flat(const Box& box) { return {box.low.x(), box.low.y(), box.high.x(), box.high.y()}; }

/// The boxes of a tree and what lies in them, in the order of a walk.
class Flattener {
 public:
  explicit Flattener(const EdgeTree& tree) : levels_(tree.levels()) {
    if (levels_.size() == 1) append_run(0, box_of_all());
    for (std::size_t k = 0; levels_.size() > 1 && k < levels_.back().size(); ++k) append(levels_.size() - 1, k);
  }
  std::vector<FlatNode> nodes;

 private:
  Box box_of_all() const {
    Box all;
    for (const Box& box : levels_[0]) all.add(box);
    return all;
  }
  void append_run(std::size_t k, const Box& box) {
    const std::size_t first = k * EdgeTree::kRun, count = std::min(EdgeTree::kRun, levels_[0].size() - first);
    nodes.push_back({flat(box), 0, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)});
    nodes.back().next = static_cast<std::uint32_t>(nodes.size());
  }
  void append(std::size_t level, std::size_t k) {
    const Box& box = levels_[level][k];
    if (level == 1) return append_run(k, box);
    const std::size_t at = nodes.size(), first = k * EdgeTree::kRun;
    nodes.push_back({flat(box), 0, 0, 0});
    for (std::size_t i = first; i < std::min(first + EdgeTree::kRun, levels_[level - 1].size()); ++i)
      append(level - 1, i);
    nodes[at].next = static_cast<std::uint32_t>(nodes.size());
  }

  std::span<const std::vector<Box>> levels_;
};

/// Returns the tree of a body without edges: boxes of its vertices.
EdgeTree tree_of_vertices(const Parts& p) {
  std::vector<Segment> points;
  for (const Vec2& v : p.skeleton.vertices) points.push_back({v.x(), v.y(), 0, 0});
  return EdgeTree(points);
}

FlatShape append(const Parts& p, device::TableBytes& to) {
  std::vector<FlatVertex> vertices;
  for (std::size_t k = 0; k < p.rows.size(); ++k)
    vertices.push_back({p.rows[k].x, p.rows[k].y, p.rows[k].radius, p.share[k], p.degree[k]});
  std::vector<FlatEdge> edges;
  for (const Segment& e : p.edges) edges.push_back({e.mx, e.my, e.hx, e.hy});
  const std::vector<FlatNode> nodes = Flattener(edges.empty() ? tree_of_vertices(p) : p.tree).nodes;
  const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  return {to.append(std::span(vertices)),
          to.append(std::span(edges)),
          to.append(std::span(nodes)),
          count(vertices),
          count(edges),
          count(nodes),
          p.skeleton.closed && !edges.empty(),
          p.edge_radius,
          p.largest_vertex_radius,
          p.reach,
          flat(p.box)};
}

}  // namespace

int VertexEdgeOnDevice::contacts() const {
  std::size_t most = 4;
  for (const Parts& p : parts_) most = std::max(most, p.rows.size());
  return static_cast<int>(std::min<std::size_t>(4 * most, VertexEdgeKernel::kContacts));
}

std::vector<std::byte> VertexEdgeOnDevice::tables(std::span<const std::uint32_t> shapes) const {
  device::TableBytes bytes;
  std::vector<FlatShape> rows(parts_.size());
  bytes.append(std::span(rows));
  for (const std::uint32_t s : shapes) rows[s] = append(parts_[s], bytes);
  bytes.overwrite(0, std::span<const FlatShape>(rows));
  return bytes.take();
}

std::string VertexEdgeOnDevice::trouble(int code, const device::NamedBody& a, const device::NamedBody& b) const {
  const auto trouble = static_cast<Trouble>(code);
  if (trouble != Trouble::too_near) return intersection_text(trouble, a.id, b.id);
  return fmt::format(
      "bodies {} and {}: a vertex of one is nearer to an edge of the other than {:g} of the sum of their radii; it "
      "would soon pass through. Use a smaller dt, a stiffer law, or larger radii.",
      a.id, b.id, kNearest);
}

}  // namespace scree::spheropolygon
