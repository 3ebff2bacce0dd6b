#pragma once
/// \file Formulas of adhesive contacts: the constant pull of Derjaguin, Muller and Toporov, and the contact of Johnson,
/// Kendall and Roberts, with its neck across a gap. Signs and units as in normal_contact.hpp. w is the work of adhesion
/// [J/m^2].

#include <bit>
#include <cstdint>
#include <numbers>

#include "hertz_force.hpp"

namespace scree::compliant {

/// x^(-1/3) for normal x > 0, to rounding: a guess from the exponent, then Newton's step y (4 - x y^3)/3. Vectorises,
/// unlike std::cbrt.
SCREE_HD inline double inverse_cube_root(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  // bits/3 as the sum of bits/4^k: integer division does not vectorise.
  const std::uint64_t third = (bits >> 2) + (bits >> 4) + (bits >> 6) + (bits >> 8) + (bits >> 10) + (bits >> 12) +
                              (bits >> 14) + (bits >> 16) + (bits >> 18) + (bits >> 20);
  double y = std::bit_cast<double>(std::uint64_t{0x553ef0ff289dd796} - third);
  for (int i = 0; i < 5; ++i) y = y * (4 - x * y * y * y) * (1.0 / 3);
  return y;
}

/// Pull-off force of the JKR contact, 3/2 pi w R [N]. \source Johnson, Kendall, Roberts, Proc. R. Soc. A 324 (1971) 301
SCREE_HD inline double jkr_pull_off(double adhesion, double radius) {
  return 1.5 * std::numbers::pi * adhesion * std::abs(radius);
}

/// Pull-off force of the DMT contact, 2 pi w R [N]. \source Derjaguin, Muller, Toporov, J. Colloid Interface Sci. 53
/// (1975) 314
SCREE_HD inline double dmt_pull_off(double adhesion, double radius) {
  return 2 * std::numbers::pi * adhesion * std::abs(radius);
}

/// The JKR contact in units of its smallest stable area: a = a_m t^2 with a_m^3 = pi w R^2/(8 E*), in which
///   d   = a^2/R - sqrt(2 pi w a/E*)             becomes  d R/a_m^2 = t^4 - 4 t
///   F_n = 4 E* a^3/(3 R) - sqrt(8 pi w E* a^3)  becomes  F_n/(pi w R) = t^6/6 - t^3
/// t >= 1 is the branch that is stable at given overlap; the neck breaks at t = 1, d = -3 a_m^2/R.
struct JkrScale {
  double inverse_area_radius;  ///< 1/a_m [1/m]
  double depth;                ///< d R/a_m^2 [-]; the neck holds down to -3
};

SCREE_HD inline JkrScale jkr_scale(double modulus, double adhesion, double radius, double overlap) {
  const double r = std::abs(radius);
  const double inverse = inverse_cube_root(std::numbers::pi * adhesion / (8 * modulus) * r * r);
  return {inverse, overlap * r * inverse * inverse};
}

/// The root t >= 1 of t^4 - 4 t = depth, depth >= -3. With t = 1 + x: x^2 (6 + 4 x + x^2) = depth + 3 is convex and
/// growing, so Newton from above, x <= min(sqrt(e/6), e^(1/4)), falls onto the root; six steps reach rounding.
SCREE_HD inline double jkr_root(double depth) {
  const double e = larger(0.0, depth + 3);
  double x = smaller(std::sqrt(e / 6), std::sqrt(std::sqrt(e)));
  for (int i = 0; i < 6; ++i) {
    const double value = x * x * (6 + x * (4 + x)) - e, slope = x * (12 + x * (12 + 4 * x));
    x = x - value / larger(slope, kTiny<double>);
  }
  return 1 + x;
}

/// Largest gap across which a neck holds, 3 a_m^2/R [m]: the law's range.
inline double jkr_neck(double modulus, double adhesion, double radius) {
  const double inverse = inverse_cube_root(std::numbers::pi * adhesion / (8 * modulus) * radius * radius);
  return 3 / (inverse * inverse * radius);
}

/// F_n = max(-F_po, JKR - c u_n) while the contact is made: from the first touch (d > 0) until the neck breaks. The
/// dashpot is Tsuji's with the JKR contact radius.
/// \param made  the contact was made in the last step  \return radius > 0 iff it is made now
/// \source Johnson, Kendall, Roberts 1971
SCREE_HD inline NormalContact<double> jkr_contact(double modulus, double adhesion, double damping_ratio, double mass,
                                                  double radius, double overlap, double separation_speed, bool made) {
  const JkrScale scale = jkr_scale(modulus, adhesion, radius, overlap);
  const double t = jkr_root(scale.depth), t3 = t * t * t, pull = jkr_pull_off(adhesion, radius);
  const double a = t * t / scale.inverse_area_radius;
  const double stiffness = 2 * modulus * a, damping = tsuji_damping(damping_ratio, mass, stiffness);
  const double force = larger(-pull, pull / 1.5 * (t3 * (t3 * (1.0 / 6) - 1)) - damping * separation_speed);
  const bool holds = (overlap > 0) | (made & (scale.depth >= -3));
  return {holds ? force : 0, holds ? force + pull : 0, holds ? stiffness : 0, holds ? damping : 0, holds ? a : 0};
}

/// Elastic energy and energy of the surfaces, from the force by integration over d; 0 when apart [J]:
/// pi w a_m^2 (t^10/15 - 2/3 t^7 + t^4). Negative where the contact is bound.
SCREE_HD inline double jkr_energy(double modulus, double adhesion, double radius, double overlap) {
  const JkrScale scale = jkr_scale(modulus, adhesion, radius, overlap);
  const double t = jkr_root(scale.depth), t4 = t * t * t * t, t6 = t4 * t * t;
  return std::numbers::pi * adhesion / (scale.inverse_area_radius * scale.inverse_area_radius) * t4 *
         (t6 / 15 - 2 * t * t * t / 3 + 1);
}

}  // namespace scree::compliant
