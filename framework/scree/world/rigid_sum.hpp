#pragma once
/// \file Several bodies as one rigid whole.

#include <span>

#include "scree/base/api.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Moments of a body about its own centre, in world axes: R diag(I) R^T [kg m^2].
inline Mat3 inertia_tensor(const RigidBody& body) {
  const Mat3 turn = body.frame.orientation.toRotationMatrix();
  return turn * body.inertia.asDiagonal() * turn.transpose();
}

/// The rigid body that has mass, centre of mass, moments of inertia, momentum and angular momentum of these together:
/// I = sum (I_i + m (|r|^2 1 - r r^T)), v = P/m, omega = I^-1 L about the centre. Kinetic energy of motion against each
/// other is lost. Sums do not round: a million parts lose no more digits than two.
/// \throws Error for a sum without mass
SCREE_API RigidBody rigid_sum(std::span<const RigidBody> parts, int dimension = 3);

/// The same for bodies of the World. Sums run in the order of ids, whatever the order of `bodies`, and over positions
/// as they stand in the columns. Members count with their own mass. \throws Error for a body that is not there, none at
/// all, and a sum without mass
SCREE_API RigidBody rigid_sum(const World& world, std::span<const Id> bodies);

}  // namespace scree
