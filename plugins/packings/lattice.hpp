#pragma once
/// \file The packing "lattice": places on a square or cubic lattice, with jitter.

#include <array>
#include <vector>

#include "box_region.hpp"
#include "scree/plugin/plugin.hpp"

namespace scree::packings {

struct Lattice {
  Vec3 lower = Vec3::Zero();  ///< the first place [m]
  std::array<std::int64_t, 3> counts{1, 1, 1};
  double spacing = 0;  ///< [m]
  double jitter = 0;   ///< each coordinate is moved by a uniform draw from (0, jitter) [m]
};

/// Returns the number of places from lower to upper, both included: floor((upper - lower) / spacing) + 1. A quotient
/// within 1e-9 below a whole number counts as that number.
std::int64_t places_between(double lower, double upper, double spacing);

/// \throws OptionError
Lattice read_lattice(const Options& options, const PackingContext& context);

/// x runs fastest, then y, then z. The jitter of a place depends on the seed and its number alone.
std::vector<Placement> place(const Lattice& lattice, const PackingContext& context);

}  // namespace scree::packings
