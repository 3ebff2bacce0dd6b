#pragma once
/// \file Fragments: sets of bodies that are connected by bonds.

#include "scree/base/disjoint_sets.hpp"
#include "scree/world/world.hpp"

namespace scree::detail {

/// Returns the sets of rows that are connected by bonds.
/// \param counts  counts(k): true if bond k, whose two bodies both exist, connects them
/// \return disjoint sets of rows
template <class Counts>
DisjointSets fragments_by(const World& world, const Counts& counts) {
  const Bonds& bonds = world.bonds();
  DisjointSets fragments(world.size());
  for (std::uint32_t k = 0; k < bonds.size(); ++k)
    if (counts(k))
      fragments.join(static_cast<std::uint32_t>(*world.row(bonds.a[k])),
                     static_cast<std::uint32_t>(*world.row(bonds.b[k])));
  return fragments;
}

}  // namespace scree::detail
