// A bond law for scree: places of joined bodies in, forces out.

#include "@name@.hpp"

#include <scree/plugin/plugin.hpp>

#include <algorithm>
#include <cmath>

namespace @name@ {

using scree::Configuration;
using scree::Vec3;

void Bond::bind(const scree::BondView& bonds, std::size_t) {
  bonds_.clear();
  for (std::size_t k = 0; k < bonds.size(); ++k) bonds_.push_back({bonds.a[k], bonds.b[k], bonds.branch[k].norm()});
}

/// [m], < 0 where it is pressed.
double Bond::stretch(const Joined& bond, const Configuration& x) const {
  return (x.position[bond.b] - x.position[bond.a]).norm() - bond.length;
}

void Bond::utilisation(const Configuration& x, std::span<double> out) const {
  for (std::size_t k = 0; k < bonds_.size(); ++k) out[k] = std::max(0.0, stiffness_ * stretch(bonds_[k], x) / strength_);
}

void Bond::add_wrenches(const Configuration& x, std::span<scree::Wrench> out) const {
  for (const Joined& bond : bonds_) {
    const Vec3 pull = stiffness_ * stretch(bond, x) * (x.position[bond.b] - x.position[bond.a]).normalized();
    out[bond.a].force += pull;
    out[bond.b].force -= pull;
  }
}

double Bond::energy(const Configuration& x) const {
  double sum = 0;
  for (const Joined& bond : bonds_) sum += 0.5 * stiffness_ * stretch(bond, x) * stretch(bond, x);
  return sum;
}

/// Each body hangs on as many springs as it has bonds; a third of sqrt(m/k) is well below the limit.
double Bond::stable_time_step(const Configuration&, std::span<const double> mass, std::span<const double>) const {
  std::vector<int> springs(mass.size());
  for (const Joined& bond : bonds_) ++springs[bond.a], ++springs[bond.b];
  double step = 1e300;
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (springs[i] > 0 && mass[i] > 0) step = std::min(step, std::sqrt(mass[i] / (springs[i] * stiffness_)) / 3);
  return step;
}

}  // namespace @name@

SCREE_PLUGIN(@name@, "0.1.0") {
  registrar.bond_law("@name@", [](const scree::Options& o, const scree::BondLawContext&) {
    return std::make_unique<@name@::Bond>(o.number("stiffness"), o.number("strength"));
  });
}
