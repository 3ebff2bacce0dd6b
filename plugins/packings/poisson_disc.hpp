#pragma once
/// \file The packing "poisson-disc": random places in a box, none nearer to another than a given distance.

#include <vector>

#include "box_region.hpp"
#include "scree/plugin/plugin.hpp"

namespace scree::packings {

struct PoissonDisc {
  BoxRegion region;
  double min_distance = 0;  ///< [m]
  int attempts = 30;        ///< candidates per place before it is given up
};

/// \throws OptionError
PoissonDisc read_poisson_disc(const Options& options, const PackingContext& context);

/// Bridson's algorithm, in two or three dimensions: candidates lie uniformly between one and two distances about a
/// place that is still active. Every draw is a function of the seed and the number of the place looked at. \source R.
/// Bridson, Fast Poisson disk sampling in arbitrary dimensions, SIGGRAPH 2007 sketches
std::vector<Placement> place(const PoissonDisc& disc, const PackingContext& context);

}  // namespace scree::packings
