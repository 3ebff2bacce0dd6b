#include "joint_rows.hpp"

#include <algorithm>

#include "scree/integrate/rigid_body.hpp"

namespace scree::nonsmooth {

namespace {

/// Motion of a point of a body in the step.
struct Way {
  Vec3 velocity;  ///< at the start, by the velocities of the end [m/s]
  Vec3 mean;      ///< mean velocity of the step [m/s]
};

template <int D>
Way way_of(const World& world, std::uint32_t row, const coulomb::RigidBody<D>& body, const Vec3& arm, double dt) {
  const Vec3 v = space(body.velocity);
  const Vec3 omega = about_axes(body.spin);
  const Quat q = world.orientation.read()[row];
  const bool simple = D == 2 || world.inverse_mass.read()[row] == 0;
  const Quat then =
      simple ? turned<double>(q, omega, dt)
             : rotated_freely<double>({q, omega}, world.inertia.read()[row], world.inverse_inertia.read()[row], dt).q;
  return {v + omega.cross(arm), v + (then * (q.conjugate() * arm) - arm) / dt};
}

/// \param bodies  with the velocities of the end of the step
template <int D>
Apart aim(const World& world, std::span<const Joint> joints, const std::vector<coulomb::RigidBody<D>>& bodies,
          double dt, StepProblem<D>& step) {
  const std::size_t first = step.problem.size() - joints.size();
  Apart most;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const Joint& joint = joints[k];
    const Way a = way_of<D>(world, joint.a, bodies[joint.a], joint.arm_a, dt);
    const Way b = way_of<D>(world, joint.b, bodies[joint.b], joint.arm_b, dt);
    const double apart = (joint.apart + dt * (b.mean - a.mean)).norm();
    most.length = std::max(most.length, apart);
    most.relative = std::max(most.relative, apart / (joint.arm_a.norm() + joint.arm_b.norm()));
    step.problem.contacts[first + k].w =
        plane<D>(Vec3(joint.apart / dt + (b.mean - b.velocity) - (a.mean - a.velocity)));
  }
  return most;
}

}  // namespace

template <int D>
void append_joints(std::span<const Joint> joints, StepProblem<D>& step) {
  for (const Joint& joint : joints) {
    coulomb::RigidContact<D>& row = step.problem.contacts.emplace_back();
    row.a = joint.a;
    row.b = joint.b;
    row.frame.setIdentity();
    row.arm_a = plane<D>(joint.arm_a);
    row.arm_b = plane<D>(joint.arm_b);
    row.w.setZero();
    row.friction = coulomb::kJoint;
    step.impulses.push_back(plane<D>(joint.impulse));
  }
}

template <int D>
Apart aim_joints(const World& world, std::span<const Joint> joints, double dt, StepProblem<D>& step) {
  step.bodies = step.problem.bodies;
  coulomb::add_impulses(step.problem, step.impulses, step.bodies);
  return aim<D>(world, joints, step.bodies, dt, step);
}

template <int D>
void aim_joints_freely(const World& world, std::span<const Joint> joints, double dt, StepProblem<D>& step) {
  aim<D>(world, joints, step.problem.bodies, dt, step);
}

template <int D>
void close_joints(std::span<const Joint> joints, double rate, double dt, StepProblem<D>& step) {
  const std::size_t first = step.problem.size() - joints.size();
  for (std::size_t k = 0; k < joints.size(); ++k)
    step.problem.contacts[first + k].w = plane<D>(Vec3(rate / dt * joints[k].apart));
}

template void append_joints<2>(std::span<const Joint>, StepProblem<2>&);
template void append_joints<3>(std::span<const Joint>, StepProblem<3>&);
template Apart aim_joints<2>(const World&, std::span<const Joint>, double, StepProblem<2>&);
template Apart aim_joints<3>(const World&, std::span<const Joint>, double, StepProblem<3>&);
template void aim_joints_freely<2>(const World&, std::span<const Joint>, double, StepProblem<2>&);
template void aim_joints_freely<3>(const World&, std::span<const Joint>, double, StepProblem<3>&);
template void close_joints<2>(std::span<const Joint>, double, double, StepProblem<2>&);
template void close_joints<3>(std::span<const Joint>, double, double, StepProblem<3>&);

}  // namespace scree::nonsmooth
