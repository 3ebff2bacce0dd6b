#include "rk4.hpp"

#include <algorithm>

#include "rotation_vector.hpp"
#include "scree/base/parallel.hpp"
#include "scree/integrate/integrator.hpp"

namespace scree::higher_order {

namespace {
constexpr MeanForce kMean{.weight = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};
}  // namespace

IntegratorTraits Rk4::traits() const {
  IntegratorTraits traits;
  traits.mean_force = kMean;
  if (exact_springs_) traits.last_forces = LastForces::end;
  return traits;
}

void Rk4::step(Mechanics& mechanics, double dt) {
  constexpr double kTime[] = {0, 0.5, 0.5, 1};
  World& world = mechanics.world();
  remember(world);
  for (int stage = 0; stage < 4; ++stage) {
    const double h = kTime[stage] * dt;
    place(world, rates_, world.time + h, h);
    take_rates(world, mechanics.forces(h), kMean.weight[static_cast<std::size_t>(stage)]);
  }
  place(world, mean_, world.time + dt, dt);
  if (exact_springs_) grow_springs(mechanics, dt);
  mechanics.commit();
}

void Rk4::remember(const World& world) {
  const auto x = world.position.read(), v = world.velocity.read(), omega = world.angular_velocity.read();
  const auto moments = world.inertia.read();
  const auto q = world.orientation.read();
  start_.resize(world.size());
  theta_.resize(world.size());
  rates_.assign(world.size(), Rates{});
  mean_.assign(world.size(), Rates{});
  parallel_for(static_cast<std::ptrdiff_t>(world.size()), [&](std::ptrdiff_t i) {
    start_[i] = {x[i], v[i], q[i], angular_momentum<double>(omega[i], q[i], moments[i])};
  });
}

/// Rates at the state that stands in the World, added to the mean with this weight.
void Rk4::take_rates(const World& world, Wrenches wrenches, double weight) {
  const auto v = world.velocity.read(), omega = world.angular_velocity.read();
  const auto inverse_mass = world.inverse_mass.read();
  parallel_for(static_cast<std::ptrdiff_t>(world.size()), [&](std::ptrdiff_t i) {
    const Rates now{v[i], linear_acceleration<double>(wrenches[i].force, inverse_mass[i]),
                    rotation_vector_rate<double>(theta_[i], omega[i]), wrenches[i].torque};
    rates_[i] = now;
    mean_[i].velocity += weight * now.velocity;
    mean_[i].acceleration += weight * now.acceleration;
    mean_[i].turning += weight * now.turning;
    mean_[i].torque += weight * now.torque;
  });
}

/// Brings the World to where these constant rates lead in a time h from the start of the step. \param time  then [s]
void Rk4::place(World& world, const std::vector<Rates>& rates, double time, double h) {
  const auto inverse_mass = world.inverse_mass.read();
  const auto inverse_moments = world.inverse_inertia.read();
  const auto x = world.position.write(), v = world.velocity.write(), omega = world.angular_velocity.write();
  const auto q = world.orientation.write();
  parallel_for(static_cast<std::ptrdiff_t>(world.size()), [&](std::ptrdiff_t i) {
    theta_[i] = rates[i].turning * h;
    if (inverse_mass[i] == 0 || h == 0) return;  // fixed, prescribed, or riding on an owner; or where it stands
    x[i] = start_[i].position + rates[i].velocity * h;
    v[i] = start_[i].velocity + rates[i].acceleration * h;
    q[i] = turned_by<double>(start_[i].orientation, theta_[i]);
    const Vec3 spin = start_[i].spin + rates[i].torque * h;
    omega[i] = angular_velocity<double>(spin, q[i], inverse_moments[i]);
  });
  world.move_prescribed(time);
  if (!world.members().empty()) world.update_members();
}

/// Evaluates once more, at the new positions, with the velocities that lead there from the old ones at a constant rate:
/// springs grow by what the bodies moved.
void Rk4::grow_springs(Mechanics& mechanics, double dt) {
  World& world = mechanics.world();
  const auto x = world.position.read();
  const auto q = world.orientation.read();
  const auto v = world.velocity.write(), omega = world.angular_velocity.write();
  const std::vector<Vec3> new_v(v.begin(), v.end()), new_omega(omega.begin(), omega.end());
  parallel_for(static_cast<std::ptrdiff_t>(world.size()), [&](std::ptrdiff_t i) {
    v[i] = (x[i] - start_[i].position) / dt;
    omega[i] = rotation_vector_between<double>(start_[i].orientation, q[i]) / dt;
  });
  mechanics.forces(dt, dt / 2);
  std::copy(new_v.begin(), new_v.end(), v.begin());
  std::copy(new_omega.begin(), new_omega.end(), omega.begin());
}

}  // namespace scree::higher_order
