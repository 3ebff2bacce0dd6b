#include "solvers/coulomb/rigid_kinematics.hpp"
#include "solvers/coulomb/solve.hpp"

namespace scree::coulomb {
namespace {

template <int D>
void push(RigidBody<D>& body, const Vec<D>& impulse, const Vec<D>& arm) {
  const Motion<D> change = Mobility<D>{body.inverse_mass, body.inverse_inertia}.response(impulse, arm);
  body.velocity += change.velocity;
  body.spin += change.spin;
}

template <int D>
void add(const RigidProblem<D>& problem, std::span<const Vec<D>> impulses, std::span<RigidBody<D>> bodies) {
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const RigidContact<D>& c = problem.contacts[i];
    const Vec<D> impulse = c.frame.transpose() * impulses[i];
    if (c.a != kImmovable) push<D>(bodies[c.a], -impulse, c.arm_a);
    if (c.b != kImmovable) push<D>(bodies[c.b], impulse, c.arm_b);
  }
}

}  // namespace

void add_impulses(const RigidProblem<2>& problem, std::span<const Vec<2>> impulses, std::span<RigidBody<2>> bodies) {
  add<2>(problem, impulses, bodies);
}
void add_impulses(const RigidProblem<3>& problem, std::span<const Vec<3>> impulses, std::span<RigidBody<3>> bodies) {
  add<3>(problem, impulses, bodies);
}

}  // namespace scree::coulomb
