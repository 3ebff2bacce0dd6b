#pragma once
/// \file Pairs of bodies that are close to each other, in open space or in a periodic cell: for what is done between
/// steps.

#include <span>
#include <vector>

#include "scree/grid/pair_finder.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Returns the pairs of these rows whose bounding spheres, or images of them, are closer than `reach`. Each pair comes
/// once. \param rows  rows of bodies with bound  \param reach  [m]
SCREE_API std::vector<RowPair> close_pairs(const World& world, std::span<const std::uint32_t> rows, double reach);

}  // namespace scree
