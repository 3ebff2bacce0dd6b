#include "dented_patch.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "polish_on_mesh.hpp"

namespace scree::mesh {

namespace {

/// Tops nearer to each other than this part of the spacing are one.
constexpr double kSameTop = 1e-5;

}  // namespace

std::uint32_t DentedPatch::root(std::uint32_t top) {
  while (parent_[top] != top) top = parent_[top];
  return top;
}

/// Adds samples from the deepest on. One without a deeper neighbour is a top, one that has neighbours in several parts
/// joins them.
void DentedPatch::join_parts() {
  const auto nodes = samples_.nodes();
  order_.clear();
  for (const auto& [a, b] : samples_.edges()) order_.insert(order_.end(), {a, b});
  std::ranges::sort(order_);
  order_.erase(std::ranges::unique(order_).begin(), order_.end());
  std::ranges::sort(order_, [&](std::uint32_t i, std::uint32_t k) {
    return nodes[i].depth > nodes[k].depth || (nodes[i].depth == nodes[k].depth && i < k);
  });
  rank_.resize(nodes.size());
  for (std::uint32_t r = 0; r < order_.size(); ++r) rank_[order_[r]] = r;
  joins_.clear();
  for (const auto& [a, b] : samples_.edges())
    joins_.emplace_back(std::max(rank_[a], rank_[b]), std::min(rank_[a], rank_[b]));
  std::ranges::sort(joins_);
  region_.assign(order_.size(), 0);
  tops_.clear();
  parent_.clear();
  junctions_.clear();
  auto join = joins_.begin();
  for (std::uint32_t r = 0; r < order_.size(); ++r) {
    std::uint32_t own = 0;  // 1 + the part that the sample is in
    for (; join != joins_.end() && join->first == r; ++join) {
      const std::uint32_t part = root(region_[join->second]);
      if (own == 0) {
        own = 1 + part;
      } else if (part != own - 1) {
        const std::uint32_t deeper = std::min(part, own - 1), other = std::max(part, own - 1);
        junctions_.push_back({order_[r], deeper, other});
        parent_[other] = deeper;
        own = 1 + deeper;
      }
    }
    if (own == 0) {
      own = 1 + static_cast<std::uint32_t>(tops_.size());
      parent_.push_back(own - 1);
      tops_.push_back(order_[r]);
    }
    region_[r] = own - 1;
  }
}

CriticalPoint DentedPatch::plain(std::uint32_t node, int weight) const {
  const SampledMesh::Node& n = samples_.nodes()[node];
  return {n.at, field_->curvature(n.at), weight, surface_->mesh.number(n.feature, n.part)};
}

std::span<const CriticalPoint> DentedPatch::find(const PlacedMesh& surface, const SmoothField& field,
                                                 const SampledMesh::Limits& limits, double margin) {
  surface_ = &surface;
  field_ = &field;
  samples_.sample(surface, field, {limits.reach, limits.spacing, limits.least - margin});
  join_parts();
  found_.clear();
  std::vector<CriticalPoint> tops;
  for (const std::uint32_t node : tops_) {
    const std::optional<CriticalPoint> top = top_near(surface, field, samples_.nodes()[node].at, limits.spacing);
    tops.push_back(top ? *top : plain(node, 1));
  }

  // Parts that hang together by now, named by their deepest top.
  std::vector<bool> alive(tops.size(), true);
  std::iota(parent_.begin(), parent_.end(), 0u);
  const auto unite = [&](std::uint32_t one, std::uint32_t other) {
    const bool first = tops[one].depth.depth >= tops[other].depth.depth;
    parent_[first ? other : one] = first ? one : other;
    return first ? other : one;
  };
  for (std::uint32_t i = 0; i < tops.size(); ++i)
    for (std::uint32_t k = 0; k < i; ++k)
      if ((tops[i].at - tops[k].at).norm() < kSameTop * limits.spacing && root(i) != root(k))
        alive[unite(root(k), root(i))] = false;
  for (const Junction& j : junctions_) {
    const std::uint32_t one = root(j.deeper), other = root(j.other);
    if (one == other) continue;
    const std::uint32_t lower = unite(one, other);
    if (tops[lower].depth.depth <= limits.least) continue;
    const std::optional<CriticalPoint> saddle =
        saddle_near(surface, field, samples_.nodes()[j.node].at, limits.spacing);
    const CriticalPoint joint = saddle && saddle->depth.depth < tops[lower].depth.depth ? *saddle : plain(j.node, -1);
    if (joint.depth.depth >= tops[lower].depth.depth)
      alive[lower] = false;
    else if (joint.depth.depth > limits.least)
      found_.push_back(joint);
  }
  for (std::uint32_t i = 0; i < tops.size(); ++i)
    if (alive[i] && tops[i].depth.depth > limits.least) found_.push_back(tops[i]);
  std::ranges::stable_sort(found_, {}, &CriticalPoint::part);
  return found_;
}

}  // namespace scree::mesh
