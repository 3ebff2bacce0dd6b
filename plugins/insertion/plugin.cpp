#include "scree/plugin/plugin.hpp"

#include "emitter.hpp"
#include "outlet.hpp"

SCREE_PLUGIN(insertion, "1.0.0") {
  using namespace scree;
  registrar.modifier("outlet", [](const Options& options) { return std::make_unique<insertion::Outlet>(options); });
  registrar.modifier("emitter", [](const Options& options) { return std::make_unique<insertion::Emitter>(options); });
}
