// A good plugin; two of it register the same law, and each a shape of its own.
#include "scree/plugin/plugin.hpp"

#define NAMED_PLUGIN(name) SCREE_PLUGIN(name, "1.0.0")
NAMED_PLUGIN(TWIN) {
  registrar.law("twin", [](const scree::Options&, const scree::LawContext&) { return nullptr; });
  registrar.shape(SCREE_STRINGIZE(TWIN), [](const scree::Options&) { return nullptr; });
}
