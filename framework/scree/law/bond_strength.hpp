#pragma once
/// \file "bond-strength/1": how stiff and how strong a solid of such bonds is, for who judges the steps of a run.

#include <string_view>

namespace scree {

/// A face of bond laws that break. Plain data, the same from the law's making on.
struct BondStrength {
  static constexpr std::string_view kName = "bond-strength/1";
  double modulus = 0;   ///< Young's modulus of a solid that such bonds make up, to some 20 % [Pa]
  double strength = 0;  ///< stress at which it fails, of the weaker of tension and shear [Pa]
};

}  // namespace scree
