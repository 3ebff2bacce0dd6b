#pragma once
/// \file What a World must be like for the integrator "granular-continuum", and which of its bodies are walls.

#include "granular_continuum.hpp"

namespace scree::continuum {

/// Looks at all bodies and the periodic cell. \throws OptionError
void check_scene(const World& world, const ContinuumOptions& options);

/// No point may begin in a wall. \throws OptionError
void check_start(const World& world, const ContinuumOptions& options);

/// Whether the body is a wall to the continuum: nothing that forces move, and no mere frame.
bool is_wall(const World& world, std::size_t row);

/// A wall where it is now, without friction and belt.
Wall wall_of(const World& world, std::uint32_t row);

/// Where it is and how it moves.
void place(const World& world, Wall& wall);

}  // namespace scree::continuum
