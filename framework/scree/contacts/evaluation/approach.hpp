#pragma once
/// \file Gaps that may close within a step. An integrator that solves for impulses needs them beforehand.

#include <algorithm>
#include <cmath>

#include "scree/world/body_view.hpp"

namespace scree::detail {

/// Returns the speed [m/s] of the fastest point of a body relative to its centre. \param arm  [m] for bodies without
/// bound
inline double rim_speed(const BodyRow& body, double arm) {
  const double spin2 = body.angular_velocity.squaredNorm();
  return spin2 == 0 ? 0 : std::sqrt(spin2) * (std::isfinite(body.radius) ? body.radius : arm);
}

/// Returns the largest speed [m/s] at which the surfaces of two bodies may approach each other.
inline double approach_speed(const BodyRow& a, const BodyRow& b) {
  const double apart = (b.position - a.position).norm();
  const auto reach = [&](const BodyRow& other) { return apart + (std::isfinite(other.radius) ? other.radius : 0); };
  return (b.velocity - a.velocity).norm() + rim_speed(a, reach(b)) + rim_speed(b, reach(a));
}

/// Checks whether a gap may close within a time if both bodies keep their velocities. Bounding spheres that pass each
/// other do not count: a contact would block a free path.
/// \param gap      [m]
/// \param closing  speed at which the gap closes at the contact point [m/s]
/// \param margin   [m] gaps up to this may always close: bodies may also be pushed
inline bool may_close(const BodyRow& a, const BodyRow& b, double gap, double closing, double margin, double time) {
  if (gap <= margin) return true;
  if (gap > margin + closing * time) return false;
  if (!std::isfinite(a.radius) || !std::isfinite(b.radius)) return true;
  const Vec3 apart = b.position - a.position, way = time * (b.velocity - a.velocity);
  const double way2 = way.squaredNorm();
  const double nearest = way2 > 0 ? std::clamp(-apart.dot(way) / way2, 0.0, 1.0) : 0;
  return (apart + nearest * way).norm() <= a.radius + b.radius + margin;
}

}  // namespace scree::detail
