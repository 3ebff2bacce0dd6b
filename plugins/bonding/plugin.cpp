#include "scree/plugin/plugin.hpp"

#include "bond_maker.hpp"

SCREE_PLUGIN(bonding, "1.0.0") {
  using namespace scree;
  registrar.modifier("bond-maker",
                     [](const Options& options) { return std::make_unique<bonding::BondMaker>(options); });
}
