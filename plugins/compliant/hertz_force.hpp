#pragma once
/// \file Formulas of Hertz's contact with Tsuji's dashpot and Mindlin's tangential stiffness. Signs and units as in
/// normal_contact.hpp. Square roots only: no pow in the loops.

#include "normal_contact.hpp"

namespace scree::compliant {

/// Elastic constants of a pair. Each side adds its compliance; a rigid side adds none.
template <class Real>
struct Elasticity {
  Real normal = 0;      ///< E*, 1/E* = sum (1 - nu^2)/E [Pa]
  Real tangential = 0;  ///< G*, 1/G* = sum (2 - nu)/G, G = E/(2 (1 + nu)) [Pa]
};

/// \source Johnson, Contact Mechanics (1985), eqs. 4.20 and 7.42
template <class Real>
SCREE_HD inline Elasticity<Real> elasticity(Real young_a, Real poisson_a, Real young_b, Real poisson_b) {
  const Real normal = (1 - poisson_a * poisson_a) / young_a + (1 - poisson_b * poisson_b) / young_b;
  const Real tangential =
      2 * (1 + poisson_a) * (2 - poisson_a) / young_a + 2 * (1 + poisson_b) * (2 - poisson_b) / young_b;
  return {1 / normal, 1 / tangential};
}

/// Dashpot c = 2 sqrt(5/6) z sqrt(m k), k = 2 E* a the tangent stiffness; with alpha = sqrt(5) z this is Tsuji's
/// alpha sqrt(m K) d^(1/4), K = 4/3 E* sqrt(R). \source Tsuji, Tanaka, Ishida, Powder Technology 71 (1992) 239
template <class Real>
SCREE_HD inline Real tsuji_damping(Real damping_ratio, Real mass, Real stiffness) {
  return Real(1.8257418583505538) * damping_ratio * std::sqrt(mass * stiffness);
}

/// F_n = max(0, 4/3 E* sqrt(R) d^1.5 - c u_n) with contact radius a = sqrt(R d); 0 across a gap.
/// \param mass, radius  reduced; of a hollow contact (radius < 0) the size counts
/// \source Hertz 1882; Johnson (1985), eqs. 4.22 to 4.24
template <class Real>
SCREE_HD inline NormalContact<Real> hertz_contact(Real modulus, Real damping_ratio, Real mass, Real radius,
                                                  Real overlap, Real separation_speed) {
  const Real depth = larger(Real(0), overlap);
  const Real a = std::sqrt(std::abs(radius) * depth);
  const Real stiffness = 2 * modulus * a, damping = tsuji_damping(damping_ratio, mass, stiffness);
  const Real force = larger(Real(0), Real(2) / 3 * stiffness * depth - damping * separation_speed);
  return {force, force, stiffness, damping, a};
}

/// 8/15 E* sqrt(R) d^2.5 [J].
template <class Real>
SCREE_HD inline Real hertz_energy(Real modulus, Real radius, Real overlap) {
  const Real depth = larger(Real(0), overlap);
  return Real(8) / 15 * modulus * std::sqrt(std::abs(radius) * depth) * depth * depth;
}

/// The largest overlap [m] of an elastic head-on contact at speed v: (15 m v^2/(16 E* sqrt(R)))^(2/5). Not for loops.
/// \source Johnson (1985), eq. 11.23
inline double hertz_depth(double modulus, double reduced_mass, double reduced_radius, double speed) {
  return std::pow(15 * reduced_mass * speed * speed / (16 * modulus * std::sqrt(std::abs(reduced_radius))), 0.4);
}

/// Duration of an elastic head-on contact at speed v [s]: 2.86827 (m^2/(R E*^2 v))^(1/5). Not for loops.
/// \source Johnson (1985), eq. 11.24; the constant is 2 (15/16)^(2/5) times the integral of dx/sqrt(1 - x^2.5), 0 to 1
inline double hertz_duration(double modulus, double reduced_mass, double reduced_radius, double speed) {
  return 2.8682656991953315 *
         std::pow(reduced_mass * reduced_mass / (std::abs(reduced_radius) * modulus * modulus * speed), 0.2);
}

}  // namespace scree::compliant
