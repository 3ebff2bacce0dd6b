#include "walls.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace scree::continuum {

namespace {

constexpr std::size_t kBlock = 256;  ///< points that are asked about at once: buffers on the stack
constexpr double kDeep = 2.5;        ///< nodes up to so many widths inside are held: those of points near the surface
constexpr double kAhead = 1;         ///< and up to so many outside: they may come to touch

}  // namespace

void Wall::see(int face, std::span<const Vec3> points, std::span<double> out, std::span<Vec3> normal) const {
  thread_local std::vector<Vec3> local;
  thread_local std::vector<FacePoint> seen;
  const Mat3 turn = orientation.toRotationMatrix();
  local.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) local[i] = turn.transpose() * arm(points[i]) / scale;
  if (faces) {
    seen.resize(points.size());
    faces->face(face, local, seen);
    for (std::size_t i = 0; i < points.size(); ++i) out[i] = seen[i].distance, normal[i] = seen[i].normal;
  } else {
    distance->distance(local, out, normal);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    out[i] *= scale;
    normal[i] = turn * normal[i];
  }
}

Vec3 Wall::velocity_at(const Vec3& at, const Vec3& normal) const {
  const Vec3 belt = surface_velocity - surface_velocity.dot(normal) * normal;
  return velocity + angular_velocity.cross(at) + belt;
}

Vec3 Wall::arm(const Vec3& point) const {
  Vec3 from = point - centre;
  if (!bounded()) return from;
  for (int k = 0; k < 3; ++k)
    if (period[k] > 0) from[k] -= period[k] * std::round(from[k] / period[k]);
  return from;
}

bool Wall::within(const Vec3& point, double reach) const {
  return !bounded() || arm(point).squaredNorm() < (radius + reach) * (radius + reach);
}

template <int D>
void NodeWalls<D>::look(const Grid<D>& grid, std::span<const Wall> walls) {
  find_near(grid, walls);
  rows_.clear();
  for (const auto& rows : of_block_)
    for (const WallRow& row : rows)
      if (row.distance > -kDeep * grid.lattice().width && row.distance < kAhead * grid.lattice().width)
        rows_.push_back(row);
  find_room(grid, walls);
}

/// Nodes that hold points near a wall or in it, or whose hat function reaches into it.
template <int D>
void NodeWalls<D>::find_near(const Grid<D>& grid, std::span<const Wall> walls) {
  const double h = grid.lattice().width, reach = std::sqrt(double(D)) * h;
  const std::size_t nodes = grid.nodes().size(), blocks = (nodes + kBlock - 1) / kBlock;
  of_block_.resize(blocks);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t b = 0; b < blocks; ++b) {
    std::array<Vec3, kBlock> at, near, normal;
    std::array<double, kBlock> distance;
    std::array<std::uint32_t, kBlock> node;
    const std::size_t first = b * kBlock, count = std::min(kBlock, nodes - first);
    auto& rows = of_block_[b];
    rows.clear();
    for (std::size_t i = 0; i < count; ++i) at[i] = in_space<D>(grid.position(first + i));
    for (std::uint32_t w = 0; w < walls.size(); ++w) {
      std::size_t some = 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (!walls[w].within(at[i], reach)) continue;
        near[some] = at[i];
        node[some++] = static_cast<std::uint32_t>(first + i);
      }
      for (int face = 0; some > 0 && face < walls[w].face_count(); ++face) {
        walls[w].see(face, std::span(near).first(some), distance, normal);
        for (std::size_t i = 0; i < some; ++i) {
          if (!(distance[i] < reach)) continue;
          const Vec3 arm = walls[w].arm(near[i]);
          rows.push_back({node[i], w, face, distance[i], normal[i], arm, walls[w].velocity_at(arm, normal[i])});
        }
      }
    }
    std::sort(rows.begin(), rows.end(), [](const WallRow& one, const WallRow& other) {
      return std::tie(one.node, one.wall, one.face) < std::tie(other.node, other.wall, other.face);
    });
  }
}

template <int D>
void NodeWalls<D>::find_room(const Grid<D>& grid, std::span<const Wall> walls) {
  const double h = grid.lattice().width;
  free_.assign(grid.nodes().size(), std::pow(h, D));
  struct Near {
    std::uint32_t node;
    bool fixed;  ///< all walls there are
  };
  std::vector<Near> asked;
  for (const auto& rows : of_block_)
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (k == 0 || rows[k].node != rows[k - 1].node) asked.push_back({rows[k].node, true});
      asked.back().fixed = asked.back().fixed && walls[rows[k].wall].fixed;
    }
  std::erase_if(asked, [&](const Near& near) {
    const auto known = near.fixed ? free_by_key_.find(grid.nodes()[near.node]) : free_by_key_.end();
    if (known == free_by_key_.end()) return false;
    free_[near.node] = known->second;
    return true;
  });
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t k = 0; k < asked.size(); ++k)
    free_[asked[k].node] = room_about(grid.position(asked[k].node), h, walls);
  for (const Near& near : asked)
    if (near.fixed) free_by_key_.emplace(grid.nodes()[near.node], free_[near.node]);
}

/// Samples of the hat function, each of which counts by the part of its cube that lies outside of all faces.
template <int D>
double NodeWalls<D>::room_about(const Vec<D>& node, double width, std::span<const Wall> walls) const {
  constexpr int kAlong = D == 2 ? 16 : 8, kSamples = power(kAlong, D);
  const double step = 2 * width / kAlong;
  thread_local std::vector<Vec3> at, normal;
  thread_local std::vector<double> weight, distance;
  at.assign(kSamples, Vec3::Zero());
  normal.resize(kSamples);
  weight.assign(kSamples, 1);
  distance.resize(kSamples);
  for (int s = 0; s < kSamples; ++s) {
    for (int k = 0; k < D; ++k) {
      const double off = (s / power(kAlong, k) % kAlong + 0.5) * step - width;
      at[s][k] = node[k] + off;
      weight[s] *= (1 - std::abs(off) / width) * step;
    }
  }
  for (const Wall& wall : walls) {
    if (!wall.within(in_space<D>(node), std::sqrt(double(D)) * width)) continue;
    for (int face = 0; face < wall.face_count(); ++face) {
      wall.see(face, at, distance, normal);
      for (int s = 0; s < kSamples; ++s) weight[s] *= std::clamp(0.5 + distance[s] / step, 0.0, 1.0);
    }
  }
  double sum = 0;
  for (const double w : weight) sum += w;
  return sum;
}

template class NodeWalls<2>;
template class NodeWalls<3>;

void push_out(std::span<const Wall> walls, double depth, std::span<Vec3> position) {
  const std::size_t blocks = (position.size() + kBlock - 1) / kBlock;
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < blocks; ++b) {
    std::array<Vec3, kBlock> near, normal;
    std::array<double, kBlock> distance;
    std::array<std::size_t, kBlock> point;
    const auto some = position.subspan(b * kBlock, std::min(kBlock, position.size() - b * kBlock));
    for (const Wall& wall : walls)
      for (int face = 0; face < wall.face_count(); ++face) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < some.size(); ++i)
          if (wall.within(some[i], 0)) near[count] = some[i], point[count++] = i;
        if (count == 0) break;
        wall.see(face, std::span(near).first(count), distance, normal);
        for (std::size_t i = 0; i < count; ++i)
          if (distance[i] < -depth) some[point[i]] -= (distance[i] + depth) * normal[i];
      }
  }
}

}  // namespace scree::continuum
