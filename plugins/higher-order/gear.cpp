#include "gear.hpp"

#include <string>

#include "rotation_vector.hpp"
#include "scree/base/parallel.hpp"

namespace scree::higher_order {

namespace {

/// Rotation vector over a time h. `spin` holds, from index 1 on, the angular momentum and its derivatives.
struct Planar {
  static Vec3 turn(const Quat&, const Derivatives<double>& spin, const Vec3& inverse_moments, double h) {
    return {0, 0, (taylor<double>(spin, 0, h))[2] * inverse_moments[2]};
  }
};

struct Spatial {
  static Vec3 turn(const Quat& q, const Derivatives<double>& spin, const Vec3& inverse_moments, double h) {
    return rotation_vector_over<double>(q, inverse_moments, h,
                                        [&](double part) { return taylor<double>(spin, 1, part * h); });
  }
};

}  // namespace

IntegratorTraits Gear::traits() const { return {.evaluates_once = true}; }

void Gear::columns(World& world) {
  static constexpr const char* kLinear[] = {"acceleration", "jerk", "snap", "crackle"};
  linear_.clear();
  angular_.clear();
  for (int k = 2; k < values_; ++k) {
    const std::string per_second = k == 2 ? "" : k == 3 ? "/s" : "/s^" + std::to_string(k - 2);
    const std::string number = k == 2 ? "" : "_" + std::to_string(k - 1);
    linear_.push_back(world.column<Vec3>(kLinear[k - 2], "m/s^" + std::to_string(k), k == 2));
    angular_.push_back(world.column<Vec3>("angular_momentum_rate" + number, "N m" + per_second, false));
  }
}

void Gear::edited(World&, const EditLog& edits) {
  for (const std::vector<Id>* changed : {&edits.added, &edits.moved, &edits.attached, &edits.released})
    restart_.insert(restart_.end(), changed->begin(), changed->end());
}

void Gear::step(Mechanics& mechanics, double dt) {
  World& world = mechanics.world();
  restart(mechanics);
  world.dimension() == 2 ? predict<Planar>(world, dt) : predict<Spatial>(world, dt);
  world.move_prescribed(world.time + dt);
  correct(world, mechanics.forces(dt), dt);
  mechanics.commit();
}

/// Accelerations of bodies that are new or were moved; their higher derivatives become zero.
void Gear::restart(Mechanics& mechanics) {
  World& world = mechanics.world();
  if (world.step == 0) restart_.assign(world.id.read().begin(), world.id.read().end());
  if (restart_.empty()) return;
  world.move_prescribed(world.time);
  const Wrenches wrenches = mechanics.forces(0);
  const auto inverse_mass = world.inverse_mass.read();
  for (const Id id : restart_) {
    const auto row = world.row(id);
    if (!row) continue;  // gone again
    for (int k = 0; k < values_ - 2; ++k) linear_[k].write()[*row] = angular_[k].write()[*row] = Vec3::Zero();
    linear_[0].write()[*row] = linear_acceleration<double>(wrenches[*row].force, inverse_mass[*row]);
    angular_[0].write()[*row] = wrenches[*row].torque;
  }
  restart_.clear();
}

template <class Axes>
void Gear::predict(World& world, double h) {
  const auto inverse_mass = world.inverse_mass.read();
  const auto moments = world.inertia.read(), inverse_moments = world.inverse_inertia.read();
  const auto x = world.position.write(), v = world.velocity.write(), omega = world.angular_velocity.write();
  const auto q = world.orientation.write();
  std::array<ColumnWriter<Vec3>, kMostValues> linear, angular;
  for (int k = 2; k < values_; ++k) linear[k] = linear_[k - 2].write(), angular[k] = angular_[k - 2].write();
  parallel_for(static_cast<std::ptrdiff_t>(world.size()), [&](std::ptrdiff_t i) {
    if (inverse_mass[i] == 0) return;  // fixed, prescribed, or riding on an owner
    Derivatives<double> place{{x[i], v[i]}, values_};
    Derivatives<double> spin{{Vec3::Zero(), angular_momentum<double>(omega[i], q[i], moments[i])}, values_};
    for (int k = 2; k < values_; ++k) place.of[k] = linear[k][i], spin.of[k] = angular[k][i];
    const Vec3 theta = Axes::turn(q[i], spin, inverse_moments[i], h);
    place = predicted<double>(place, h);
    spin = predicted<double>(spin, h);
    x[i] = place.of[0];
    v[i] = place.of[1];
    q[i] = turned_by<double>(q[i], theta);
    omega[i] = angular_velocity<double>(spin.of[1], q[i], inverse_moments[i]);
    for (int k = 2; k < values_; ++k) linear[k][i] = place.of[k], angular[k][i] = spin.of[k];
  });
  if (!world.members().empty()) world.update_members();
}

/// \param wrenches  at the predicted state
void Gear::correct(World& world, Wrenches wrenches, double h) {
  const std::array<double, kMostValues> f = corrector<double>(coefficients_, h);
  const auto inverse_mass = world.inverse_mass.read();
  const auto moments = world.inertia.read(), inverse_moments = world.inverse_inertia.read();
  const auto x = world.position.write(), v = world.velocity.write(), omega = world.angular_velocity.write();
  const auto q = world.orientation.write();
  std::array<ColumnWriter<Vec3>, kMostValues> linear, angular;
  for (int k = 2; k < values_; ++k) linear[k] = linear_[k - 2].write(), angular[k] = angular_[k - 2].write();
  parallel_for(static_cast<std::ptrdiff_t>(world.size()), [&](std::ptrdiff_t i) {
    if (inverse_mass[i] == 0) return;
    const Vec3 error = linear_acceleration<double>(wrenches[i].force, inverse_mass[i]) - linear[2][i];
    const Vec3 spin_error = wrenches[i].torque - angular[2][i];
    const Vec3 spin = angular_momentum<double>(omega[i], q[i], moments[i]) + f[1] * spin_error;
    x[i] += f[0] * error;
    v[i] += f[1] * error;
    q[i] = turned_by<double>(q[i], f[0] * angular_velocity<double>(spin_error, q[i], inverse_moments[i]));
    omega[i] = angular_velocity<double>(spin, q[i], inverse_moments[i]);
    for (int k = 2; k < values_; ++k) linear[k][i] += f[k] * error, angular[k][i] += f[k] * spin_error;
  });
  if (!world.members().empty()) world.update_members();
}

}  // namespace scree::higher_order
