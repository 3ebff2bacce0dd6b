#pragma once
/// \file The packing "random-close": spheres in random places that touch their neighbours, in an ellipsoid.

#include <limits>
#include <vector>

#include "scree/plugin/plugin.hpp"

namespace scree::packings {

struct RandomClose {
  Vec3 centre = Vec3::Zero(), semi_axes = Vec3::Zero();     ///< [m]
  double diameter = 0;                                      ///< diameter of a sphere [m]
  double density = 0.62;                                    ///< share of the volume that spheres fill
  double floor = -std::numeric_limits<double>::infinity();  ///< places are not below this [m]
};

/// \throws OptionError
RandomClose read_random_close(const Options& options, const PackingContext& context);

/// Random points in a periodic box, pushed apart like soft spheres until none overlap by more than a thousandth of
/// their diameter, then moved apart by what is left; of these the ones within the ellipsoid. Most touch six others.
/// \throws OptionError where they still overlap after many sweeps: the density is too high
std::vector<Placement> place(const RandomClose& packing, const PackingContext& context);

}  // namespace scree::packings
