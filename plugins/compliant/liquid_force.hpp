#pragma once
/// \file Formulas of liquid bridges between spheres. Signs and units as in normal_contact.hpp; S = -d > 0 is the gap. R
/// is the reduced radius everywhere: two spheres of radius r have R = r/2, so the radius r of the papers is 2 R here.

#include <numbers>

#include "triple.hpp"

namespace scree::compliant {

/// Option `liquid`.
struct Liquid {
  double tension = 0;    ///< surface tension g [N/m]; 0: no liquid
  double angle = 0;      ///< contact angle t [rad]
  double volume = 0;     ///< volume of a bridge, or with films the largest one [m^3]
  double viscosity = 0;  ///< eta [Pa s]
  double roughness = 0;  ///< gap below which viscous forces grow no more [m]
  bool films = false;    ///< bridges take from the films of bodies; else there is always enough liquid
};

/// Pull of a bridge at touch, 2 pi (2 R) g cos t [N].
SCREE_HD inline double bridge_pull(const Liquid& l, double radius) {
  return 4 * std::numbers::pi * std::abs(radius) * l.tension * std::cos(l.angle);
}

/// Pull of a static bridge [N]: 2 pi (2 R) g cos t/(1 + 1.05 s + 2.5 s^2), s = S sqrt(2 R/V). Bodies that overlap pull
/// as at touch. \pre volume > 0 \source Willett, Adams, Johnson, Seville, Langmuir 16 (2000) 9396, eq. 12
SCREE_HD inline double bridge_force(const Liquid& l, double radius, double volume, double gap) {
  const double s = larger(0.0, gap) * std::sqrt(2 * std::abs(radius) / volume);
  return bridge_pull(l, radius) / (1 + s * (1.05 + 2.5 * s));
}

/// Work that the bridge has taken since touch [J]: the integral of bridge_force() over the gap. Negative where bodies
/// overlap.
SCREE_HD inline double bridge_energy(const Liquid& l, double radius, double volume, double gap) {
  const double pull = bridge_pull(l, radius), unit = std::sqrt(volume / (2 * std::abs(radius)));
  const double s = larger(0.0, gap) / unit, root = std::sqrt(4 * 2.5 - 1.05 * 1.05);
  // The difference of the arc tangents of (5 s + 1.05)/root and 1.05/root, without cancellation.
  const double angle = std::atan2(5 * s * root, root * root + (5 * s + 1.05) * 1.05);
  return pull * (unit * (2 / root) * angle + smaller(0.0, gap));
}

/// Gap at which a bridge breaks [m]: (1 + t/2) (V^(1/3) + V^(2/3)/(10 (2 R))). The second term is at most a tenth of
/// the first: beyond that the bridge is larger than the spheres, and the formula does not hold. \source Willett et al.
/// 2000, eq. 15
SCREE_HD inline double rupture_gap(const Liquid& l, double radius, double volume) {
  const double size = std::cbrt(volume);
  return (1 + l.angle / 2) * size * (1 + 0.1 * smaller(1.0, size / (2 * std::abs(radius))));
}

/// Resistance of the liquid against motion [N s/m].
struct Drag {
  double normal, tangential;
};

/// Lubrication between spheres, S* = max(S, roughness): 6 pi eta R^2/S* along the normal, 6 pi eta R (8/15 ln(R/S*) +
/// 0.9588) across it.
/// \source Adams and Perchard 1985; Goldman, Cox, Brenner, Chem. Eng. Sci. 22 (1967) 637
SCREE_HD inline Drag bridge_drag(const Liquid& l, double radius, double gap) {
  if (l.viscosity <= 0) return {0, 0};
  const double r = std::abs(radius), s = larger(gap, l.roughness), unit = 6 * std::numbers::pi * l.viscosity * r;
  return {unit * r / s, unit * larger(0.0, 8.0 / 15 * std::log(r / s) + 0.9588)};
}

/// Numbers of a body that bridges are made from: columns of the modifier `liquid-films`.
struct FilmOffer {
  double volume;  ///< volume that the body gives to each bridge that forms now [m^3]
  double turn;    ///< number of exchanges that the modifier has made
};

/// A bridge as its contact remembers it: its volume [m^3] where there is one; -1 - turn where bodies touch and wait for
/// the modifier to share out their films; 0 elsewhere.
///
/// It forms where surfaces touch, and breaks at rupture_gap(). With films a contact waits for the next turn of the
/// modifier, which counts those that wait; then each takes what both bodies offer. So films are never shared out twice.
SCREE_HD inline double next_bridge(const Liquid& l, double radius, double overlap, double last, const FilmOffer& a,
                                   const FilmOffer& b) {
  if (last > 0) return -overlap > rupture_gap(l, radius, last) ? 0 : last;
  if (!(overlap > 0)) return 0;
  if (!l.films) return l.volume;
  const double turn = larger(a.turn, b.turn), waits = -1 - turn;
  if (last == 0 || turn <= -1 - last) return waits;
  const double volume = smaller(a.volume + b.volume, l.volume);
  return volume > 0 ? volume : waits;
}

/// Rounds the largest volume of bridges from films down to 20 bits. So it is a whole multiple of the modifier's quantum
/// too, unless films are more than 2^16 times larger.
inline double largest_bridge(double volume) {
  const int place = 20 - std::ilogb(volume);
  return std::ldexp(std::floor(std::ldexp(volume, place)), -place);
}

/// Marks bridges that are made from films, in the history of their contacts: the modifier knows them by it.
inline constexpr double kLiquidMark = 0x1.6b1d6e0a57c3fp+837;

}  // namespace scree::compliant
