#include "fluid/fluid_box.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "grid/quadrature.hpp"
#include "grid/shape_functions.hpp"

namespace scree::continuum {

namespace {

/// A cell of which fixed walls leave less than this part is closed.
constexpr double kLeastOpen = 0.02;
constexpr std::size_t kCellsAtOnce = 64;

template <int D>
std::size_t product(const Place<D>& counts) {
  std::size_t n = 1;
  for (int k = 0; k < D; ++k) n *= static_cast<std::size_t>(counts[k]);
  return n;
}

template <int D>
Place<D> unfold(std::size_t number, const Place<D>& counts) {
  Place<D> place;
  for (int k = 0; k < D; ++k) {
    const auto n = static_cast<std::size_t>(counts[k]);
    place[k] = static_cast<int>(number % n);
    number /= n;
  }
  return place;
}

}  // namespace

template <int D>
std::size_t CellRange<D>::cells() const {
  return product<D>(count);
}

template <int D>
Place<D> FluidBox<D>::node_counts() const {
  Place<D> counts = range_.count;
  for (int k = 0; k < D; ++k) counts[k] += lattice_.period[k] > 0 ? 0 : 1;
  return counts;
}

template <int D>
Place<D> FluidBox<D>::place_of_cell(std::size_t cell) const {
  Place<D> place = unfold<D>(cell, range_.count);
  for (int k = 0; k < D; ++k) place[k] += range_.lower[k];
  return place;
}

template <int D>
Place<D> FluidBox<D>::place_of_node(std::size_t node) const {
  Place<D> place = unfold<D>(node, node_counts());
  for (int k = 0; k < D; ++k) place[k] += range_.lower[k];
  return place;
}

template <int D>
std::uint32_t FluidBox<D>::node_at(const Place<D>& place) const {
  const Place<D> at = lattice_.wrapped(place), counts = node_counts();
  std::size_t number = 0;
  for (int k = D - 1; k >= 0; --k) {
    const int n = at[k] - range_.lower[k];
    if (n < 0 || n >= counts[k]) return kNoNode;
    number = number * static_cast<std::size_t>(counts[k]) + static_cast<std::size_t>(n);
  }
  return static_cast<std::uint32_t>(number);
}

template <int D>
std::uint32_t FluidBox<D>::cell_at(Place<D> place) const {
  place = lattice_.wrapped(place);
  std::size_t number = 0;
  for (int k = D - 1; k >= 0; --k) {
    const int n = place[k] - range_.lower[k];
    if (n < 0 || n >= range_.count[k]) return kNoNode;
    number = number * static_cast<std::size_t>(range_.count[k]) + static_cast<std::size_t>(n);
  }
  return static_cast<std::uint32_t>(number);
}

template <int D>
void FluidBox<D>::build(const Lattice<D>& lattice, const CellRange<D>& range, std::span<const Wall> walls) {
  const bool same = built_ && range == range_ && lattice.origin == lattice_.origin && lattice.width == lattice_.width;
  if (same && samples_.empty() && std::ranges::all_of(walls, &Wall::fixed)) return;
  if (!same) by_fixed_.clear();
  lattice_ = lattice, range_ = range, built_ = true;
  look(walls);
  find_open_cells();
  find_covers();
  close_faces();
}

/// By cell, then by wall.
template <int D>
auto FluidBox<D>::find_near(std::span<const Wall> walls) const -> std::vector<Near> {
  const std::size_t cells = range_.cells(), blocks = (cells + kCellsAtOnce - 1) / kCellsAtOnce;
  const double h = lattice_.width, reach = 0.5 * std::sqrt(double(D)) * h * (1 + 1e-9);
  std::vector<std::vector<Near>> of_block(blocks);
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < blocks; ++b) {
    std::array<Vec3, kCellsAtOnce> at, some, normal;
    std::array<double, kCellsAtOnce> distance;
    std::array<std::uint32_t, kCellsAtOnce> cell;
    const std::size_t first = b * kCellsAtOnce, count = std::min(kCellsAtOnce, cells - first);
    for (std::size_t i = 0; i < count; ++i)
      at[i] = in_space<D>(lattice_.position(place_of_cell(first + i)).array() + 0.5 * h);
    for (std::uint32_t w = 0; w < walls.size(); ++w) {
      std::size_t n = 0;
      for (std::size_t i = 0; i < count; ++i)
        if (walls[w].within(at[i], reach)) some[n] = at[i], cell[n++] = static_cast<std::uint32_t>(first + i);
      if (n == 0) continue;
      std::array<bool, kCellsAtOnce> is_near{};
      for (int face = 0; face < walls[w].face_count(); ++face) {
        walls[w].see(face, std::span(some).first(n), distance, normal);
        for (std::size_t i = 0; i < n; ++i) is_near[i] = is_near[i] || distance[i] < reach;
      }
      for (std::size_t i = 0; i < n; ++i)
        if (is_near[i]) of_block[b].push_back({cell[i], w});
    }
    std::ranges::sort(of_block[b], {}, [](const Near& n) { return std::pair(n.cell, n.wall); });
  }
  std::vector<Near> near;
  for (const auto& block : of_block) near.insert(near.end(), block.begin(), block.end());
  return near;
}

