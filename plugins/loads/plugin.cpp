#include "scree/plugin/plugin.hpp"

#include "external_load.hpp"

SCREE_PLUGIN(loads, "1.0.0") {
  using namespace scree;
  registrar.modifier("external-load",
                     [](const Options& options) { return std::make_unique<loads::ExternalLoad>(options); });
}
