#pragma once
/// \file Which bonds a converged step breaks, eq. (34).

#include "incremental/bond_term.hpp"

namespace scree::bonded {

/// What a bond bears. (bonds) each.
struct StrengthColumns {
  std::span<const double> section;  ///< S [m^2]
  std::span<const double> tension;  ///< sigma_c [Pa]
  std::span<const double> shear;    ///< tau_c [Pa]
};

struct BreakOptions {
  FractureForm form = FractureForm::corrected;
  /// Of the bonds above their strength, break those loaded to at least this part of the worst: 0 breaks all, as the
  /// paper does; 0.9 and solving the same step again lets load find its new way first.
  double worst_part = 0;
};

/// Breaks what is above its strength. Energy of those bonds goes, momenta stay.
/// \return the bonds broken, ascending
std::vector<std::uint32_t> break_bonds(BondTerm& bonds, const Configuration& x, const StrengthColumns& strength,
                                       const BreakOptions& options = {});

}  // namespace scree::bonded
