#include "velocity_verlet.hpp"

#include "scree/integrate/integrator.hpp"
#include "scree/integrate/kick_and_drift.hpp"
#include "scree/integrate/mechanics.hpp"

namespace scree::explicit_integrators {

IntegratorTraits VelocityVerlet::traits() const {
  return {.evaluates_once = true,
          .last_forces = LastForces::end,
          .owned_rows_only = true,
          .mean_force = MeanForce{.carried = 0.5, .weight = {0.5}},
          .kick_drift = KickDriftScheme{.forces_first = false}};
}

void VelocityVerlet::edited(World&, const EditLog& edits) { stale_ = stale_ || !edits.empty(); }

void VelocityVerlet::step(Mechanics& mechanics, double dt) {
  World& world = mechanics.world();
  if (stale_ || world.step == 0) {
    world.move_prescribed(world.time);
    mechanics.forces(0);
    stale_ = false;
  }
  kick_and_drift(world, mechanics.owned_rows(), mechanics.last_forces(), dt / 2, dt);
  world.move_prescribed(world.time + dt);
  // Springs of friction grow by velocity times dt: for walls as for free bodies that has to be the velocity of half the
  // step, which gives their way to second order.
  world.prescribe_velocities(world.time + dt / 2);
  const Wrenches wrenches = mechanics.forces(dt, dt / 2);
  world.prescribe_velocities(world.time + dt);
  kick(world, mechanics.owned_rows(), wrenches, dt / 2);
  mechanics.commit();
}

}  // namespace scree::explicit_integrators
