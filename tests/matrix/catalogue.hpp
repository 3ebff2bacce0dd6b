#pragma once
/// \file All that is loaded, with the options its authors give as examples: a plugin that somebody adds is in it
/// unedited.

#include <string>
#include <vector>

#include "catch.hpp"
#include "conformance/encounter.hpp"
#include "scenes.hpp"

namespace scree::test {

using namespace conformance;

/// All plugins of the build, and a third party's, which is on the plugin path and nowhere else.
inline const Registry& all_plugins() {
  static const Registry& registry = *[] {
    auto* r = new Registry;
    r->load(default_plugin_search({SCREE_FOREIGN_PLUGIN}));
    for (const PluginFailure& failure : r->failures()) throw Error(failure.message);
    return r;
  }();
  return registry;
}

inline Json schema_of(const std::string& kind, const std::string& name) {
  return conformance::schema_of(all_plugins(), kind, name);
}
inline std::vector<Json> examples(const std::string& kind) { return conformance::examples(all_plugins(), kind); }
inline std::vector<Figure> figures(int dimension) { return conformance::figures(all_plugins(), dimension); }
inline void for_all_meetings(int dimension, const std::function<void(const Encounter&)>& use) {
  conformance::for_all_meetings(all_plugins(), {.dimension = dimension}, use);
}

}  // namespace scree::test
