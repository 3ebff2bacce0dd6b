#pragma once
/// \file Several bodies as one rigid whole.

#include <span>

#include "scree/base/api.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// The rigid body that has mass, centre of mass, moments of inertia, momentum and angular momentum of these bodies
/// together. Kinetic energy of motion against each other is lost. Sums run in the order of ids, whatever the order of
/// `bodies`, and over positions as they stand in the columns. Members count with their own mass.
/// \throws Error for a body that is not there, none at all, and a sum without mass
SCREE_API RigidBody rigid_sum(const World& world, std::span<const Id> bodies);

}  // namespace scree
