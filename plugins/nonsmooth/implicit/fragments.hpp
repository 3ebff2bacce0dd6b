#pragma once
/// \file Fragments connected by bonds, and the trees that links span in them. All by ids of bodies, so that the order
/// of rows in memory does not matter.

#include <span>
#include <vector>

#include "solvers/newton/configuration.hpp"
#include "scree/law/bond_law.hpp"
#include "scree/world/world.hpp"

namespace scree::nonsmooth {

/// A body of a tree, and what it hangs on.
struct Branch {
  static constexpr std::uint32_t kNone = 0xffffffff;
  std::uint32_t body;
  std::uint32_t parent = kNone;  ///< body; comes before this one in its tree, or does not move freely; kNone: free root
  Vec3 point, parents_point;     ///< points of the link, from the centres, in the bodies' axes [m]
  std::size_t parents_branch = 0;  ///< branch of a parent that moves freely
};

/// Bodies that move freely and that bonds join, directly or not.
struct Fragment {
  std::vector<std::uint32_t> bodies;  ///< breadth first: what is to be eliminated last comes first
  std::vector<Branch> branches;       ///< one per body; trees one after the other, each from its root outwards
  std::vector<std::size_t> trees;     ///< first branches of the trees in `branches`, and its size
};

/// \param id, inverse_mass  (bodies); what does not move freely has the inverse mass 0
/// \param pairs  pairs of bodies that bonds couple; bodies that do not move freely may be among them
/// \return in the order of the lowest id of each
std::vector<Fragment> fragments_of(std::span<const Id> id, std::span<const double> inverse_mass,
                                   std::span<const BodyPair> pairs, std::span<const ChainLink> links);

}  // namespace scree::nonsmooth
