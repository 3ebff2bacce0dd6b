#include "sampled_mesh.hpp"

#include <algorithm>
#include <cmath>

namespace scree::mesh {

namespace {

/// Fields are bounded within so many reaches; farther away nothing is looked at.
constexpr double kKnown = 2.5;

/// A point of a triangle is no farther from the middle of its longest edge than this part of the edge.
constexpr double kFarthest = 0.8660254037844387;

double depth_at(const SmoothField& field, const Vec3& at) {
  double depth;
  field.depth({&at, 1}, {&depth, 1}, {});
  return depth;
}

}  // namespace

void NodePairs::clear() {
  used_ = 0;
  if (++stamp_ == 0) entries_.clear();
  if (entries_.empty()) entries_.assign(1024, {0, 0, 0}), stamp_ = 1;
}

std::pair<std::uint32_t*, bool> NodePairs::at(std::uint32_t low, std::uint32_t high) {
  if (2 * used_ >= entries_.size()) {
    std::vector<Entry> old(2 * entries_.size(), {0, 0, 0});
    old.swap(entries_);
    used_ = 0;
    for (const Entry& e : old)
      if (e.stamp == stamp_)
        *at(static_cast<std::uint32_t>(e.key >> 32), static_cast<std::uint32_t>(e.key)).first = e.value;
  }
  const std::uint64_t key = std::uint64_t{low} << 32 | high;
  std::size_t k = (key * 0x9e3779b97f4a7c15u >> 32) & (entries_.size() - 1);
  while (entries_[k].stamp == stamp_ && entries_[k].key != key) k = (k + 1) & (entries_.size() - 1);
  const bool is_new = entries_[k].stamp != stamp_;
  if (is_new) entries_[k] = {key, 0, stamp_}, ++used_;
  return {&entries_[k].value, is_new};
}

void SampledMesh::sample(const PlacedMesh& surface, const SmoothField& field, const Limits& limits) {
  surface_ = &surface;
  field_ = &field;
  limits_ = limits;
  nodes_.clear();
  edges_.clear();
  of_vertex_.clear();
  middle_.clear();
  for (const std::uint32_t face : surface.triangles) {
    const Triangle& t = surface.mesh.triangles()[face];
    const std::uint32_t corner[3] = {vertex(t.vertex[0]), vertex(t.vertex[1]), vertex(t.vertex[2])};
    const Side sides[3] = {side(corner[0], corner[1], Feature::edge, t.edge[0]),
                           side(corner[1], corner[2], Feature::edge, t.edge[1]),
                           side(corner[2], corner[0], Feature::edge, t.edge[2])};
    cut(corner, sides, face);
  }
}

/// Returns the depth at a point [m]; far from the body some value that is not deep.
double SampledMesh::look(const Vec3& at) const {
  const double known = kKnown * limits_.reach;
  return at.squaredNorm() < known * known ? depth_at(*field_, at) : -at.norm();
}

std::uint32_t SampledMesh::vertex(std::uint32_t number) {
  const auto [node, is_new] = of_vertex_.at(number, number);
  if (is_new) {
    const Vec3 at = surface_->place(number);
    *node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({at, look(at), Feature::vertex, number});
  }
  return *node;
}

/// Checks whether a triangle may have deep points whose longest edge has this middle. The field falls off no faster
/// than by its bound.
bool SampledMesh::may_be_deep(const Node& middle, double length) const {
  const double square = middle.at.squaredNorm(), farthest = kFarthest * length;
  if (square > (limits_.reach + farthest) * (limits_.reach + farthest)) return false;
  if (square > kKnown * kKnown * limits_.reach * limits_.reach) return true;
  return middle.depth + field_->steepest() * farthest > limits_.least;
}

SampledMesh::Side SampledMesh::side(std::uint32_t a, std::uint32_t b, Feature feature, std::uint32_t part) {
  const std::uint32_t low = std::min(a, b), high = std::max(a, b);
  const auto [middle, is_new] = middle_.at(low, high);
  if (is_new) {
    const Vec3 from = nodes_[low].at, to = nodes_[high].at, at = (from + to) / 2;
    const double length = (to - from).norm();
    *middle = kWhole;
    if (length > limits_.spacing) {
      const Node node{at, look(at), feature, part};
      if (may_be_deep(node, length)) {
        *middle = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back(node);
      }
    }
  }
  return {feature, part, *middle};
}

/// Cuts the longest side that is to be cut, and goes on with both pieces. \param side  side k leads from corner k
void SampledMesh::cut(const std::uint32_t (&corner)[3], const Side (&sides)[3], std::uint32_t face) {
  int longest = -1;
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    if (sides[k].middle == kWhole) continue;
    const double of_side = (nodes_[corner[k]].at - nodes_[corner[(k + 1) % 3]].at).squaredNorm();
    if (of_side > square) longest = k, square = of_side;
  }
  if (longest < 0) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = corner[k], b = corner[(k + 1) % 3];
      if (nodes_[a].depth > limits_.least && nodes_[b].depth > limits_.least) edges_.emplace_back(a, b);
    }
    return;
  }
  const std::uint32_t a = corner[longest], b = corner[(longest + 1) % 3], c = corner[(longest + 2) % 3];
  const Side &along = sides[longest], &next = sides[(longest + 1) % 3], &last = sides[(longest + 2) % 3];
  const std::uint32_t at = along.middle;
  const Side within = side(at, c, Feature::face, face);
  cut({a, at, c}, {side(a, at, along.feature, along.part), within, last}, face);
  cut({at, b, c}, {side(at, b, along.feature, along.part), next, within}, face);
}

}  // namespace scree::mesh
