#include "full_cells.hpp"

#include <algorithm>

namespace scree::continuum {

namespace {

constexpr double kNoRoom = 1e-3;  ///< fraction of the room of a cell without walls: below it, walls leave no room

}  // namespace

template <int D>
std::span<const CellGradients<D>* const> FullCells<D>::find(const Grid<D>& grid, std::span<const Wall> walls,
                                                            const NodeWalls<D>& near, std::span<const double> volume,
                                                            std::span<const double> full, double max_fraction,
                                                            double full_from) {
  const double h = grid.lattice().width, least = kNoRoom * max_fraction * std::pow(h, D);
  const auto cells = grid.cells();
  whole_ = whole_cell<D>(h);
  for (auto& row : whole_)
    for (Vec<D>& g : row) g *= max_fraction;
  known_.assign(cells.size(), nullptr);
  of_moving_.clear();
  struct Asked {
    std::uint32_t cell;
    bool fixed;  ///< all walls near it are
    Cut cut;
  };
  std::vector<Asked> asked;
  for (std::uint32_t c = 0; c < cells.size(); ++c) {
    const auto& nodes = cells[c].node;
    if (!std::ranges::all_of(nodes,
                             [&](std::uint32_t j) { return full[j] < least || volume[j] >= full_from * full[j]; }))
      continue;
    Sight sight = Sight::none;
    for (const std::uint32_t j : nodes) sight = std::max(sight, near.sight()[j]);
    known_[c] = &whole_;
    if (sight == Sight::none) continue;
    const auto found = sight == Sight::fixed ? cut_by_fixed_.find(cells[c].key) : cut_by_fixed_.end();
    if (found == cut_by_fixed_.end())
      asked.push_back({c, sight == Sight::fixed, nullptr});
    else if (found->second)
      known_[c] = found->second.get();
  }
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t k = 0; k < asked.size(); ++k) {
    const Place<D> place = Lattice<D>::place(cells[asked[k].cell].key);
    asked[k].cut = cut(grid.lattice().position(place), h, walls, max_fraction);
  }
  for (Asked& a : asked) {
    if (a.cut) known_[a.cell] = a.cut.get();
    if (a.fixed)
      cut_by_fixed_.emplace(cells[a.cell].key, std::move(a.cut));
    else if (a.cut)
      of_moving_.push_back(std::move(a.cut));
  }
  return known_;
}

/// Each sample counts by the part of its cube that lies outside of all faces.
template <int D>
auto FullCells<D>::cut(const Vec<D>& lower, double width, std::span<const Wall> walls, double max_fraction) const
    -> Cut {
  const double step = width / kAlong<D>;
  std::array<Vec3, kSamples<D>> at, normal;
  std::array<double, kSamples<D>> free, distance;
  for (int s = 0; s < kSamples<D>; ++s) at[s] = in_space<D>(lower + width * sample<D>(s));
  free.fill(max_fraction);
  bool whole = true;
  for (const Wall& wall : walls) {
    if (!wall.within(at[0], std::sqrt(double(D)) * width)) continue;
    for (int face = 0; face < wall.face_count(); ++face) {
      wall.see(face, at, distance, normal);
      for (int s = 0; s < kSamples<D>; ++s) {
        const double part = part_outside(distance[s], step);
        free[s] *= part;
        whole = whole && part > 1 - 1e-9;
      }
    }
  }
  return whole ? nullptr : std::make_unique<CellGradients<D>>(cut_cell<D>(width, free));
}

template class FullCells<2>;
template class FullCells<3>;

}  // namespace scree::continuum
