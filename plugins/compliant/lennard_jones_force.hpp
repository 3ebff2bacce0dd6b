#pragma once
/// \file Formulas of a force like Lennard and Jones' between surfaces. Signs and units as in normal_contact.hpp.

#include "normal_contact.hpp"

namespace scree::compliant {

/// U(x) = e ((x0/x)^12 - 2 (x0/x)^6) at x = x0 - d: its well, e deep, is where the surfaces touch. Beyond the range it
/// is zero; force and energy are shifted so that both end smoothly there. Below x0/4 the force keeps its value: it has
/// grown to more than 1e8 e/x0 by then.
template <class Real>
struct LennardJones {
  Real depth;     ///< e of the well [J]
  Real distance;  ///< x0: how far from touch the force changes much [m]
  Real range;     ///< gap from which on there is no force [m]

  /// -dU/dx [N], not shifted.
  SCREE_HD Real bare_force(Real x) const {
    const Real s = distance / x, s2 = s * s, s6 = s2 * s2 * s2;
    return 12 * depth / x * (s6 * s6 - s6);
  }
  SCREE_HD Real bare_energy(Real x) const {
    const Real s = distance / x, s2 = s * s, s6 = s2 * s2 * s2;
    return depth * (s6 * s6 - 2 * s6);
  }
  SCREE_HD Real end() const { return distance + range; }
  SCREE_HD Real least() const { return distance / 4; }

  /// dU/dd = F_n, < 0 where it pulls [N].
  SCREE_HD Real force(Real overlap) const {
    const Real x = larger(distance - overlap, least());
    const Real f = bare_force(x) - bare_force(end());
    return x < end() ? f : Real(0);
  }
  /// [J], negative where bound.
  SCREE_HD Real energy(Real overlap) const {
    const Real x = distance - overlap, held = larger(x, least());
    const Real shifted = bare_energy(held) - bare_energy(end()) + (held - end()) * bare_force(end());
    return x < end() ? shifted + (held - x) * (bare_force(held) - bare_force(end())) : Real(0);
  }
  /// dF_n/dd at touch, 72 e/x0^2 [N/m].
  SCREE_HD Real stiffness() const { return 72 * depth / (distance * distance); }
  /// d^2U/dx^2 [N/m] where bodies turn back that met with this kinetic energy [J]: (x0/x)^6 = 1 + sqrt(1 + K/e).
  SCREE_HD Real stiffness_at_turn(Real kinetic_energy) const {
    const Real s6 = 1 + std::sqrt(1 + kinetic_energy / depth);
    return depth * std::cbrt(s6) / (distance * distance) * (156 * s6 * s6 - 84 * s6);
  }
};

}  // namespace scree::compliant
