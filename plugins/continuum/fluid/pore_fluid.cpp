#include "fluid/pore_fluid.hpp"

#include <algorithm>
#include <cmath>

#include "grid/join_nodes.hpp"
#include "grid/shape_functions.hpp"

namespace scree::continuum {

namespace {

/// Of a cell: cells that are nearly empty count as if they were so full, as do middles that are nearly one.
constexpr double kLeastFill = 0.05;

}  // namespace

/// Points are the places where integrals are sampled: each stands for the space it takes.
template <int D>
void PoreFluid<D>::sum_cells(const Grid<D>& grid, std::span<const double> volume, std::span<const double> packing,
                             const FluidLaw& fluid) {
  const auto cells = grid.cells();
  contents_.resize(cells.size());
  rows_.resize(cells.size());
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < cells.size(); ++c) {
    Content content;
    PoreRow<D>& row = rows_[c];
    row.node = cells[c].node;
    row.c.fill(Vec<D>::Zero());
    for (std::size_t at = cells[c].first; at < cells[c].last; ++at) {
      const std::size_t p = grid.order()[at];
      const ShapeFunctions<D> shapes(grid.local()[at], grid.lattice().width);
      const double space = volume[p] / packing[p];
      content.space += space;
      content.solid += volume[p];
      content.middle += space * grid.local()[at];
      for (int i = 0; i < kCorners<D>; ++i) row.c[i] += space * shapes.gradient(i);
    }
    content.middle /= content.space;
    content.permeability = fluid.permeability(content.solid / content.space);
    contents_[c] = content;
  }
}

/// Flow from middle to middle, and from the middle of a cell to the surface of the grains in it.
template <int D>
void PoreFluid<D>::join(const Grid<D>& grid, std::size_t c, double dt, const InWall& in_wall) {
  const double h = grid.lattice().width, face = std::pow(h, D - 1);
  const typename Grid<D>::Cell& cell = grid.cells()[c];
  const Content& here = contents_[c];
  const double fill = std::clamp(here.space / (face * h), kLeastFill, 1.0);
  PoreRow<D>& row = rows_[c];
  row.own_leak = 0;
  for (int side = 0; side < 2 * D; ++side) {
    const int axis = side / 2, up = side % 2, bit = 1 << axis;
    const std::uint32_t other = grid.cells_of_node()[cell.node[up ? bit : 0]][up ? 0 : bit];
    row.other[side] = other;
    row.leak[side] = 0;
    double leak = 0;
    if (other != kNoNode) {
      const Content& there = contents_[other];
      const double way = h * (1 + (up ? 1 : -1) * (there.middle[axis] - here.middle[axis]));
      const double k = 2 / (1 / here.permeability + 1 / there.permeability);
      leak = row.leak[side] = k * face / std::max(way, kLeastFill * h) / dt;
    } else {
      Vec<D> beyond = grid.lattice().position(Lattice<D>::place(cell.key)).array() + 0.5 * h;
      beyond[axis] += (up ? 0.75 : -0.75) * h;
      if (!in_wall(beyond)) leak = here.permeability * face / (0.5 * h * fill) / dt;
    }
    row.own_leak += leak;
  }
}

template <int D>
void PoreFluid<D>::find_rows(const Grid<D>& grid, std::span<const double> volume, std::span<const double> packing,
                             const FluidLaw& fluid, double dt, const InWall& in_wall,
                             std::span<const std::uint32_t> target) {
  sum_cells(grid, volume, packing, fluid);
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    join(grid, c, dt, in_wall);
    join_nodes(rows_[c].node, rows_[c].c, target);
  }
}

template class PoreFluid<2>;
template class PoreFluid<3>;

}  // namespace scree::continuum
