#pragma once
/// \file Reads a scene file: JSON text -> validated Scene.

#include <string>
#include <string_view>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

/// What else it takes to read a scene.
struct SceneInputs {
  std::string schema;             ///< the complete JSON Schema, plugins' options included; empty: the envelope alone
  std::vector<std::string> sets;  ///< "/pointer=value" from --set, applied in order before validation
  std::string unloaded;  ///< plugins that failed to load: named where the scene has a type that nobody registered
  /// Folders besides the scene's own whose files a scene may name: it may come from a stranger.
  std::vector<std::string> allow_paths = {};
  /// Folder that results go to, in which alone a scene may name folders to write to; empty: out/<scene name>.
  std::string out = {};
};

/// \throws InputError that lists every fault found, one per line, in the order of the file
SCREE_API Scene read_scene(const std::string& file, const SceneInputs& inputs);

/// The same for a text that stands in no file.
/// \param file  name for messages; its folder is what relative file names are relative to
SCREE_API Scene parse_scene(const std::string& file, std::string_view text, const SceneInputs& inputs);

/// The JSON Schema of a scene without the options of plugins: schemas/scene.schema.json.
SCREE_API const char* scene_envelope_schema();

}  // namespace scree
