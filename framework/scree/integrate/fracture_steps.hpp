#pragma once
/// \file "fracture-steps/1": how often an integrator that takes bonds implicitly looks whether they break.

#include <string_view>

namespace scree {

/// A face of integrators that divide their steps. Plain data. Others look once per step.
struct FractureSteps {
  static constexpr std::string_view kName = "fracture-steps/1";
  double longest = 0;            ///< time between two looks, at most; 0: dt [s]
  std::string_view option = "";  ///< where it is set: "/integrator/..."
};

}  // namespace scree
