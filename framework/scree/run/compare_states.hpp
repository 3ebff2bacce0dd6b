#pragma once
/// \file Check that all ranks of a run have the same state.

#include "scree/base/ranks.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Compares the states of all ranks; does nothing for one. Collective over ranks. \throws InternalError on all ranks if
/// states differ
void compare_states(const World& world, Ranks& ranks);

}  // namespace scree
