#pragma once
/// \file Bonds of the scene: the bodies joined, and the laws of the bonds.

#include "scree/plugin/plugin.hpp"
#include "scree/setup/setup.hpp"

namespace scree::detail {

/// Bodies of one entry of the scene's `bodies`.
struct PlacedBodies {
  std::vector<Id> ids;
  std::vector<SharedFace> shared_faces;  ///< indices into ids
  std::vector<Strand> strands;           ///< indices into ids
};

/// Makes laws of bonds in prepared.methods, and bonds in the World. \param placed  by entry of the scene's `bodies`
/// \throws InputError
void make_bonds(const Scene& scene, const Registry& registry, std::span<const PlacedBodies> placed, Prepared& prepared);

}  // namespace scree::detail
