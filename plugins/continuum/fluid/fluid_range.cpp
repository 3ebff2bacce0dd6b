#include "fluid/fluid_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::continuum {

namespace {

/// The box goes so many cells beyond what moves on all sides; it grows where fewer are left.
constexpr int kMargin = 8, kLeastMargin = 4;
/// Walls so many cells beyond are at its border.
constexpr double kNear = 56;

/// Cells that hold points or bodies that move.
template <int D>
struct Extent {
  Place<D> low, high;
};
template <int D>
Extent<D> extent_of(const Grid<D>& grid, std::span<const Wall> walls) {
  const Place<D> first = Lattice<D>::place(grid.cells()[0].key);
  Extent<D> e{first, first};
  for (const auto& cell : grid.cells()) {
    const Place<D> place = Lattice<D>::place(cell.key);
    for (int k = 0; k < D; ++k) e.low[k] = std::min(e.low[k], place[k]), e.high[k] = std::max(e.high[k], place[k]);
  }
  for (const Wall& wall : walls) {
    if (wall.fixed || !wall.bounded()) continue;
    for (int k = 0; k < D; ++k) {
      const double at = (wall.centre[k] - grid.lattice().origin[k]) / grid.lattice().width,
                   reach = wall.radius / grid.lattice().width;
      e.low[k] = std::min(e.low[k], static_cast<int>(std::floor(at - reach)));
      e.high[k] = std::max(e.high[k], static_cast<int>(std::floor(at + reach)));
    }
  }
  return e;
}

/// Planes across the axes between which a place lies: fixed walls without end [cells from the origin].
struct Between {
  std::array<double, 3> low, high;
};
template <int D>
Between walls_around(const Lattice<D>& lattice, std::span<const Wall> walls, const Place<D>& place) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Between planes{{-kFar, -kFar, -kFar}, {kFar, kFar, kFar}};
  const Vec3 at = in_space<D>(lattice.position(place).array() + 0.5 * lattice.width);
  for (const Wall& wall : walls) {
    if (!wall.fixed || wall.bounded()) continue;
    for (int face = 0; face < wall.face_count(); ++face) {
      double distance = 0;
      Vec3 normal;
      wall.see(face, {&at, 1}, {&distance, 1}, {&normal, 1});
      for (int k = 0; k < D; ++k) {
        if (std::abs(normal[k]) < 1 - 1e-12) continue;
        const double plane = (at[k] - distance * normal[k] - lattice.origin[k]) / lattice.width;
        if (normal[k] > 0)
          planes.low[k] = std::max(planes.low[k], plane);
        else
          planes.high[k] = std::min(planes.high[k], plane);
      }
    }
  }
  return planes;
}

/// Returns values at the nodes or cells of one range, moved to those of another; `none` where `from` has nothing.
/// \param extra  nodes beyond cells along each axis
template <int D, class T>
std::vector<T> moved(const std::vector<T>& from, const CellRange<D>& old, const CellRange<D>& now,
                     const Place<D>& extra, const T& none) {
  std::size_t n = 1;
  for (int k = 0; k < D; ++k) n *= static_cast<std::size_t>(now.count[k] + extra[k]);
  std::vector<T> to(n, none);
  for (std::size_t i = 0; i < n && !from.empty(); ++i) {
    std::size_t rest = i;
    Place<D> place;
    for (int k = 0; k < D; ++k) {
      const auto along = static_cast<std::size_t>(now.count[k] + extra[k]);
      place[k] = now.lower[k] + static_cast<int>(rest % along) - old.lower[k];
      rest /= along;
    }
    std::size_t number = 0;
    bool known = true;
    for (int k = D - 1; k >= 0; --k) {
      const int along = old.count[k] + extra[k];
      known = known && place[k] >= 0 && place[k] < along;
      number = number * static_cast<std::size_t>(along) + static_cast<std::size_t>(std::max(place[k], 0));
    }
    if (known) to[i] = from[number];
  }
  return to;
}

}  // namespace

template <int D>
CellRange<D> widen(FluidState<D>& state, const Grid<D>& grid, std::span<const Wall> walls) {
  const CellRange<D> before{state.lower, state.count};
  if (grid.cells().empty()) return before;
  CellRange<D> now = before;
  const Extent<D> extent = extent_of(grid, walls);
  const Between planes = walls_around<D>(grid.lattice(), walls, Lattice<D>::place(grid.cells()[0].key));
  Place<D> ends;  // nodes beyond cells
  for (int k = 0; k < D; ++k) {
    ends[k] = grid.lattice().period[k] > 0 ? 0 : 1;
    if (grid.lattice().period[k] > 0) {
      now.lower[k] = 0, now.count[k] = grid.lattice().period[k];
      continue;
    }
    const bool first = before.empty();
    int from = now.lower[k], to = now.lower[k] + now.count[k];
    if (first || extent.low[k] - from < kLeastMargin) from = extent.low[k] - kMargin;
    if (first || to - 1 - extent.high[k] < kLeastMargin) to = extent.high[k] + 1 + kMargin;
    const double below = std::floor(planes.low[k]) - 1, above = std::ceil(planes.high[k]) + 1;
    if (below > from || from - below < kNear) from = static_cast<int>(below);
    if (above < to || above - to < kNear) to = static_cast<int>(above);
    now.lower[k] = from, now.count[k] = to - from;
  }
  if (now == before) return now;
  const Vec<D> rest = Vec<D>::Zero();
  state.velocity = moved<D, Vec<D>>(state.velocity, before, now, ends, rest);
  state.viscous = moved<D, Vec<D>>(state.viscous, before, now, ends, rest);
  state.pressure = moved<D, double>(state.pressure, before, now, {}, 0);
  state.lower = now.lower, state.count = now.count;
  return now;
}

template CellRange<2> widen<2>(FluidState<2>&, const Grid<2>&, std::span<const Wall>);
template CellRange<3> widen<3>(FluidState<3>&, const Grid<3>&, std::span<const Wall>);

}  // namespace scree::continuum
