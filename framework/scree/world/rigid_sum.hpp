#pragma once
/// \file Sum of several bodies as one rigid body.

#include <span>

#include "scree/base/api.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Returns the moments of a body about its own centre, in world axes: R diag(I) R^T [kg m^2].
inline Mat3 inertia_tensor(const RigidBody& body) {
  const Mat3 turn = body.frame.orientation.toRotationMatrix();
  return turn * body.inertia.asDiagonal() * turn.transpose();
}

/// Returns the rigid body with the mass, centre of mass, moments of inertia, momentum and angular momentum of all
/// parts. I = sum (I_i + m (|r|^2 1 - r r^T)), v = P/m, omega = I^-1 L about the centre. Kinetic energy of relative
/// motion is lost. Sums are exact: a million parts lose no more digits than two.
/// \throws Error for a sum without mass
SCREE_API RigidBody rigid_sum(std::span<const RigidBody> parts, int dimension = 3);

/// Returns the rigid sum of bodies of the World. Sums run in the order of ids, whatever the order of `bodies`, and over
/// positions as they stand in the columns. Members count with their own mass.
/// \throws Error for a body that does not exist, for no body at all, and for a sum without mass
SCREE_API RigidBody rigid_sum(const World& world, std::span<const Id> bodies);

}  // namespace scree
