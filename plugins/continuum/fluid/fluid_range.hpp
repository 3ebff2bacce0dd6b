#pragma once
/// \file Range of cells that a fluid takes: those around grains and bodies, as they come.

#include "fluid/fluid_box.hpp"
#include "fluid/fluid_state.hpp"

namespace scree::continuum {

/// Widens the box of a state so that points and bodies that move have fluid around them: to eight cells where fewer
/// than four are left. It never shrinks. It ends a cell within fixed walls without end, and reaches to those that are
/// not far. New nodes are at rest, new cells without pressure. \param grid  that holds the points
template <int D>
CellRange<D> widen(FluidState<D>& state, const Grid<D>& grid, std::span<const Wall> walls);

}  // namespace scree::continuum
