#pragma once
/// \file Strengths of bonds that differ from bond to bond.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "beam/fracture.hpp"
#include "scree/base/philox.hpp"

namespace scree::bonded {

/// Least strength of a bond, as a share of the mean: a normal distribution has no lower end.
inline constexpr double kLeastStrength = 0.01;

/// Returns the strengths of one bond, independent of each other and normally distributed, as in Potyondy and Cundall
/// (2004). They depend on the seed and the ids alone. Two normal numbers come from two uniform ones.
/// \source Box and Muller, Ann. Math. Stat. 29 (1958) 610
/// \param mean  [Pa]  \param scatter  standard deviation over the mean [-]  \param a, b  ids of the bodies
inline SectionStress<double> scattered(const SectionStress<double>& mean, double scatter, std::uint64_t seed, Id a,
                                       Id b) {
  const auto [u, v] = RandomStream(seed, "strength of bonds")
                          .pair(a, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32));
  const double spread = scatter * std::sqrt(-2 * std::log(u)), angle = 2 * std::numbers::pi * v;
  return {mean.tension * std::max(kLeastStrength, 1 + spread * std::cos(angle)),
          mean.shear * std::max(kLeastStrength, 1 + spread * std::sin(angle))};
}

}  // namespace scree::bonded
