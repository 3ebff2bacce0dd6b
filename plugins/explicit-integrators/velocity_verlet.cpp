#include "velocity_verlet.hpp"

namespace scree::explicit_integrators {

namespace {

/// Gives prescribed bodies the velocities of time t, and leaves them where they are.
void prescribe_velocities(World& world, double t) {
  for (const auto& [body, entry] : world.prescribed()) {
    const auto row = world.row(body);
    if (!row) continue;
    const Twist twist = twist_at(entry.motion, entry.initial, t);
    world.velocity.write()[*row] = twist.velocity;
    world.angular_velocity.write()[*row] = twist.angular_velocity;
  }
}

}  // namespace

IntegratorTraits VelocityVerlet::traits() const { return {}; }

void VelocityVerlet::edited(World&, const EditLog& edits) { stale_ = stale_ || !edits.empty(); }

void VelocityVerlet::step(Mechanics& mechanics, double dt) {
  World& world = mechanics.world();
  if (stale_ || world.step == 0) {
    world.move_prescribed(world.time);
    mechanics.forces(0);
    stale_ = false;
  }
  kick_and_drift(world, mechanics.last_forces(), dt / 2, dt);
  world.move_prescribed(world.time + dt);
  // Springs of friction grow by velocity times dt: for walls as for free bodies that has to be the velocity of half the
  // step, which gives their way to second order.
  prescribe_velocities(world, world.time + dt / 2);
  const Wrenches wrenches = mechanics.forces(dt);
  prescribe_velocities(world, world.time + dt);
  kick(world, wrenches, dt / 2);
  mechanics.commit();
}

}  // namespace scree::explicit_integrators
