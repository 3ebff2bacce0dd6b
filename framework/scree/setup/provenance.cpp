#include "scree/setup/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/scene/detail/json.hpp"

namespace scree {

namespace {

using Name = std::pair<std::string, std::string>;  ///< kind, name of a method

/// Returns the methods of a run without observers.
std::set<Name> deciding_methods(const Scene& scene, const Methods& methods) {
  std::set<Name> names;
  for (const NamedMethod& named : named_methods(scene))
    if (named.kind != "detector" && named.kind != "observer") names.emplace(named.kind, named.object->type);
  for (std::size_t i = 0; i < methods.detectors.size(); ++i) {
    const auto takes = [&](const Channel& channel) { return channel.detector == methods.detectors[i].get(); };
    if (std::ranges::any_of(methods.channels, takes)) names.emplace("detector", methods.detector_names[i]);
  }
  return names;
}

std::vector<PluginRecord> plugins_with(const std::set<Name>& methods, const std::vector<FactoryInfo>& list) {
  std::map<std::string, PluginRecord> found;
  for (const FactoryInfo& info : list)
    if (methods.count({info.kind, info.name}))
      found[info.plugin] = {info.plugin, info.version, fmt::format("{:016x}", info.hash)};
  std::vector<PluginRecord> plugins;
  for (const auto& [name, plugin] : found) plugins.push_back(plugin);
  return plugins;
}

Json to_json(const std::vector<PluginRecord>& plugins) {
  Json list = Json::array();
  for (const PluginRecord& p : plugins) list.push_back({{"name", p.name}, {"version", p.version}, {"hash", p.hash}});
  return list;
}

/// Returns a text with '?' in place of unprintable characters: texts of files from unknown sources are shown on
/// terminals.
std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

std::vector<PluginRecord> from_json(const Json& list) {
  std::vector<PluginRecord> plugins;
  for (const Json& p : list)
    plugins.push_back({printable(p.at("name")), printable(p.at("version")), printable(p.at("hash"))});
  return plugins;
}

}  // namespace

UsedPlugins used_plugins(const Scene& scene, const Methods& methods, const Registry& registry) {
  const std::vector<FactoryInfo> list = registry.list();
  std::set<Name> names = deciding_methods(scene, methods);
  UsedPlugins used;
  used.deciding = plugins_with(names, list);
  for (const HookDef& hook : scene.observers) names.emplace("observer", hook.object.type);
  used.all = plugins_with(names, list);
  return used;
}

std::string with_plugins(const std::string& resolved, const std::vector<PluginRecord>& plugins) {
  Json scene = Json::parse(resolved);
  scene["plugins"] = to_json(plugins);
  return scene.dump(2) + "\n";
}

std::vector<PluginRecord> plugins_of_scene(const std::string& resolved) {
  return from_json(Json::parse(resolved).value("plugins", Json::array()));
}

std::string plugins_to_text(const std::vector<PluginRecord>& plugins) { return to_json(plugins).dump(); }

std::vector<PluginRecord> plugins_from_text(const std::string& text, const std::string& file) {
  try {
    return from_json(Json::parse(text));
  } catch (const Json::exception&) {
    throw IoError(file + ": attribute \"plugins\" is no list of plugins. The checkpoint is damaged.");
  }
}

PluginChanges plugin_changes(const std::vector<PluginRecord>& then, const std::vector<PluginRecord>& now) {
  PluginChanges changes;
  for (const PluginRecord& p : then) {
    const auto same = std::ranges::find(now, p.name, &PluginRecord::name);
    if (same == now.end())
      changes.others.push_back(fmt::format("plugin \"{}\" {} was used, and is not now", p.name, p.version));
    else if (same->version != p.version)
      changes.others.push_back(
          fmt::format("plugin \"{}\" had version {}, and has {} now", p.name, p.version, same->version));
    else if (same->hash != p.hash)
      changes.rebuilt.push_back(fmt::format("plugin \"{}\" {} comes from another file (hash {} then, {} now)", p.name,
                                            p.version, p.hash, same->hash));
  }
  return changes;
}

}  // namespace scree
