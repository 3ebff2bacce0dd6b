#pragma once
/// \file The longest stable step of a contact.

#include <algorithm>
#include <cmath>

#include "scree/law/contact_law.hpp"

namespace scree {

/// For velocities of the middle of a step, as velocity-verlet and symplectic-euler have them: a spring and a dashpot on
/// a mass are stable while dt^2 k + 2 dt c < 4 m. A dashpot counts as a spring of 2 c/dt.
/// \param k, c  over the mass [1/s^2], [1/s]  \return [s]
inline double longest_step(double k, double c) { return 4 / (c + std::sqrt(c * c + 4 * k)); }

/// Returns the longest stable step [s] of a contact, the least over its three ways to swing: along the normal, across
/// it, rolling. Bodies count as solid spheres, in 2D as discs.
/// \param mass, radius  reduced [kg], [m]
/// \param across  true where dashpots across the normal count: friction caps them, and what they gain with them
inline double longest_step(const ContactRates& r, double mass, double radius, int dimension, bool across) {
  const double turning = dimension == 2 ? 3 : 3.5;  // 1 + m r^2/I, of the point of contact
  const double roll = (dimension == 2 ? 0.5 : 0.4) * mass * radius * radius;
  double dt = longest_step(r.stiffness / mass, r.damping / mass);
  dt = std::min(
      dt, longest_step(turning * r.tangential_stiffness / mass, across ? turning * r.tangential_damping / mass : 0));
  return roll > 0 ? std::min(dt, longest_step(r.rolling_stiffness / roll, r.rolling_damping / roll)) : dt;
}

}  // namespace scree
