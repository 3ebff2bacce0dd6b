#pragma once
/// \file Poses within each other, and what a rigid motion gives its parts.

#include "scree/world/world.hpp"

namespace scree::culling {

/// Velocity of a rigid motion at a place [m/s].
inline Vec3 velocity_at(const Vec3& centre, const Twist& twist, const Vec3& place) {
  return twist.velocity + twist.angular_velocity.cross(place - centre);
}

/// 1/2 m v^2 + 1/2 w I w [J].
inline double kinetic_energy(const RigidBody& part) {
  const Vec3 spin = part.frame.orientation.conjugate() * part.twist.angular_velocity;
  return 0.5 * part.mass * part.twist.velocity.squaredNorm() + 0.5 * part.inertia.dot(spin.cwiseProduct(spin));
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
