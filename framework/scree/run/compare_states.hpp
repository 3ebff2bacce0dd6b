#pragma once
/// \file Whether all ranks of a run have come to the same state.

#include "scree/base/ranks.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// All ranks call it together; nothing to do for one. \throws InternalError on all of them where states differ
void compare_states(const World& world, Ranks& ranks);

}  // namespace scree