/// Each sample counts by the part of its cube that lies in walls; where several cover it, each has a share.
template <int D>
auto FluidBox<D>::sample(std::uint32_t cell, std::span<const Near> near, std::span<const Wall> walls) const -> Sample {
  const double h = lattice_.width, step = h / kAlong<D>;
  const Vec<D> lower = lattice_.position(place_of_cell(cell));
  std::array<Vec3, kSamples<D>> at, normal;
  std::array<double, kSamples<D>> distance, free, free_of_fixed;
  for (int s = 0; s < kSamples<D>; ++s) at[s] = in_space<D>(lower + h * continuum::sample<D>(s));
  free.fill(1), free_of_fixed.fill(1);
  std::vector<std::array<double, kSamples<D>>> of_wall(near.size());
  for (std::size_t n = 0; n < near.size(); ++n) {
    const Wall& wall = walls[near[n].wall];
    of_wall[n].fill(1);
    for (int face = 0; face < wall.face_count(); ++face) {
      wall.see(face, at, distance, normal);
      for (int s = 0; s < kSamples<D>; ++s) of_wall[n][s] *= part_outside(distance[s], step);
    }
    for (int s = 0; s < kSamples<D>; ++s) {
      free[s] *= of_wall[n][s];
      if (wall.fixed) free_of_fixed[s] *= of_wall[n][s];
    }
  }
  Sample sum;
  sum.room = sum.free = 0;
  for (int s = 0; s < kSamples<D>; ++s) {
    sum.room += free_of_fixed[s] / kSamples<D>;
    sum.free += free[s] / kSamples<D>;
  }
  for (std::size_t n = 0; n < near.size(); ++n) {
    Inside inside{near[n].wall, {}};
    for (int s = 0; s < kSamples<D>; ++s) {
      double all = 0;
      for (const auto& other : of_wall) all += 1 - other[s];
      if (!(of_wall[n][s] < 1)) continue;
      const double part = (1 - free[s]) * (1 - of_wall[n][s]) / all;
      const ShapeFunctions<D> shapes(continuum::sample<D>(s), h);
      for (int i = 0; i < kCorners<D>; ++i) inside.share[i] += part * shapes.weight(i) / kSamples<D>;
    }
    if (std::ranges::any_of(inside.share, [](double share) { return share > 0; })) sum.inside.push_back(inside);
  }
  return sum;
}

template <int D>
void FluidBox<D>::look(std::span<const Wall> walls) {
  const std::vector<Near> near = find_near(walls);
  struct Asked {
    std::uint32_t cell;
    std::size_t first, last;  ///< range of near
    bool fixed;
    Sample sample;
  };
  std::vector<Asked> asked;
  samples_.clear();
  for (std::size_t first = 0, last = 0; first < near.size(); first = last) {
    bool fixed = true;
    for (; last < near.size() && near[last].cell == near[first].cell; ++last)
      fixed = fixed && walls[near[last].wall].fixed;
    if (!fixed || !by_fixed_.contains(near[first].cell)) asked.push_back({near[first].cell, first, last, fixed, {}});
  }
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t k = 0; k < asked.size(); ++k) {
    Asked& a = asked[k];
    a.sample = sample(a.cell, std::span(near).subspan(a.first, a.last - a.first), walls);
  }
  for (Asked& a : asked) (a.fixed ? by_fixed_ : samples_).emplace(a.cell, std::move(a.sample));
}

