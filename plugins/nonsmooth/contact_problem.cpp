#include "contact_problem.hpp"

#include <algorithm>
#include <cmath>

#include "scree/integrate/rigid_body.hpp"

namespace scree::nonsmooth {

namespace {

template <int D>
coulomb::RigidBody<D> free_body(const World& world, std::size_t row, const Wrench& external, double dt) {
  const Vec3 inverse_moments = world.inverse_inertia.read()[row];
  const Quat q = world.orientation.read()[row];
  const double inverse_mass = world.inverse_mass.read()[row];
  const Vec3 v =
      kicked<double>(world.velocity.read()[row], linear_acceleration<double>(external.force, inverse_mass), dt);
  const Vec3 omega = world.angular_velocity.read()[row];
  coulomb::RigidBody<D> body;
  body.velocity = plane<D>(v);
  body.inverse_mass = inverse_mass;
  if constexpr (D == 2) {
    body.spin[0] = omega[2] + dt * external.torque[2] * inverse_moments[2];
    body.inverse_inertia(0, 0) = inverse_moments[2];
  } else {
    body.spin = kicked<double>(omega, angular_acceleration<double>(external.torque, q, inverse_moments), dt);
    const Mat3 turn = q.toRotationMatrix();
    body.inverse_inertia = turn * inverse_moments.asDiagonal() * turn.transpose();
  }
  return body;
}

template <int D>
coulomb::RigidContact<D> contact_of(const World& world, const ConeContact& c, const NormalBound& bound) {
  const auto inverse_mass = world.inverse_mass.read();
  const auto body = [&](std::uint32_t row) { return inverse_mass[row] == 0 ? coulomb::kImmovable : row; };
  coulomb::RigidContact<D> contact;
  contact.a = body(c.a);
  contact.b = body(c.b);
  contact.frame = contact_frame<D>(c.normal);
  contact.arm_a = plane<D>(c.arm_a);
  contact.arm_b = plane<D>(c.arm_b);
  contact.w = contact.frame * plane<D>(c.imposed);
  contact.w[0] -= bound.velocity;
  contact.friction = c.friction;
  return contact;
}

}  // namespace

template <>
coulomb::Mat<2> contact_frame<2>(const Vec3& normal) {
  coulomb::Mat<2> frame;
  frame << normal[0], normal[1], -normal[1], normal[0];
  return frame;
}

/// \source T. Duff et al., Building an orthonormal basis, revisited, J. Computer Graphics Techniques 6 (2017) 1
template <>
coulomb::Mat<3> contact_frame<3>(const Vec3& n) {
  const double sign = std::copysign(1.0, n[2]), a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
  coulomb::Mat<3> frame;
  frame.row(0) = n.transpose();
  frame.row(1) << 1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0];
  frame.row(2) << b, sign + n[1] * n[1] * a, -n[1];
  return frame;
}

NormalBound normal_bound(const ConeContact& c, const DriftControl& control, double dt) {
  const double approach = c.velocity.dot(c.normal);
  const bool hits = c.restitution > 0 && approach < 0 && c.gap + dt * approach <= 0;
  const double rebound = hits ? -c.restitution * approach : -HUGE_VAL;
  const double gap = std::abs(c.gap) <= control.slop ? 0 : c.gap;
  if (gap >= 0) return {std::max(-gap / dt, rebound), 0};
  const double drift = -control.rate * gap / dt;
  return rebound > drift ? NormalBound{rebound, 0} : NormalBound{drift, drift};
}

template <int D>
void set_up(const World& world, std::span<const ConeContact> contacts, const Wrenches& external,
            const DriftControl& control, double dt, StepProblem<D>& step) {
  const auto bodies = static_cast<std::ptrdiff_t>(world.size());
  const auto count = static_cast<std::ptrdiff_t>(contacts.size());
  step.problem.bodies.resize(world.size());
  step.problem.contacts.resize(contacts.size());
  step.impulses.resize(contacts.size());
  step.drift.resize(contacts.size());
#pragma omp parallel for schedule(static) if (bodies > 1000)
  for (std::ptrdiff_t i = 0; i < bodies; ++i) {
    const auto row = static_cast<std::size_t>(i);
    step.problem.bodies[row] = free_body<D>(world, row, external[row], dt);
  }
#pragma omp parallel for schedule(static) if (count > 1000)
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const NormalBound bound = normal_bound(contacts[k], control, dt);
    step.problem.contacts[k] = contact_of<D>(world, contacts[k], bound);
    step.impulses[k] = step.problem.contacts[k].frame * plane<D>(contacts[k].impulse);
    step.drift[k] = bound.drift;
  }
}

template <int D>
void to_world(const StepProblem<D>& step, std::span<Vec3> impulses) {
  const auto count = static_cast<std::ptrdiff_t>(impulses.size());
#pragma omp parallel for schedule(static) if (count > 1000)
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    impulses[i] = space(coulomb::Vec<D>(step.problem.contacts[i].frame.transpose() * step.impulses[i]));
  }
}

template <int D>
double drift_work(const StepProblem<D>& step) {
  double work = 0;
  for (std::size_t i = 0; i < step.drift.size(); ++i) work += step.impulses[i][0] * step.drift[i];
  for (std::size_t i = step.drift.size(); i < step.impulses.size(); ++i)
    work -= step.impulses[i].dot(step.problem.contacts[i].w);
  return work;
}

template void set_up<2>(const World&, std::span<const ConeContact>, const Wrenches&, const DriftControl&, double,
                        StepProblem<2>&);
template void set_up<3>(const World&, std::span<const ConeContact>, const Wrenches&, const DriftControl&, double,
                        StepProblem<3>&);
template void to_world<2>(const StepProblem<2>&, std::span<Vec3>);
template void to_world<3>(const StepProblem<3>&, std::span<Vec3>);
template double drift_work<2>(const StepProblem<2>&);
template double drift_work<3>(const StepProblem<3>&);

}  // namespace scree::nonsmooth
