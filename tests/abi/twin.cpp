// A good plugin; two of it register the same name.
#include "scree/plugin/plugin.hpp"

#define NAMED_PLUGIN(name) SCREE_PLUGIN(name, "1.0.0")
NAMED_PLUGIN(TWIN) {
  registrar.law("twin", [](const scree::Options&, const scree::LawContext&) { return nullptr; });
}
