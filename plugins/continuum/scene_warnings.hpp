#pragma once
/// \file Warnings of scenes that can be run, but whose numbers do not fit each other.

#include <vector>

#include "granular_continuum.hpp"
#include "scree/integrate/integrator.hpp"

namespace scree::continuum {

/// \param gravity  [m/s^2]   \param dt  time step [s]
std::vector<SceneWarning> warnings_of(const World& world, const ContinuumOptions& options, const Vec3& gravity,
                                      double dt);

}  // namespace scree::continuum
