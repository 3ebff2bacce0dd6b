#pragma once
/// \file Bonds between bodies that touch, or nearly so.

#include <functional>
#include <vector>

#include "scree/world/world.hpp"

namespace scree {

/// Returns a bond of two bodies as they lie, free of stress. \param i, j  rows, the lower id first
/// \param joint  point where they are joined, in world axes from the centre of i [m]
SCREE_API Bonds::Spec bond_of(const World& world, std::uint32_t entry, std::size_t i, std::size_t j, double section,
                              const Vec3& joint);

/// Returns the area of a round cross-section of an entry's bond between two bodies [m^2].
SCREE_API double round_section(const World& world, const Bonds::Entry& entry, std::size_t i, std::size_t j);

/// Bodies that are to be joined where they touch.
struct TouchingBodies {
  double gap = 0;                                    ///< largest gap of two bodies [m]
  std::function<bool(std::size_t row)> chosen = {};  ///< both bodies have to be chosen; empty: all are
  bool of_entry = true;  ///< true if each of the entry's two groups has to have one of the bodies
};

/// Returns bonds of an entry between bodies whose bounding spheres, or the ends of whose segments, are at most a gap
/// apart, in the order of their ids. Bodies that touch to rounding touch. Members and bodies without bound are left
/// out.
/// \throws Error where two bodies are too far apart for their periodic cell: see Configuration::branch()
SCREE_API std::vector<Bonds::Spec> touching_bonds(const World& world, std::uint32_t entry,
                                                  const TouchingBodies& bodies);

}  // namespace scree
