#include "incremental/break_bonds.hpp"

#include <algorithm>

namespace scree::bonded {

std::vector<std::uint32_t> break_bonds(BondTerm& bonds, const Configuration& x, const StrengthColumns& strength,
                                       const BreakOptions& options) {
  std::vector<SectionForces<double>> forces(bonds.items());
  bonds.section_forces(x, forces);
  std::vector<double> use(bonds.items(), 0);
  double worst = 0;
  for (std::size_t k = 0; k < use.size(); ++k) {
    if (bonds.broken(k)) continue;
    const auto stress = section_stress(forces[k], strength.section[k], options.form);
    use[k] = utilisation(stress, {strength.tension[k], strength.shear[k]});
    worst = std::max(worst, use[k]);
  }
  const double limit = std::max(1.0, options.worst_part * worst);
  std::vector<std::uint32_t> broken;
  for (std::uint32_t k = 0; k < use.size(); ++k) {
    if (!(use[k] > 1) || use[k] < limit) continue;
    bonds.break_bond(k);
    broken.push_back(k);
  }
  return broken;
}

}  // namespace scree::bonded
