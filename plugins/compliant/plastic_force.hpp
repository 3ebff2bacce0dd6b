#pragma once
/// \file Formulas of a spring that unloads more steeply than it loads, with a branch on which it sticks. Signs and
/// units as in normal_contact.hpp.

#include <numbers>

#include "hertz_force.hpp"

namespace scree::compliant {

/// The power n of the overlap in a spring's force: n = 1.
struct LinearPower {
  SCREE_HD static double power(double d) { return d; }
  SCREE_HD static double root(double q) { return q; }
  SCREE_HD static double integral(double d) { return d * d / 2; }
};

/// The power n = 3/2.
struct HertzPower {
  SCREE_HD static double power(double d) { return d * std::sqrt(d); }
  SCREE_HD static double root(double q) {
    const double third = std::cbrt(q);
    return third * third;
  }
  SCREE_HD static double integral(double d) { return d * d * std::sqrt(d) / 2.5; }
};

/// Option `plasticity`.
struct Plasticity {
  double ratio = 1;     ///< k2/k1, unloading to loading; 1: an elastic spring [-]
  double adhesion = 0;  ///< kc of the least force -kc d^x [N/m^x]
  double exponent = 1;  ///< x [-]
};

struct PlasticForce {
  double force;    ///< force of the spring alone [N]
  double largest;  ///< the largest overlap to be remembered [m]
  double pull;     ///< kc d^x, below whose negative no force falls [N]
};

/// Computes the force of the spring, d >= 0. Loading is k1 d^n. Unloading and loading again is k2 (d^n - dp^n) with
/// dp^n = (1 - k1/k2) d_max^n. No force is below -kc d^x; on that branch d_max becomes what makes the line of unloading
/// pass through the present point. With kc = 0 the force is 0 below dp, and d_max stays.
/// \param factor  k1 [N/m^n]  \param largest  d_max of the last step, 0 for a new contact [m]
/// \source Walton and Braun, J. Rheology 30 (1986) 949; Luding, Granular Matter 10 (2008) 235, eqs. 6 to 9; n = 3/2:
/// Thakur, Morrissey, Sun, Chen, Ooi, Granular Matter 16 (2014) 383
template <class Power>
SCREE_HD inline PlasticForce plastic_force(const Plasticity& p, double factor, double depth, double largest) {
  const double q = Power::power(depth), pull = p.adhesion > 0 ? p.adhesion * std::pow(depth, p.exponent) : 0;
  if (depth >= largest) return {factor * q, depth, pull};
  const double steep = p.ratio * factor, force = steep * (q - (1 - 1 / p.ratio) * Power::power(largest));
  if (force > -pull) return {force, largest, pull};
  return {-pull, pull > 0 ? Power::root((steep * q + pull) / (steep - factor)) : largest, pull};
}

/// Energy that the spring gives back [J]: the area under the line of unloading, from dp to d; below dp that of the
/// spring pulled out. \param largest  as plastic_force() returned it for this depth
template <class Power>
SCREE_HD inline double plastic_energy(const Plasticity& p, double factor, double depth, double largest) {
  if (depth <= 0) return 0;
  const double rest = (1 - 1 / p.ratio) * Power::power(largest), free = Power::root(rest);
  if (p.adhesion <= 0 && depth < free) return 0;
  return p.ratio * factor * (Power::integral(depth) - Power::integral(free) - rest * (depth - free));
}

/// Restitution of a contact that nothing else damps, at every speed: sqrt of what unloading gives back over what
/// loading took. For n = 1 it is sqrt(k1/k2).
template <class Power>
inline double plastic_restitution(double ratio) {
  const Plasticity p{ratio, 0, 1};
  return std::sqrt(plastic_energy<Power>(p, 1, 1, 1) / Power::integral(1));
}

/// Area of the circle in which two spheres cross [m^2]: pi (R_a^2 - ((D^2 + R_a^2 - R_b^2)/(2 D))^2), D the distance of
/// the centres. Written with 1/R_b = 1/R - 1/R_a, so that it holds for planes too: pi (2 R_a d - d^2).
/// \param radius  R, reduced  \param smaller_radius  R_a of the smaller sphere  \param depth  d >= 0
SCREE_HD inline double crossing_area(double radius, double smaller_radius, double depth) {
  const double k = 1 / std::abs(radius) - 1 / smaller_radius, s = 1 + smaller_radius * k, far = s - k * depth;
  const double square = depth * (s + far) * (4 * smaller_radius - 2 * s * depth + k * depth * depth) / (4 * far * far);
  return std::numbers::pi * larger(0.0, square);
}

/// Volume that the spheres share [m^3]: the integral of crossing_area() over the depth.
SCREE_HD inline double crossing_volume(double radius, double smaller_radius, double depth) {
  const double k = 1 / std::abs(radius) - 1 / smaller_radius, s = 1 + smaller_radius * k;
  return std::numbers::pi * depth * depth * (12 * smaller_radius - 4 * s * depth + k * depth * depth) /
         (12 * (s - k * depth));
}

}  // namespace scree::compliant
