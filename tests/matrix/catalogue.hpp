#pragma once
/// \file All that is loaded, with the options its authors give as examples: a plugin that somebody adds is in it
/// unedited.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "conformance/encounter.hpp"
#include "scenes.hpp"

namespace scree::test {

using namespace conformance;

/// Makes a registry's shapes once for the same options: thousands of mixes ask for the same, and some take long to make.
inline void keep_shapes(Registry& registry) {
  for (const std::string& name : registry.names("shape")) {
    auto& factory = const_cast<SceneShapeFactory&>(registry.shape(name));
    using Kept = std::map<std::pair<std::string, int>, std::shared_ptr<const Shape>>;
    factory = [make = factory, kept = std::make_shared<Kept>()](const Options& options, const ShapeContext& context) {
      auto& shape = (*kept)[{options.dump(), context.dimension}];
      if (!shape) shape = make(options, context);
      return shape;
    };
  }
}

/// All plugins of the build, and a third party's, which is on the plugin path and nowhere else.
inline const Registry& all_plugins() {
  static const Registry& registry = *[] {
    auto* r = new Registry;
    r->load(default_plugin_search({SCREE_FOREIGN_PLUGIN}));
    for (const PluginFailure& failure : r->failures()) throw Error(failure.message);
    keep_shapes(*r);
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
