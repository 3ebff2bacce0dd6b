#pragma once
/// \file "bond-steps/1": how an integrator that works with energies of bonds tells them that a step begins.

#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// An ability of Mechanics. An integrator that takes bonds implicitly calls it in every step, before it asks for
/// energies: bonds that resist rates (bond_rates.hpp) need it.
class SCREE_API BondSteps {
 public:
  static constexpr std::string_view kName = "bond-steps/1";
  virtual ~BondSteps();
  /// The World's state is that at the beginning of the step.
  /// \param time  from there to where energies will be asked: dt, or dt/2 for the midpoint rule [s]
  virtual void begin_bonds(double time) = 0;
};

}  // namespace scree
