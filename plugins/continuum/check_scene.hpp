#pragma once
/// \file What a World must be like for the integrator "granular-continuum", and which of its bodies are walls.

#include "granular_continuum.hpp"

namespace scree::continuum {

/// Looks at all bodies and the periodic cell. \throws OptionError
void check_scene(const World& world, const ContinuumOptions& options);

/// No point may begin in a wall or a body. \throws OptionError
void check_start(const World& world, const ContinuumOptions& options);

/// Whether the body is a point of the continuum.
bool is_point(const World& world, std::size_t row);

/// Whether the body is a wall to the continuum: fixed, prescribed or a free rigid body, but no point and no mere frame.
bool is_wall(const World& world, std::size_t row);

/// A wall where it is now, without friction and belt.
Wall wall_of(const World& world, std::uint32_t row);

/// Where it is and how it moves; what acts on it is left as it is.
void place(const World& world, Wall& wall);

}  // namespace scree::continuum
