#pragma once
/// \file What random scenes of rigid bodies share: bodies that fall for one step, and contacts between them. SI units.

#include <vector>

#include "solvers/coulomb/problem.hpp"
#include "random.hpp"

namespace scree::bench {

inline constexpr double kStep = 1e-3;     // [s]
inline constexpr double kGravity = 9.81;  // [m/s^2]

struct RigidScene {
  coulomb::RigidProblem<3> problem;
  std::vector<Eigen::Vector3d> centre;

  /// At rest, but for the weight over the step.
  std::uint32_t add(const Eigen::Vector3d& at, double mass, const Eigen::Matrix3d& inertia) {
    problem.bodies.push_back(
        {Eigen::Vector3d(0, 0, -kGravity * kStep), Eigen::Vector3d::Zero(), 1 / mass, inertia.inverse()});
    centre.push_back(at);
    return static_cast<std::uint32_t>(centre.size() - 1);
  }

  /// \param a       may be coulomb::kImmovable
  /// \param normal  unit, from a to b
  /// \param gap     [m] what is left to close, >= 0
  void touch(std::uint32_t a, std::uint32_t b, const Eigen::Vector3d& normal, const Eigen::Vector3d& point,
             double friction, double gap = 0) {
    coulomb::RigidContact<3> c;
    c.a = a;
    c.b = b;
    const Eigen::Vector3d tangent = normal.unitOrthogonal();
    c.frame << normal.transpose(), tangent.transpose(), normal.cross(tangent).transpose();
    c.arm_a = a == coulomb::kImmovable ? Eigen::Vector3d::Zero() : Eigen::Vector3d(point - centre[a]);
    c.arm_b = point - centre[b];
    c.w = {gap / kStep, 0, 0};
    c.friction = friction;
    problem.contacts.push_back(c);
  }

  /// Velocities that the last step left.
  void stir(Random& random, double speed, double spin) {
    for (auto& body : problem.bodies) {
      body.velocity += random.vector(speed);
      body.spin += random.vector(spin);
    }
  }
};

}  // namespace scree::bench
