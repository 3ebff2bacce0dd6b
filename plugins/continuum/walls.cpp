#include "walls.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "grid/quadrature.hpp"

namespace scree::continuum {

namespace {

constexpr std::size_t kBlock = 256;  ///< points that are asked about at once: buffers on the stack
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
  find_rows(grid, walls);
  find_room(grid, walls);
}

template <int D>
void NodeWalls<D>::find_rows(const Grid<D>& grid, std::span<const Wall> walls) {
  rows_.clear();
  places_.clear();
  for (const Near& near : near_) add_row(grid, near);
  look_at_places(walls);
}

template <int D>
void NodeWalls<D>::add_row(const Grid<D>& grid, const Near& near) {
  constexpr double kOnIt = 1e-9;  // of a width
  const double h = grid.lattice().width;
  int axis = 0;
  for (int k = 1; k < D; ++k)
    if (std::abs(near.normal[k]) > std::abs(near.normal[axis])) axis = k;
  const double up = near.normal[axis] > 0 ? 1 : -1, way = near.distance / std::abs(near.normal[axis]);
  if (!(way < (1 - kOnIt) * h)) return;
  const auto neighbour = [&](double side) {
    return grid.neighbours()[near.node][(kNeighbours<D> - 1) / 2 + static_cast<int>(side * up) * power(3, axis)];
  };
  WallRow row{near.node, near.wall, near.face, {}, 0, near.normal, Vec3::Zero(), Vec3::Zero()};
  if (way < -kOnIt * h) {
    if (neighbour(1) != kNoNode) return;  // the row is that node's, or both are in the wall
  } else if (way > kOnIt * h) {
    row.second = {neighbour(-1), way / h};
    if (row.second.node == kNoNode) row.second.share = 0, row.gap = near.distance;
  }
  rows_.push_back(row);
  Vec3 place = in_space<D>(grid.position(near.node));
  place[axis] -= up * way;
  places_.push_back(place);
}

/// Normals and velocities of walls at the places of rows.
template <int D>
void NodeWalls<D>::look_at_places(std::span<const Wall> walls) {
  std::vector<std::uint32_t> order(rows_.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto face_of = [&](std::uint32_t k) { return std::pair(rows_[k].wall, rows_[k].face); };
  std::ranges::stable_sort(order, {}, face_of);
  std::vector<Vec3> at, normal;
  std::vector<double> distance;
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    at.clear();
    for (; last < order.size() && face_of(order[last]) == face_of(order[first]); ++last)
      at.push_back(places_[order[last]]);
    normal.resize(at.size()), distance.resize(at.size());
    const Wall& wall = walls[rows_[order[first]].wall];
    wall.see(rows_[order[first]].face, at, distance, normal);
    for (std::size_t k = first; k < last; ++k) {
      WallRow& row = rows_[order[k]];
      row.normal = normal[k - first];
      row.arm = wall.arm(at[k - first]);
      row.velocity = wall.velocity_at(row.arm, row.normal);
    }
  }
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
          if (distance[i] < reach) rows.push_back({node[i], w, face, distance[i], normal[i]});
        }
      }
    }
    std::sort(rows.begin(), rows.end(), [](const Near& one, const Near& other) {
      return std::tie(one.node, one.wall, one.face) < std::tie(other.node, other.wall, other.face);
    });
  }
  near_.clear();
  sight_.assign(nodes, Sight::none);
  inside_.assign(nodes, 0);
  for (const auto& rows : of_block_)
    for (const Near& row : rows) {
      near_.push_back(row);
      const Sight sight = walls[row.wall].fixed ? Sight::fixed : Sight::moving;
      sight_[row.node] = std::max(sight_[row.node], sight);
      if (row.distance < 0) inside_[row.node] = 1;
    }
}

