#include "volume_shift.hpp"

#include <algorithm>
#include <cmath>

#include "drucker_prager/cone_coordinates.hpp"

namespace scree::continuum {

namespace {

/// Of a node along an axis: nodes of one colour have no neighbour in common. Where a direction repeats after a number
/// of nodes that three does not divide, the last ones have colours of their own.
int colour_along(int place, int period) {
  const int rest = period % 3, plain = period - rest;
  if (period > 0 && place >= plain) return 3 + place - plain;
  return (place % 3 + 3) % 3;
}

}  // namespace

/// \return whether anything is overfull
template <int D>
bool VolumeShift<D>::ask(std::span<const double> room, double full, const ShiftOptions& options) {
  bool overfull = false;
  rows_.assign(room.size(), {});
  for (std::size_t j = 0; j < room.size(); ++j) {
    const double excess = -room[j], slop = options.slop * full;
    rows_[j].room = room[j] / kTrace<D>;
    if (excess < 0) continue;
    rows_[j].room = -options.rate * std::max(0.0, excess - slop) / kTrace<D>;
    overfull = overfull || excess > slop;
  }
  return overfull;
}

template <int D>
void VolumeShift<D>::colour(const Grid<D>& grid) {
  constexpr int kAlong = 5, kColours = power(kAlong, D);
  std::vector<std::uint32_t> of_node(grid.nodes().size());
  colour_start_.assign(kColours + 1, 0);
  for (std::size_t i = 0; i < of_node.size(); ++i) {
    const Place<D> place = Lattice<D>::place(grid.nodes()[i]);
    std::uint32_t colour = 0;
    for (int k = 0; k < D; ++k) colour = colour * kAlong + colour_along(place[k], grid.lattice().period[k]);
    of_node[i] = colour;
    ++colour_start_[colour + 1];
  }
  for (int c = 0; c < kColours; ++c) colour_start_[c + 1] += colour_start_[c];
  by_colour_.resize(of_node.size());
  std::vector<std::uint32_t> next(colour_start_.begin(), colour_start_.end() - 1);
  for (std::uint32_t i = 0; i < of_node.size(); ++i) by_colour_[next[of_node[i]]++] = i;
}

/// lambda(q e_N) g = kPressure q g, and (G(g) delta)_N = g.delta / kTrace.
template <int D>
void VolumeShift<D>::visit(const StrainRow<D>& strain, Row& row, std::span<const Vec<D>> inverse_mass) {
  double change = 0;
  for (int n = 0; n < kNeighbours<D>; ++n)
    if (strain.node[n] != kNoNode) change += strain.g[n].dot(delta_[strain.node[n]]);
  const double before = row.pressure;
  row.pressure = std::max(0.0, before - (change / kTrace<D> + row.room) / row.mobility);
  const double push = kPressure<D> * (row.pressure - before);
  if (push == 0) return;
  for (int n = 0; n < kNeighbours<D>; ++n)
    if (strain.node[n] != kNoNode)
      delta_[strain.node[n]] += push * inverse_mass[strain.node[n]].cwiseProduct(strain.g[n]);
}

template <int D>
void VolumeShift<D>::keep_out(std::span<const WallRow> walls) {
  for (std::size_t k = 0; k < walls.size(); ++k) {
    const Vec<D> normal = walls[k].normal.template head<D>();
    Vec<D>& delta = delta_[walls[k].node];
    const double before = wall_push_[k], gap = std::max(0.0, walls[k].distance);
    wall_push_[k] = std::max(0.0, before - (delta.dot(normal) + gap));
    delta += (wall_push_[k] - before) * normal;
  }
}

template <int D>
std::span<const Vec<D>> VolumeShift<D>::find(const Grid<D>& grid, std::span<const StrainRow<D>> rows,
                                             std::span<const Vec<D>> inverse_mass, std::span<const double> room,
                                             double full, std::span<const WallRow> walls, const ShiftOptions& options) {
  if (options.rate == 0 || !ask(room, full, options)) return {};
  colour(grid);
  delta_.assign(rows.size(), Vec<D>::Zero());
  wall_push_.assign(walls.size(), 0);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    double sum = 0;
    for (int n = 0; n < kNeighbours<D>; ++n)
      if (rows[j].node[n] != kNoNode) sum += inverse_mass[rows[j].node[n]].dot(rows[j].g[n].cwiseAbs2());
    rows_[j].mobility = std::max(sum / D, 1e-300);  // kPressure / kTrace = 1 / D
  }
  for (int sweep = 0; sweep < options.sweeps; ++sweep) {
    for (std::size_t c = 0; c + 1 < colour_start_.size(); ++c) {
      const std::size_t first = colour_start_[c], last = colour_start_[c + 1];
#pragma omp parallel for schedule(static) if (last - first > 500)
      for (std::size_t k = first; k < last; ++k) {
        const std::uint32_t j = by_colour_[k];
        visit(rows[j], rows_[j], inverse_mass);
      }
    }
    keep_out(walls);
  }
  return delta_;
}

template class VolumeShift<2>;
template class VolumeShift<3>;

}  // namespace scree::continuum
