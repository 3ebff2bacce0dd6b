/// \file Bending and twist that stay, by perfect plasticity.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bond/elastic_rod.hpp"
#include "scree/base/parallel.hpp"

namespace scree::rods {

/// Eq. (10). After each step the rest follows until no moment is beyond the one at which it yields.
bool ElasticRod::end_step(const Configuration& x, std::span<double> memory) {
  std::vector<std::uint8_t> flowed(joints_.size());
  parallel_for(static_cast<std::ptrdiff_t>(joints_.size()), [&](std::ptrdiff_t k) {
    const auto i = static_cast<std::size_t>(k);
    const Vec3 flow = plastic_flow(joints_[i], state(x, joints_[i]), options_.yield, axis());
    flowed[i] = !flow.isZero(0);
    for (int n = 0; n < 3; ++n) memory[i * kRemembered + static_cast<std::size_t>(n)] += flow[n];
  });
  return std::ranges::find(flowed, 1) != flowed.end();
}

}  // namespace scree::rods
