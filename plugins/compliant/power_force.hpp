#pragma once
/// \file Formulas of a spring whose force is a power of the overlap. Signs and units as in normal_contact.hpp.

#include "normal_contact.hpp"

namespace scree::compliant {

/// F_n = max(0, k d^(p - 1) - c u_n), and 0 across a gap. \param stiffness  k [N/m^(p - 1)]  \param exponent  p > 1
template <class Real>
SCREE_HD inline NormalContact<Real> power_contact(Real stiffness, Real exponent, Real damping, Real overlap,
                                                  Real separation_speed) {
  const Real depth = larger(kTiny<Real>, overlap);
  const Real slope = stiffness * std::pow(depth, exponent - 2);
  const Real force = larger(Real(0), slope * depth - damping * separation_speed);
  const Real clipped = overlap > 0 ? force : Real(0);
  return {clipped, clipped, (exponent - 1) * slope, damping, 0};
}

/// k d^p/p [J]. \source Alonso-Marroquin, EPL 83 (2008) 14001 for p = 2
template <class Real>
SCREE_HD inline Real power_energy(Real stiffness, Real exponent, Real overlap) {
  const Real depth = larger(Real(0), overlap);
  return stiffness * std::pow(depth, exponent) / exponent;
}

/// The largest overlap [m] of a head-on contact that begins at this speed, without dashpot: (p m v^2/(2 k))^(1/p).
inline double power_depth(double stiffness, double exponent, double reduced_mass, double speed) {
  return std::pow(exponent * reduced_mass * speed * speed / (2 * stiffness), 1 / exponent);
}

/// Its duration [s]: T = 2 sqrt(pi) Gamma(1 + 1/p)/Gamma(1/2 + 1/p) d_max/v. For p = 2 it does not depend on v.
inline double power_duration(double stiffness, double exponent, double reduced_mass, double speed) {
  const double q = 1 / exponent, pi = 3.14159265358979323846;
  const double depth = power_depth(stiffness, exponent, reduced_mass, speed);
  return 2 * std::sqrt(pi) * std::tgamma(1 + q) / std::tgamma(0.5 + q) * depth / speed;
}

}  // namespace scree::compliant
