#include "incremental/stable_step.hpp"

#include <cmath>
#include <limits>

#include "beam/modes.hpp"
#include "scree/base/parallel.hpp"

namespace scree::bonded {

double stable_time_step(const BondTerm& bonds, const Configuration& x, std::span<const double> mass,
                        std::span<const double> moment) {
  std::vector<double> live(x.size(), 0);
  for (std::size_t k = 0; k < bonds.items(); ++k)
    if (!bonds.broken(k)) ++live[bonds.pairs()[k].first], ++live[bonds.pairs()[k].second];
  constexpr std::ptrdiff_t kFrom = 100;
  const double largest = parallel_max(
      static_cast<std::ptrdiff_t>(bonds.items()),
      [&](std::ptrdiff_t k) -> double {
        const auto bond = static_cast<std::size_t>(k);
        if (bonds.broken(bond)) return 0;
        const auto& [a, b] = bonds.pairs()[bond];
        Vector12 root;
        root << Vec3::Constant(std::sqrt(live[a] / mass[a])), Vec3::Constant(std::sqrt(live[a] / moment[a])),
            Vec3::Constant(std::sqrt(live[b] / mass[b])), Vec3::Constant(std::sqrt(live[b] / moment[b]));
        return eigenvalues_of(root.asDiagonal() * whole(bonds.hessian_of(x, bond)) * root.asDiagonal())[11];
      },
      kFrom);
  return largest > 0 ? 2 / std::sqrt(largest) : std::numeric_limits<double>::infinity();
}

}  // namespace scree::bonded
