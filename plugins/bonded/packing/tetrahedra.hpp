#pragma once
/// \file The options of the packing "tetrahedra": a cuboid of cells or a mesh from a file, where it lies, and how its
/// elements are bonded.

#include "packing/elements.hpp"
#include "packing/read_mesh.hpp"
#include "scree/scene/options.hpp"

namespace scree::bonded {

/// Elements in their places in the world, all orientations being that of the world.
struct PlacedElements {
  Elements elements;
  std::vector<std::string> notes;  ///< notes for the user, whole sentences
};

/// More elements than this are taken for a mistyped number.
inline constexpr double kMostElements = 1e8;

/// Reads the tetrahedra of an option.
/// \param dimension  dimension of the scene; 3 is allowed
/// \param seed  seed of the jitter
/// \throws OptionError
PlacedElements read_tetrahedra(const Options& options, int dimension, std::uint64_t seed);

}  // namespace scree::bonded
