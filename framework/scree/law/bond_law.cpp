#include "scree/law/bond_law.hpp"

namespace scree {

HessianSink::~HessianSink() = default;
EnergyTerm::~EnergyTerm() = default;
BondLaw::~BondLaw() = default;
BondForces::~BondForces() = default;
BondJoints::~BondJoints() = default;
BondChain::~BondChain() = default;
BondNeeds::~BondNeeds() = default;

}  // namespace scree
