#pragma once
/// \file The scene's `bonds`: which bodies are joined, and the laws that join them.

#include "scree/plugin/plugin.hpp"
#include "scree/setup/setup.hpp"

namespace scree::detail {

/// The bodies that one entry of the scene's `bodies` became.
struct PlacedBodies {
  std::vector<Id> ids;
  std::vector<SharedFace> shared_faces;  ///< indices into ids
  std::vector<Strand> strands;           ///< the same
};

/// Laws of bonds into prepared.methods, bonds into the World. \param placed  by entry of the scene's `bodies`
/// \throws InputError
void make_bonds(const Scene& scene, const Registry& registry, std::span<const PlacedBodies> placed, Prepared& prepared);

}  // namespace scree::detail
