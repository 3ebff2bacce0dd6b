#pragma once
/// \file Plugins of a run: named in its files, compared when it is resumed.

#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/model/methods.hpp"
#include "scree/output/summary.hpp"
#include "scree/plugin/registry.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

/// Plugins of a run, by name.
struct UsedPlugins {
  std::vector<PluginRecord> all;
  std::vector<PluginRecord> deciding;  ///< plugins without those of observers, which change nothing
};

/// Returns the plugins of a scene. \param methods  with the chosen detectors
SCREE_API UsedPlugins used_plugins(const Scene& scene, const Methods& methods, const Registry& registry);

/// Returns the resolved scene with the plugins used now in its key `plugins`.
SCREE_API std::string with_plugins(const std::string& resolved, const std::vector<PluginRecord>& plugins);

/// Returns the plugins that a resolved scene names; none if it was not written by a run.
SCREE_API std::vector<PluginRecord> plugins_of_scene(const std::string& resolved);

/// Returns the plugins as a line of text for a checkpoint.
SCREE_API std::string plugins_to_text(const std::vector<PluginRecord>& plugins);
/// Returns the plugins of a line from plugins_to_text().
/// \param file  file of the checkpoint, for messages
/// \throws IoError if the text is no such line
SCREE_API std::vector<PluginRecord> plugins_from_text(const std::string& text, const std::string& file);

/// Differences between the current plugins and those of an earlier run: sentences.
struct PluginChanges {
  std::vector<std::string> others;   ///< plugins of another version, or missing ones: results will differ
  std::vector<std::string> rebuilt;  ///< plugins of the same version from another file: results may differ
};
/// Compares plugins of an earlier run with the current ones.
SCREE_API PluginChanges plugin_changes(const std::vector<PluginRecord>& then, const std::vector<PluginRecord>& now);

}  // namespace scree
