#include "motion.hpp"

#include "scree/integrate/rigid_body.hpp"

namespace scree::explicit_integrators {

namespace {

// Each body is computed from its own row alone, so neither schedule nor thread count changes a bit. Below this many
// bodies starting threads costs more than it saves.
constexpr std::ptrdiff_t kParallelFrom = 512;

struct Planar {
  static Vec3 acceleration(const Vec3& torque, const Quat&, const Vec3& inverse_moments) {
    return {0, 0, torque[2] * inverse_moments[2]};
  }
  static void turn(Quat& q, Vec3& omega, const Vec3&, const Vec3&, double dt) { q = turned_about_z(q, omega[2], dt); }
};

struct Spatial {
  static Vec3 acceleration(const Vec3& torque, const Quat& q, const Vec3& inverse_moments) {
    return angular_acceleration<double>(torque, q, inverse_moments);
  }
  static void turn(Quat& q, Vec3& omega, const Vec3& moments, const Vec3& inverse_moments, double dt) {
    const Rotation<double> now = rotated_freely<double>({q, omega}, moments, inverse_moments, dt);
    q = now.q;
    omega = now.omega;
  }
};

template <class Axes>
void accelerate_as(World& world, std::span<const Wrench> wrenches, Accelerations out) {
  const auto inverse_mass = world.inverse_mass.read();
  const auto inverse_moments = world.inverse_inertia.read();
  const auto q = world.orientation.read();
  const auto n = static_cast<std::ptrdiff_t>(world.size());
#pragma omp parallel for schedule(static) if (n >= kParallelFrom)
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    out.linear[i] = linear_acceleration<double>(wrenches[i].force, inverse_mass[i]);
    out.angular[i] = Axes::acceleration(wrenches[i].torque, q[i], inverse_moments[i]);
  }
}

template <class Axes>
void kick_as(World& world, std::span<const Wrench> wrenches, double dt) {
  const auto inverse_mass = world.inverse_mass.read();
  const auto inverse_moments = world.inverse_inertia.read();
  const auto q = world.orientation.read();
  const auto v = world.velocity.write(), omega = world.angular_velocity.write();
  const auto n = static_cast<std::ptrdiff_t>(world.size());
#pragma omp parallel for schedule(static) if (n >= kParallelFrom)
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    v[i] = kicked<double>(v[i], linear_acceleration<double>(wrenches[i].force, inverse_mass[i]), dt);
    omega[i] = kicked<double>(omega[i], Axes::acceleration(wrenches[i].torque, q[i], inverse_moments[i]), dt);
  }
}

template <class Axes>
void drift_as(World& world, double dt) {
  const auto v = world.velocity.read(), moments = world.inertia.read(), inverse_moments = world.inverse_inertia.read();
  const auto inverse_mass = world.inverse_mass.read();
  const auto x = world.position.write(), omega = world.angular_velocity.write();
  const auto q = world.orientation.write();
  const auto n = static_cast<std::ptrdiff_t>(world.size());
#pragma omp parallel for schedule(static) if (n >= kParallelFrom)
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    if (inverse_mass[i] == 0) continue;  // fixed, prescribed, or riding on an owner
    x[i] = drifted<double>(x[i], v[i], dt);
    Axes::turn(q[i], omega[i], moments[i], inverse_moments[i], dt);
  }
  if (!world.members().empty()) world.update_members();
}

}  // namespace

void accelerate(World& world, std::span<const Wrench> wrenches, Accelerations out) {
  world.dimension() == 2 ? accelerate_as<Planar>(world, wrenches, out) : accelerate_as<Spatial>(world, wrenches, out);
}

void kick(World& world, std::span<const Wrench> wrenches, double dt) {
  world.dimension() == 2 ? kick_as<Planar>(world, wrenches, dt) : kick_as<Spatial>(world, wrenches, dt);
}

void kick(World& world, std::span<const Vec3> linear, std::span<const Vec3> angular, double dt) {
  const auto v = world.velocity.write(), omega = world.angular_velocity.write();
  const auto n = static_cast<std::ptrdiff_t>(world.size());
#pragma omp parallel for schedule(static) if (n >= kParallelFrom)
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    v[i] = kicked<double>(v[i], linear[i], dt);
    omega[i] = kicked<double>(omega[i], angular[i], dt);
  }
}

void drift(World& world, double dt) {
  world.dimension() == 2 ? drift_as<Planar>(world, dt) : drift_as<Spatial>(world, dt);
}

}  // namespace scree::explicit_integrators
