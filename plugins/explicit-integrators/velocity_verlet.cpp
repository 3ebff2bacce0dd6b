#include "velocity_verlet.hpp"

#include "motion.hpp"

namespace scree::explicit_integrators {

IntegratorTraits VelocityVerlet::traits() const { return {}; }

void VelocityVerlet::columns(World& world) {
  linear_ = world.column<Vec3>("acceleration", "m/s^2");
  angular_ = world.column<Vec3>("angular_acceleration", "rad/s^2", false);
}

void VelocityVerlet::edited(World&, const EditLog& edits) { stale_ = stale_ || !edits.empty(); }

void VelocityVerlet::step(Mechanics& mechanics, double dt) {
  World& world = mechanics.world();
  if (stale_ || world.step == 0) {
    world.move_prescribed(world.time);
    evaluate(mechanics, 0);
    stale_ = false;
  }
  kick(world, linear_.read(), angular_.read(), dt / 2);
  drift(world, dt);
  world.move_prescribed(world.time + dt);
  evaluate(mechanics, dt);
  kick(world, linear_.read(), angular_.read(), dt / 2);
  mechanics.commit();
}

void VelocityVerlet::evaluate(Mechanics& mechanics, double dt) {
  const std::span<const Wrench> wrenches = mechanics.forces(dt);
  accelerate(mechanics.world(), wrenches, {linear_.write(), angular_.write()});
}

}  // namespace scree::explicit_integrators
