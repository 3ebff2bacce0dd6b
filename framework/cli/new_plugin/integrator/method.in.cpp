// An integrator for scree: it moves all bodies by a step.

#include "@name@.hpp"

#include <scree/integrate/kick_and_drift.hpp>
#include <scree/plugin/plugin.hpp>

namespace @name@ {

scree::IntegratorTraits Integrator::traits() const {
  scree::IntegratorTraits traits;
  traits.face = "force/1";                        // of laws that it works with
  traits.evaluates_once = true;                   // it asks for forces once in a step
  traits.last_forces = scree::LastForces::start;  // and they are those at its beginning
  return traits;
}

void Integrator::step(scree::Mechanics& mechanics, double dt) {
  scree::World& world = mechanics.world();
  world.move_prescribed(world.time);
  // Velocities are those of half a step before the positions.
  const scree::Wrenches wrenches = mechanics.forces(dt, dt / 2);
  scree::kick_and_drift(world, wrenches, dt, dt);
  world.move_prescribed(world.time + dt);
  mechanics.commit();
}

}  // namespace @name@

SCREE_PLUGIN(@name@, "0.1.0") {
  registrar.integrator("@name@", [](const scree::Options&) { return std::make_unique<@name@::Integrator>(); });
}
