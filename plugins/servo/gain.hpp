#pragma once
/// \file How fast a servo wall may answer a force.

#include <cmath>

namespace scree::servo {

/// The contacts of a wall as springs and dashpots side by side.
struct WallContacts {
  double stiffness = 0;  ///< sum of k [N/m]
  double damping = 0;    ///< sum of c [N s/m]

  /// A contact of this stiffness [N/m] with a body of this mass [kg]; the dashpot is the strongest there is, that of
  /// critical damping.
  void add(double k, double mass) {
    stiffness += k;
    damping += 2 * std::sqrt(k * mass);
  }
};

/// Tangent stiffness of a contact [N/m], from the force on a wall [N] and the sum of overlaps with it [m]: that of
/// Hertz, 3/2 force / overlap, which a linear spring has less of.
inline double contact_stiffness(double force, double overlaps) { return 1.5 * force / overlaps; }

/// Gain G [m/(N s)] of v = G (F_target - F), which is held for `interval` [s]. A plate without mass on a dashpot 1/G
/// settles where the step is short; in steps it is stable for G (K T + 2 C) < 2, and < 1 where F lags behind by a step.
/// \return half of the latter
inline double stable_gain(const WallContacts& contacts, double interval) {
  return 0.5 / (contacts.stiffness * interval + 2 * contacts.damping);
}

/// Time in which the speed takes over what a force that is always missing asks for [s], so that a load that moves is
/// followed without lag. F = K_bed x makes x'' + G K_bed (x' + x / time) of it, which does not overshoot where time >=
/// 4 / (G K_bed). Of a bed of 20 layers K_bed is a twentieth of the stiffness of its contacts with the wall; beds of
/// more layers overshoot a little, and settle too.
inline double integral_time(const WallContacts& contacts, double gain) {
  constexpr double kLayers = 20;
  return 4 * kLayers / (gain * contacts.stiffness);
}

}  // namespace scree::servo
