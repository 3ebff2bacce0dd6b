#pragma once
/// \file Which plugins a run uses: named in its files, compared when it is resumed.

#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/methods.hpp"
#include "scree/output/summary.hpp"
#include "scree/plugin/registry.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

/// The plugins of a run, by name.
struct UsedPlugins {
  std::vector<PluginRecord> all;
  std::vector<PluginRecord> deciding;  ///< without those that only look on: observers
};

/// \param methods  with the detectors that were chosen
SCREE_API UsedPlugins used_plugins(const Scene& scene, const Methods& methods, const Registry& registry);

/// The resolved scene with its key `plugins` saying what is used now.
SCREE_API std::string with_plugins(const std::string& resolved, const std::vector<PluginRecord>& plugins);

/// The plugins that a resolved scene names; none where it is somebody's own.
SCREE_API std::vector<PluginRecord> plugins_of_scene(const std::string& resolved);

/// A line of text for a checkpoint, and back.
/// \param file  of the checkpoint, for messages
/// \throws IoError when the text is no such line
SCREE_API std::string plugins_to_text(const std::vector<PluginRecord>& plugins);
SCREE_API std::vector<PluginRecord> plugins_from_text(const std::string& text, const std::string& file);

/// How the current plugins differ from those of an earlier run: sentences.
struct PluginChanges {
  std::vector<std::string> others;   ///< another version, or gone: results will differ
  std::vector<std::string> rebuilt;  ///< the same version from another file: results may differ
};
SCREE_API PluginChanges plugin_changes(const std::vector<PluginRecord>& then, const std::vector<PluginRecord>& now);

}  // namespace scree
