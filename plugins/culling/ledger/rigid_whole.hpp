#pragma once
/// \file Granules as one rigid whole: mass, centre, moments and momenta as exact sums over its parts.

#include <Eigen/Eigenvalues>
#include <span>

#include "scree/base/exact_sum.hpp"
#include "scree/world/world.hpp"

namespace scree::culling {

/// One granule, whether it stands in the World or in a ledger; world axes.
struct Part {
  double mass = 0;              ///< [kg]
  Vec3 inertia = Vec3::Zero();  ///< principal moments [kg m^2]
  Pose pose;                    ///< centre of mass, principal axes to world
  Twist twist;
};

/// Tensor of a granule about its own centre, world axes: R diag(I) R^T [kg m^2].
inline Mat3 own_tensor(const Part& part) {
  const Mat3 turn = part.pose.orientation.toRotationMatrix();
  return turn * part.inertia.asDiagonal() * turn.transpose();
}

/// Moment of a mass at an arm: m (|r|^2 1 - r r^T) [kg m^2].
inline Mat3 steiner(double mass, const Vec3& arm) {
  return mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
}

/// Velocity of a rigid motion at a place [m/s].
inline Vec3 velocity_at(const Vec3& centre, const Twist& twist, const Vec3& place) {
  return twist.velocity + twist.angular_velocity.cross(place - centre);
}

/// 1/2 m v^2 + 1/2 w I w [J].
inline double kinetic_energy(const Part& part) {
  const Vec3 spin = part.pose.orientation.conjugate() * part.twist.angular_velocity;
  return 0.5 * part.mass * part.twist.velocity.squaredNorm() + 0.5 * part.inertia.dot(spin.cwiseProduct(spin));
}

/// I = sum (I_g + m (|r|^2 1 - r r^T)); v = P/m; omega = I^-1 L about the centre. Parts count in the order given: the
/// caller's is that of ids. \pre at least one part, all of mass above 0
/// \source sums of mass, momentum and angular momentum of a rigid body about its centre of mass
inline RigidBody rigid_whole(std::span<const Part> parts) {
  RigidBody whole;
  const Vec3 from = parts[0].pose.position;  // saves digits far from the origin
  ExactSum mass;
  for (const Part& p : parts) {
    mass.add(p.mass);
    whole.frame.position += p.mass * (p.pose.position - from);
    whole.twist.velocity += p.mass * p.twist.velocity;
  }
  whole.mass = mass.value();
  whole.frame.position = from + whole.frame.position / whole.mass;
  whole.twist.velocity /= whole.mass;
  Mat3 tensor = Mat3::Zero();
  Vec3 spin = Vec3::Zero();
  for (const Part& p : parts) {
    const Mat3 own = own_tensor(p);
    const Vec3 arm = p.pose.position - whole.frame.position;
    tensor += own + steiner(p.mass, arm);
    spin += own * p.twist.angular_velocity + p.mass * arm.cross(p.twist.velocity - whole.twist.velocity);
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(tensor);
  Mat3 axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  whole.inertia = solver.eigenvalues();
  whole.frame.orientation = Quat(axes).normalized();
  const Mat3 turned = whole.frame.orientation.toRotationMatrix();
  whole.twist.angular_velocity = turned * (turned.transpose() * spin).cwiseQuotient(whole.inertia);
  return whole;
}

/// Pose of something given in a frame, in the axes that frame is given in.
inline Pose composed(const Pose& frame, const Pose& within) {
  return {frame.position + frame.orientation * within.position, frame.orientation * within.orientation};
}

/// Pose of `of` as seen from `frame`.
inline Pose relative(const Pose& frame, const Pose& of) {
  const Quat back = frame.orientation.conjugate();
  return {back * (of.position - frame.position), back * of.orientation};
}

}  // namespace scree::culling
