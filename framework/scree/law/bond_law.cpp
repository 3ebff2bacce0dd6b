#include "scree/law/bond_law.hpp"

#include "scree/law/bond_columns.hpp"

namespace scree {

HessianSink::~HessianSink() = default;
EnergyTerm::~EnergyTerm() = default;
BondForces::~BondForces() = default;
BondJoints::~BondJoints() = default;
BondColumns::~BondColumns() = default;

BondLaw::~BondLaw() = default;
std::string BondLaw::fault(const BondView&) const { return {}; }
void BondLaw::list_links(std::vector<ChainLink>&) const {}
void BondLaw::begin_step(const Configuration&, double) {}
bool BondLaw::end_step(const Configuration&, std::span<double>) { return false; }
std::string BondLaw::balance(const BondView&, std::span<const Wrench>, std::span<double>) const { return {}; }

}  // namespace scree
