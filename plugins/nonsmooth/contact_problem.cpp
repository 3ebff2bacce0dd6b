#include "contact_problem.hpp"

#include <algorithm>

#include "flush_contacts.hpp"

namespace scree::nonsmooth {

namespace {

template <int D>
coulomb::RigidBody<D> body_in_row(const World& world, std::size_t row, const Wrench& external, double dt) {
  return free_body<D>({world.velocity.read()[row], world.angular_velocity.read()[row], world.orientation.read()[row],
                       world.inverse_mass.read()[row], world.inverse_inertia.read()[row]},
                      external, dt);
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

template <int D>
void set_up(const World& world, std::span<const ConeContact> contacts, const Wrenches& external,
            const DriftControl& control, double dt, StepProblem<D>& step) {
  const auto bodies = static_cast<std::ptrdiff_t>(world.size());
  const auto count = static_cast<std::ptrdiff_t>(contacts.size());
  step.problem.bodies.resize(world.size());
  step.problem.contacts.resize(contacts.size());
  step.impulses.resize(contacts.size());
  step.drift.resize(contacts.size());
  find_flush(world, contacts, step.slant);
#pragma omp parallel for schedule(static) if (bodies > 1000)
  for (std::ptrdiff_t i = 0; i < bodies; ++i) {
    const auto row = static_cast<std::size_t>(i);
    step.problem.bodies[row] = body_in_row<D>(world, row, external[row], dt);
  }
#pragma omp parallel for schedule(static) if (count > 1000)
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const ConeContact& c = contacts[k];
    const NormalBound bound = normal_bound(c, control, dt, step.slant[k]);
    step.problem.contacts[k] = contact_of<D>(world, c, bound);
    step.impulses[k] = step.problem.contacts[k].frame * plane<D>(c.impulse);
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
