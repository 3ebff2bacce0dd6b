#include "scree/plugin/plugin.hpp"

#include "cull/culling.hpp"
#include "writer/ledger_observer.hpp"

SCREE_PLUGIN(culling, "1.0.0") {
  using namespace scree;
  using namespace scree::culling;
  registrar.modifier("granular-culling",
                     [](const Options& options) { return std::make_unique<Culling>(read_settings(options)); });
  registrar.observer("culling-ledger", [](const Options& options) {
    return std::make_unique<LedgerObserver>(options.boolean("pictures"));
  });
}