template <int D>
auto FluidBox<D>::known(std::uint32_t cell) const -> const Sample* {
  const auto moving = samples_.find(cell);
  if (moving != samples_.end()) return &moving->second;
  const auto fixed = by_fixed_.find(cell);
  return fixed != by_fixed_.end() ? &fixed->second : nullptr;
}

template <int D>
void FluidBox<D>::find_open_cells() {
  const std::size_t n = range_.cells();
  open_cell_.assign(n, kNoNode);
  cells_.clear();
  for (std::uint32_t c = 0; c < n; ++c) {
    const Sample* const sample = known(c);
    if (sample && sample->room < kLeastOpen) continue;
    open_cell_[c] = static_cast<std::uint32_t>(cells_.size());
    Cell cell{c, {}};
    const Place<D> place = place_of_cell(c);
    for (int i = 0; i < kCorners<D>; ++i) {
      Place<D> corner = place;
      for (int k = 0; k < D; ++k) corner[k] += i >> k & 1;
      cell.node[i] = node_at(corner);
    }
    cells_.push_back(cell);
  }
  const std::size_t nodes = product<D>(node_counts());
  const double part = std::pow(lattice_.width, D) / kCorners<D>;
  volume_.assign(nodes, 0);
  std::array<std::uint32_t, kCorners<D>> none;
  none.fill(kNoNode);
  cells_of_node_.assign(nodes, none);
  for (std::uint32_t c = 0; c < cells_.size(); ++c)
    for (int i = 0; i < kCorners<D>; ++i) {
      volume_[cells_[c].node[i]] += part;
      cells_of_node_[cells_[c].node[i]][i] = c;
    }
}

template <int D>
void FluidBox<D>::find_covers() {
  const double cell = std::pow(lattice_.width, D);
  std::vector<Cover> parts;
  for (const Cell& c : cells_) {
    const Sample* const sample = known(c.number);
    if (!sample) continue;
    for (const Inside& inside : sample->inside)
      for (int i = 0; i < kCorners<D>; ++i)
        if (inside.share[i] > 0) parts.push_back({c.node[i], inside.wall, inside.share[i] * cell / volume_[c.node[i]]});
  }
  std::ranges::stable_sort(parts, {}, [](const Cover& c) { return std::pair(c.node, c.wall); });
  covers_.clear();
  for (const Cover& part : parts) {
    if (!covers_.empty() && covers_.back().node == part.node && covers_.back().wall == part.wall)
      covers_.back().share += part.share;
    else
      covers_.push_back(part);
  }
  open_.assign(nodes(), 1);
  for (const Cover& cover : covers_) open_[cover.node] = std::max(0.0, open_[cover.node] - cover.share);
}

template <int D>
void FluidBox<D>::close_faces() {
  closed_.assign(nodes(), 0);
  faces_.clear();
  has_opening_ = false;
  for (std::uint32_t c = 0; c < cells_.size(); ++c)
    for (int side = 0; side < 2 * D; ++side) {
      const int axis = side / 2, up = side % 2;
      Place<D> beside = place_of_cell(cells_[c].number);
      beside[axis] += up ? 1 : -1;
      const std::uint32_t other = cell_at(beside);
      if (other == kNoNode) {
        const Sample* const here = known(cells_[c].number);
        has_opening_ = has_opening_ || !here || here->free > kLeastOpen;
        continue;
      }
      if (open_cell_[other] != kNoNode) continue;
      const auto& inside = known(other)->inside;
      const auto most = std::ranges::max_element(inside, {}, [](const Inside& in) {
        double sum = 0;
        for (const double share : in.share) sum += share;
        return sum;
      });
      Vec3 centre = in_space<D>(lattice_.position(place_of_cell(cells_[c].number)).array() + 0.5 * lattice_.width);
      centre[axis] += (up ? 0.5 : -0.5) * lattice_.width;
      faces_.push_back({c, most->wall, axis, up ? 1. : -1., centre});
      for (int i = 0; i < kCorners<D>; ++i)
        if ((i >> axis & 1) == up) closed_[cells_[c].node[i]] |= static_cast<std::uint8_t>(1u << axis);
    }
}

template struct CellRange<2>;
template struct CellRange<3>;
template class FluidBox<2>;
template class FluidBox<3>;

}  // namespace scree::continuum
