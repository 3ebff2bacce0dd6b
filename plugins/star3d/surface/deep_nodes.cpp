#include "surface/deep_nodes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace scree::star3d {

namespace {

/// Adds the nodes of a block that are deeper than -reach, and the block where there are any.
void add_nodes(const NodeMesh& mesh, std::uint32_t number, const Placement& nodes, const Field& field,
               const Placement& of_field, double reach, NearOfSide& near) {
  const NodeBlock& block = mesh.blocks[number];
  static thread_local std::vector<Vec3> points;
  static thread_local std::vector<double> depths;
  points.clear();
  for (std::uint32_t i = block.first; i < block.first + block.count; ++i) points.push_back(nodes.point(mesh.nodes[i]));
  depths.resize(points.size());
  look_at(field, of_field, points, depths, {});
  for (std::uint32_t i = 0; i < block.count; ++i)
    if (depths[i] > -reach) near.add_block(number), near.add(block.first + i);
}

}  // namespace

void add_near(const NodeMesh& mesh, const Placement& nodes, const Field& field, const Placement& of_field, double bound,
              double reach, double slack, NearOfSide& near) {
  Vec3 centres[kMostBlocks];
  double depths[kMostBlocks];
  std::uint32_t blocks[kMostBlocks];
  std::size_t count = 0;
  for (std::uint32_t k = 0; k < mesh.blocks.size(); ++k) {
    const Vec3 centre = nodes.point(mesh.blocks[k].centre);
    const double limit = bound + nodes.size * mesh.blocks[k].radius + reach + slack;
    if (centre.squaredNorm() > limit * limit) continue;
    blocks[count] = k;
    centres[count++] = centre;
  }
  const bool bounded = std::isfinite(field.steepest);
  if (bounded && count > 0) look_at(field, of_field, {centres, count}, {depths, count}, {});
  const double moved = reach + field.steepest * slack;
  for (std::size_t k = 0; k < count; ++k) {
    if (!bounded)
      near.add_block(blocks[k]), near.dont_list();
    else if (depths[k] >= -(moved + field.steepest * nodes.size * mesh.blocks[blocks[k]].radius))
      add_nodes(mesh, blocks[k], nodes, field, of_field, moved, near);
  }
}

void DeepNodes::find(const NodeMesh& mesh, const NearOfSide& near, const Placement& nodes, const Field& field,
                     const Placement& of_field, double reach) {
  gather(mesh, near, nodes);
  look_at_nodes(field, of_field, reach);
  join_regions(mesh);
}

/// Places the nodes that are near.
void DeepNodes::gather(const NodeMesh& mesh, const NearOfSide& near, const Placement& nodes) {
  const std::size_t count = mesh.nodes.size();
  if (position_.size() < count) {
    position_.resize(count);
    depth_.resize(count);
    region_.resize(count, 0);
  }
  points_.clear();
  near_.clear();
  const auto place = [&](std::uint32_t i) {
    near_.push_back(i);
    points_.push_back(position_[i] = nodes.point(mesh.nodes[i]));
  };
  if (near.listed()) {
    std::for_each_n(near.nodes, near.count, place);
    return;
  }
  for (std::uint64_t blocks = near.blocks; blocks != 0; blocks &= blocks - 1) {
    const NodeBlock& block = mesh.blocks[static_cast<std::size_t>(std::countr_zero(blocks))];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) place(i);
  }
}

void DeepNodes::look_at_nodes(const Field& field, const Placement& of_field, double reach) {
  depths_.resize(points_.size());
  look_at(field, of_field, points_, depths_, {});
  deep_.clear();
  deepest_ = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < near_.size(); ++k) {
    deepest_ = std::max(deepest_, depths_[k]);
    if (!(depths_[k] > -reach)) continue;
    depth_[near_[k]] = depths_[k];
    deep_.push_back(near_[k]);
  }
  std::sort(deep_.begin(), deep_.end(), [&](std::uint32_t i, std::uint32_t k) {
    return depth_[i] > depth_[k] || (depth_[i] == depth_[k] && i < k);
  });
}

std::uint32_t DeepNodes::root(std::uint32_t top) {
  while (parent_[top] != top) top = parent_[top];
  return top;
}

/// Adds nodes from the deepest on: one without a neighbour added before is a top, one that has neighbours in several
/// regions joins them.
void DeepNodes::join_regions(const NodeMesh& mesh) {
  tops_.clear();
  parent_.clear();
  junctions_.clear();
  for (const std::uint32_t node : deep_) {
    std::uint32_t own = 0;  // 1 + the region that the node is in
    for (std::uint32_t k = mesh.first[node]; k < mesh.first[node + 1]; ++k) {
      const std::uint32_t beside = region_[mesh.neighbours[k]];
      if (beside == 0) continue;
      const std::uint32_t region = root(beside - 1);
      if (own == 0) {
        own = 1 + region;
      } else if (region != own - 1) {
        const std::uint32_t deeper = std::min(region, own - 1), other = std::max(region, own - 1);
        junctions_.push_back({node, deeper, other});
        parent_[other] = deeper;
        own = 1 + deeper;
      }
    }
    if (own == 0) {
      own = 1 + static_cast<std::uint32_t>(tops_.size());
      parent_.push_back(own - 1);
      tops_.push_back(node);
    }
    region_[node] = own;
  }
  for (const std::uint32_t node : deep_) region_[node] = 0;
}

}  // namespace scree::star3d
