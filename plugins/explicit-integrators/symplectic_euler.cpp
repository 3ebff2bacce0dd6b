#include "symplectic_euler.hpp"

#include "scree/integrate/kick_and_drift.hpp"
#include "scree/integrate/kick_drift_scheme.hpp"
#include "scree/integrate/mean_force.hpp"
#include "scree/integrate/own_rows.hpp"

namespace scree::explicit_integrators {

IntegratorTraits SymplecticEuler::traits() const { return {.evaluates_once = true, .last_forces = LastForces::start}; }

const void* SymplecticEuler::face(std::string_view name) const noexcept {
  static constexpr KickDriftScheme scheme{.forces_first = true};
  static constexpr MeanForce mean{.weight = {1}};
  static constexpr AdvancesOwnRows own;
  if (name == MeanForce::kName) return &mean;
  if (name == AdvancesOwnRows::kName) return &own;
  return name == KickDriftScheme::kName ? &scheme : nullptr;
}

void SymplecticEuler::step(Mechanics& mechanics, double dt) {
  World& world = mechanics.world();
  world.move_prescribed(world.time);
  world.prescribe_velocities(world.time - dt / 2);  // of the last drift, as those of free bodies
  const Wrenches wrenches = mechanics.forces(dt, dt / 2);
  kick_and_drift(world, own_rows(mechanics), wrenches, dt, dt);
  world.move_prescribed(world.time + dt);
  mechanics.commit();
}

}  // namespace scree::explicit_integrators
