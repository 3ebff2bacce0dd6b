#pragma once
/// \file What a World must be like for the integrator "granular-continuum".

#include "granular_continuum.hpp"

namespace scree::continuum {

/// Looks at all bodies and the periodic cell. \throws OptionError
void check_scene(const World& world, const ContinuumOptions& options);

/// Whether the body is a wall to the continuum: nothing that forces move, and no mere frame.
bool is_wall(const World& world, std::size_t row);

}  // namespace scree::continuum