template <int D>
void NodeWalls<D>::find_room(const Grid<D>& grid, std::span<const Wall> walls) {
  const double h = grid.lattice().width;
  free_.assign(grid.nodes().size(), std::pow(h, D));
  covers_.clear();
  std::vector<std::uint32_t> near;
  for (std::uint32_t i = 0; i < sight_.size(); ++i)
    if (sight_[i] != Sight::none) near.push_back(i);
  std::vector<Around> around(near.size());
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t k = 0; k < near.size(); ++k) {
    const std::uint32_t i = near[k];
    const auto known = sight_[i] == Sight::fixed ? by_key_.find(grid.nodes()[i]) : by_key_.end();
    around[k] = known != by_key_.end() ? known->second : look_around(i, grid.position(i), h, walls);
  }
  for (std::size_t k = 0; k < near.size(); ++k) {
    const std::uint32_t i = near[k];
    free_[i] = around[k].free;
    for (Cover& cover : around[k].covers) {
      cover.node = i;
      covers_.push_back(cover);
    }
    if (sight_[i] == Sight::fixed) by_key_.try_emplace(grid.nodes()[i], std::move(around[k]));
  }
}

/// Samples of the hat function, each of which counts by the part of its cube that lies outside of all faces. A face is
/// where this part changes: samples within a step of it share it, where no other face covers them.
template <int D>
auto NodeWalls<D>::look_around(std::uint32_t node, const Vec<D>& at, double width, std::span<const Wall> walls) const
    -> Around {
  constexpr int kPerHat = 2 * kAlong<D>, kAll = power(kPerHat, D);
  const double step = 2 * width / kPerHat, volume = std::pow(step, D);
  const Vec3 middle = in_space<D>(at);
  const auto hat = [&](const Vec3& off) {
    double value = 1;
    for (int k = 0; k < D; ++k) value *= std::max(0.0, 1 - std::abs(off[k]) / width);
    return value;
  };
  const auto outside = [&](double distance) { return part_outside(distance, step); };
  std::vector<Vec3> place(kAll);
  for (int s = 0; s < kAll; ++s) {
    place[s] = middle;
    for (int k = 0; k < D; ++k) place[s][k] += (s / power(kPerHat, k) % kPerHat + 0.5) * step - width;
  }
  struct Piece {
    std::uint32_t wall;
    std::vector<double> distance;
    std::vector<Vec3> normal;
  };
  std::vector<Piece> pieces;
  for (std::uint32_t w = 0; w < walls.size(); ++w) {
    if (!walls[w].within(middle, std::sqrt(double(D)) * width)) continue;
    for (int face = 0; face < walls[w].face_count(); ++face) {
      Piece piece{w, std::vector<double>(kAll), std::vector<Vec3>(kAll)};
      walls[w].see(face, place, piece.distance, piece.normal);
      if (std::ranges::any_of(piece.distance, [&](double d) { return d < step; })) pieces.push_back(std::move(piece));
    }
  }
  Around around;
  for (const Piece& piece : pieces)
    if (around.covers.empty() || around.covers.back().wall != piece.wall)
      around.covers.push_back({node, piece.wall, Vec3::Zero(), Vec3::Zero()});
  for (int s = 0; s < kAll; ++s) {
    double open = 1;
    for (const Piece& piece : pieces) open *= outside(piece.distance[s]);
    around.free += volume * hat(place[s] - middle) * open;
    auto cover = around.covers.begin();
    for (const Piece& piece : pieces) {
      if (cover->wall != piece.wall) ++cover;
      const double d = piece.distance[s], near = std::max(0.0, 1 - std::abs(d) / step) / step;
      if (near == 0) continue;
      const Vec3 off = place[s] - d * piece.normal[s] - middle;
      double share = volume * near * hat(off);
      for (const Piece& other : pieces)
        if (&other != &piece) share *= outside(other.distance[s]);
      cover->area -= share * piece.normal[s];
      cover->moment -= share * off.cross(piece.normal[s]);
    }
  }
  return around;
}

template class NodeWalls<2>;
template class NodeWalls<3>;

void push_out(std::span<const Wall> walls, std::span<Vec3> position) {
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
          if (distance[i] < 0) some[point[i]] -= distance[i] * normal[i];
      }
  }
}

}  // namespace scree::continuum
