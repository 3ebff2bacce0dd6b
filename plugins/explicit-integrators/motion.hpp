#pragma once
/// \file Kick and drift of all bodies of a World: loops that apply the formulas of scree/integrate/rigid_body.hpp.

#include <span>

#include "scree/world/world.hpp"

namespace scree::explicit_integrators {

/// Accelerations of all bodies [m/s^2], [rad/s^2], world axes; zero for bodies that do not move freely.
struct Accelerations {
  std::span<Vec3> linear, angular;
};

/// Accelerations under the given wrenches at the World's present state.
void accelerate(World& world, std::span<const Wrench> wrenches, Accelerations out);

/// Velocities += dt accelerations. \param dt  [s]
void kick(World& world, std::span<const Vec3> linear, std::span<const Vec3> angular, double dt);

/// kick() by the wrenches' accelerations at once, without keeping them.
void kick(World& world, std::span<const Wrench> wrenches, double dt);

/// Positions += dt velocities, orientations turn likewise; then members follow their owners. Only free bodies move.
void drift(World& world, double dt);

}  // namespace scree::explicit_integrators
