#pragma once
/// \file Conditions of the integrator "granular-continuum" on a World, and the choice of walls among its bodies.

#include "granular_continuum.hpp"

namespace scree::continuum {

/// Looks at all bodies and the periodic cell. \throws OptionError
void check_scene(const World& world, const ContinuumOptions& options);

/// No point may begin in a wall or a body. \throws OptionError
void check_start(const World& world, const ContinuumOptions& options);

/// Checks whether the body is a point of the continuum.
bool is_point(const World& world, std::size_t row);

/// Checks whether the body is a wall to the continuum: fixed, prescribed or a free rigid body, but no point and no mere
/// frame.
bool is_wall(const World& world, std::size_t row);

/// A wall where it is now, without friction and belt.
Wall wall_of(const World& world, std::uint32_t row);

/// Sets place and motion of a wall; loads on it are left as they are.
void place(const World& world, Wall& wall);

}  // namespace scree::continuum
