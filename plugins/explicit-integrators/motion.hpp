#pragma once
/// \file Kick and drift of all bodies of a World: loops that apply the formulas of scree/integrate/rigid_body.hpp.

#include <span>

#include "scree/integrate/mechanics.hpp"

namespace scree::explicit_integrators {

/// Accelerations of all bodies [m/s^2], [rad/s^2], world axes; zero for bodies that do not move freely.
struct Accelerations {
  std::span<Vec3> linear, angular;
};

/// Keeps the accelerations under the given wrenches at the World's present state, and kicks by them: velocities += dt
/// accelerations. \param dt  [s]
void accelerate_and_kick(World& world, const Wrenches& wrenches, Accelerations keep, double dt);

/// Kicks by the wrenches' accelerations, then drifts: positions += dt velocities, orientations turn likewise, members
/// follow their owners. Only free bodies move.
void kick_and_drift(World& world, const Wrenches& wrenches, double dt);

/// The same by accelerations that were kept, with a time of their own. \param kick, drift  [s]
void kick_and_drift(World& world, std::span<const Vec3> linear, std::span<const Vec3> angular, double kick,
                    double drift);

}  // namespace scree::explicit_integrators
