#include "scree/law/bond_law.hpp"

#include "scree/law/bond_columns.hpp"
#include "scree/law/bond_memory.hpp"
#include "scree/law/bond_rates.hpp"

namespace scree {

HessianSink::~HessianSink() = default;
EnergyTerm::~EnergyTerm() = default;
BondLaw::~BondLaw() = default;
BondForces::~BondForces() = default;
BondJoints::~BondJoints() = default;
BondChain::~BondChain() = default;
BondNeeds::~BondNeeds() = default;
BondRates::~BondRates() = default;
BondColumns::~BondColumns() = default;
BondMemory::~BondMemory() = default;
BondBalance::~BondBalance() = default;

}  // namespace scree
