#include "scree/sim/bond_mechanics.hpp"

#include <algorithm>
#include <limits>

namespace scree {

BondMechanics::BondMechanics(World& world, const Methods& methods)
    : world_(world), methods_(methods), bound_(methods.bonds.size()) {}

void BondMechanics::refresh() {
  const Bonds& bonds = world_.bonds();
  if (layout_ == world_.layout_version() && version_ == bonds.version()) return;
  layout_ = world_.layout_version();
  version_ = bonds.version();
  for (Bound& bound : bound_) bound = {};
  for (std::uint32_t k = 0; k < bonds.size(); ++k) {
    if (!bonds.whole(k)) continue;
    Bound& bound = bound_[bonds.entry[k]];
    bound.bond.push_back(k);
    bound.a.push_back(static_cast<std::uint32_t>(*world_.row(bonds.a[k])));
    bound.b.push_back(static_cast<std::uint32_t>(*world_.row(bonds.b[k])));
    bound.section.push_back(bonds.section[k]);
    bound.branch.push_back(bonds.branch[k]);
    bound.made_a.push_back(bonds.made_a[k]);
    bound.made_b.push_back(bonds.made_b[k]);
  }
  terms_.clear();
  for (std::size_t g = 0; g < bound_.size(); ++g) {
    const Bound& bound = bound_[g];
    methods_.bonds[g].law->bind({bound.a, bound.b, bound.section, bound.branch, bound.made_a, bound.made_b},
                                world_.size());
    if (methods_.bonds[g].energy) terms_.push_back(methods_.bonds[g].energy);
  }
}

std::span<const Wrench> BondMechanics::wrenches() {
  if (!any()) return {};
  refresh();
  wrench_.assign(world_.size(), Wrench{});
  for (const BondGroup& group : methods_.bonds)
    if (group.forces) group.forces->add_wrenches(configuration(), wrench_);
  return wrench_;
}

double BondMechanics::energy() {
  if (!any()) return 0;
  refresh();
  double sum = 0;
  for (const BondGroup& group : methods_.bonds)
    if (group.forces) sum += group.forces->energy(configuration());
  return sum;
}

std::size_t BondMechanics::break_overloaded(double time, double worst_part) {
  if (!any() || std::ranges::none_of(methods_.bonds, [](const BondGroup& g) { return g.law->can_break(); })) return 0;
  refresh();
  std::vector<std::vector<double>> use(bound_.size());
  double worst = 0;
  for (std::size_t g = 0; g < bound_.size(); ++g) {
    if (!methods_.bonds[g].law->can_break()) continue;
    use[g].resize(bound_[g].bond.size());
    methods_.bonds[g].law->utilisation(configuration(), use[g]);
    for (const double u : use[g]) worst = std::max(worst, u);
  }
  if (!(worst > 1)) return 0;
  const double limit = std::max(1.0, worst_part * worst);
  std::vector<std::uint32_t> broken;
  for (std::size_t g = 0; g < bound_.size(); ++g)
    for (std::size_t k = 0; k < use[g].size(); ++k)
      if (use[g][k] > 1 && use[g][k] >= limit) broken.push_back(bound_[g].bond[k]);
  world_.bonds().break_bonds(broken, time);
  tolerate(broken);
  return broken.size();
}

void BondMechanics::tolerate(std::span<const std::uint32_t> broken) {
  const Bonds& bonds = world_.bonds();
  const auto x = world_.position.read();
  const auto r = world_.radius.read();
  std::vector<Bonds::Tolerated> pairs;
  for (const std::uint32_t k : broken) {
    const std::size_t i = *world_.row(bonds.a[k]), j = *world_.row(bonds.b[k]);
    pairs.push_back({bonds.a[k], bonds.b[k], std::max(0.0, r[i] + r[j] - (x[j] - x[i]).norm())});
  }
  world_.bonds().tolerate(std::move(pairs));
}

double BondMechanics::stable_time_step() {
  refresh();
  const auto inertia = world_.inertia.read();
  std::vector<double> moment(world_.size());
  for (std::size_t i = 0; i < moment.size(); ++i) moment[i] = inertia[i].minCoeff();
  double smallest = std::numeric_limits<double>::infinity();
  for (const BondGroup& group : methods_.bonds)
    if (group.forces)
      smallest = std::min(smallest, group.forces->stable_time_step(configuration(), world_.mass.read(), moment));
  return smallest;
}

}  // namespace scree
