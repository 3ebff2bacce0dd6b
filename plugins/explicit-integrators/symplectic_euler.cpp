#include "symplectic_euler.hpp"

#include "scree/integrate/integrator.hpp"
#include "scree/integrate/kick_and_drift.hpp"
#include "scree/integrate/mechanics.hpp"

namespace scree::explicit_integrators {

IntegratorTraits SymplecticEuler::traits() const {
  return {.evaluates_once = true,
          .last_forces = LastForces::start,
          .owned_rows_only = true,
          .mean_force = MeanForce{.weight = {1}},
          .kick_drift = KickDriftScheme{.forces_first = true}};
}

void SymplecticEuler::step(Mechanics& mechanics, double dt) {
  World& world = mechanics.world();
  world.move_prescribed(world.time);
  world.prescribe_velocities(world.time - dt / 2);  // of the last drift, as those of free bodies
  const Wrenches wrenches = mechanics.forces(dt, dt / 2);
  kick_and_drift(world, mechanics.owned_rows(), wrenches, dt, dt);
  world.move_prescribed(world.time + dt);
  mechanics.commit();
}

}  // namespace scree::explicit_integrators
