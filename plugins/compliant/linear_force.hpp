#pragma once
/// \file Formulas of the linear spring and dashpot along the normal. Signs and units as in normal_contact.hpp.

#include "normal_contact.hpp"

namespace scree::compliant {

/// F_n = max(0, k d - c u_n), and 0 across a gap: the force never pulls.
/// \source Cundall and Strack 1979; clipping as in Schreck et al. 2024
template <class Real>
SCREE_HD inline NormalContact<Real> linear_contact(Real stiffness, Real damping, Real overlap, Real separation_speed) {
  const Real force = larger(Real(0), stiffness * overlap - damping * separation_speed);
  const Real clipped = overlap > 0 ? force : Real(0);
  return {clipped, clipped, stiffness, damping, 0};
}

/// k d^2/2 [J].
template <class Real>
SCREE_HD inline Real linear_energy(Real stiffness, Real overlap) {
  const Real depth = larger(Real(0), overlap);
  return stiffness * depth * depth / 2;
}

/// Duration of a head-on contact without dashpot [s]: pi sqrt(m/k). With one it takes longer, but must be resolved as
/// finely.
template <class Real>
SCREE_HD inline Real linear_duration(Real stiffness, Real reduced_mass) {
  return Real(3.14159265358979323846) * std::sqrt(reduced_mass / stiffness);
}

}  // namespace scree::compliant
