#pragma once
/// \file "bond-rates/1": bonds that resist how fast they deform, in steps that take their energies implicitly.

#include <string_view>

#include "scree/law/energy_term.hpp"

namespace scree {

/// A face of bond laws, beside EnergyTerm. Bonds of such a law cannot act by forces, which know no rates: integrators
/// that ask for forces are refused. A rate is the change since the beginning of the step over the time since then.
class SCREE_API BondRates {
 public:
  static constexpr std::string_view kName = "bond-rates/1";
  virtual ~BondRates();
  /// Energies asked for from here on contain what rates cost, until the next call or BondLaw::bind().
  /// \param x     state at the beginning of the step
  /// \param time  from there to the configurations that energies will be asked of [s], > 0
  virtual void begin_step(const Configuration& x, double time) const = 0;
};

}  // namespace scree
