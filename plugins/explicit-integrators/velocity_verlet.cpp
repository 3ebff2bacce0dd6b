#include "velocity_verlet.hpp"

#include "scree/integrate/kick_and_drift.hpp"
#include "scree/integrate/kick_drift_scheme.hpp"
#include "scree/integrate/mean_force.hpp"
#include "scree/integrate/own_rows.hpp"

namespace scree::explicit_integrators {

IntegratorTraits VelocityVerlet::traits() const { return {.evaluates_once = true, .last_forces = LastForces::end}; }

void VelocityVerlet::edited(World&, const EditLog& edits) { stale_ = stale_ || !edits.empty(); }

const void* VelocityVerlet::face(std::string_view name) const noexcept {
  static constexpr KickDriftScheme scheme{.forces_first = false};
  static constexpr MeanForce mean{.carried = 0.5, .weight = {0.5}};
  static constexpr AdvancesOwnRows own;
  if (name == MeanForce::kName) return &mean;
  if (name == AdvancesOwnRows::kName) return &own;
  return name == KickDriftScheme::kName ? &scheme : nullptr;
}

void VelocityVerlet::step(Mechanics& mechanics, double dt) {
  World& world = mechanics.world();
  if (stale_ || world.step == 0) {
    world.move_prescribed(world.time);
    mechanics.forces(0);
    stale_ = false;
  }
  kick_and_drift(world, own_rows(mechanics), mechanics.last_forces(), dt / 2, dt);
  world.move_prescribed(world.time + dt);
  // Springs of friction grow by velocity times dt: for walls as for free bodies that has to be the velocity of half the
  // step, which gives their way to second order.
  world.prescribe_velocities(world.time + dt / 2);
  const Wrenches wrenches = mechanics.forces(dt, dt / 2);
  world.prescribe_velocities(world.time + dt);
  kick(world, own_rows(mechanics), wrenches, dt / 2);
  mechanics.commit();
}

}  // namespace scree::explicit_integrators
