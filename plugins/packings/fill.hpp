#pragma once
/// \file The packing "fill": bodies in random places within a region, none touching another, by random sequential
/// placement.

#include <limits>
#include <vector>

#include "scree/plugin/plugin.hpp"
#include "scree/scene/region.hpp"
#include "scree/plugin/shape_shares.hpp"

namespace scree::packings {

/// Bounding spheres may fill up to this share of the region: beyond, the places tried for one grow without bound.
/// 3D: 34 per sphere on average at 0.30, 676 at 0.35; 2D: 12 at 0.45, 51 at 0.50.
inline constexpr double kMostFilled3 = 0.30, kMostFilled2 = 0.45;

struct Fill {
  Region region;
  double number, mass, fraction;  ///< wanted: bodies, [kg], share of the region's volume [-]; infinity: not given
  double gap = 0;                 ///< least distance between surfaces [m]
  std::uint32_t attempts = 0;     ///< per body
  ShapeShares shares;
  bool takes_turns = false;  ///< shapes come in turn, not by shares
};

/// \throws OptionError
Fill read_fill(const Options& options, const PackingContext& context);

/// The largest bodies are placed first. Body i has its shape, size and places tried by the seed and i alone.
/// \throws OptionError for more than fits, and where no place is found
std::vector<Placement> place(const Fill& fill, const PackingContext& context);

}  // namespace scree::packings
