#pragma once
/// \file Gain of a servo wall: how fast it may answer a force.

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

/// Layers of a bed that a wall presses on: it is as many times softer than its contacts with the wall. Beds of more
/// layers overshoot a little, and settle too.
inline constexpr double kLayers = 20;

/// Answer of a wall to the missing force e: at each correction v becomes v + share (G e - v), held for the interval T.
struct Answer {
  double gain;   ///< G [m/(N s)]
  double share;  ///< [-]
};

/// Springs K allow G K T < 1, where the force lags behind by a step. Dashpots C answer a change of speed at once, and
/// allow share G C < 1/2. So the gain follows the springs, and the share the dashpots: the wall then has a mass
/// T/(share G). It must not ring on the bed, of stiffness K/kLayers, which limits G too. \return half of each limit
inline Answer stable_answer(const WallContacts& contacts, double interval) {
  const double kt = contacts.stiffness * interval, c = contacts.damping;
  const double gain = std::fmin(0.5 / kt, 0.25 / std::sqrt(c * kt / kLayers));
  return {gain, std::fmin(1, 0.25 / (gain * c))};
}

/// Time in which the speed takes over what a force that is always missing asks for [s], so that a load that moves is
/// followed without lag. F = K_bed x makes x'' + G K_bed (x' + x / time) of it, which does not overshoot where time >=
/// 4 / (G K_bed).
inline double integral_time(const WallContacts& contacts, double gain) {
  return 4 * kLayers / (gain * contacts.stiffness);
}

}  // namespace scree::servo
