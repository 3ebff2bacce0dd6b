#pragma once
/// \file Test for granules that move with their neighbours like parts of one solid.

#include <vector>

#include "solid/granules.hpp"

namespace scree::culling {

struct SolidCriterion {
  double speed = 0;          ///< tolerance [m/s]
  int least_neighbours = 3;  ///< contacts with granules
  bool mean_motion = false;  ///< compare with the mean of the neighbours' velocities, which rotation makes differ
};

/// (granules) Whether granule i moves as the best rigid motion of itself and its neighbours tells: its velocity, the
/// root mean square of all of theirs, and its spin times its radius are within the tolerance of that motion. In simple
/// shear a granule moves as the mean of its neighbours does; only the second of these tells.
/// Members of an aggregate are solid by being such.
/// A granule with too few contacts is caged by others without touching them: it is compared with all that are near.
std::vector<char> solid_now(const World& world, const Granules& granules, const Touching& touching,
                            const Touching& near, const SolidCriterion& criterion);

/// (granules) A number that changes where the set of neighbours does, never 0.
std::vector<std::uint64_t> neighbour_hashes(const Granules& granules, const Touching& touching);

}  // namespace scree::culling
