#pragma once
/// \file All that is loaded, with the options its authors give as examples: a plugin that somebody adds is in it
/// unedited.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.hpp"
#include "scenes.hpp"

namespace scree::test {

/// All plugins of the build, and a third party's.
inline const Registry& all_plugins() {
  static const Registry& registry = *[] {
    auto* r = new Registry;
    r->load(default_plugin_search());
    r->load_library(SCREE_FOREIGN_PLUGIN);
    for (const PluginFailure& failure : r->failures()) throw Error(failure.message);
    return r;
  }();
  return registry;
}

/// The schema of a method's options.
inline nlohmann::json schema_of(const std::string& kind, const std::string& name) {
  for (const FactoryInfo& info : all_plugins().list())
    if (info.kind == kind && info.name == name) return nlohmann::json::parse(info.schema);
  throw Error("no " + kind + " \"" + name + "\" is loaded");
}

/// The methods of a kind, each with the options its author gives as examples, or with none where all have defaults.
inline std::vector<nlohmann::json> examples(const std::string& kind) {
  std::vector<nlohmann::json> list;
  for (const FactoryInfo& info : all_plugins().list()) {
    if (info.kind != kind) continue;
    const auto schema = nlohmann::json::parse(info.schema);
    INFO(kind << "/" << info.name << " has options without defaults and no \"examples\"");
    REQUIRE((schema.contains("examples") || schema.value("required", nlohmann::json::array()).empty()));
    for (nlohmann::json options : schema.value("examples", nlohmann::json::array({nlohmann::json::object()}))) {
      options["type"] = info.name;
      list.push_back(options);
    }
  }
  return list;
}

}  // namespace scree::test
