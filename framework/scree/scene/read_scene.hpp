#pragma once
/// \file Reads a scene file: JSON text -> validated Scene.

#include <string>
#include <string_view>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

/// Further inputs for reading a scene.
struct SceneInputs {
  std::string schema;             ///< complete JSON Schema, plugins' options included; empty: only the envelope
  std::vector<std::string> sets;  ///< "/pointer=value" from --set, applied in order before validation
  std::string unloaded;           ///< plugins that failed to load: named if the scene has a type that is not registered
  /// Folders besides the scene's own whose files a scene may name: it may come from an unknown source.
  std::vector<std::string> allow_paths = {};
  /// Folder of results. A scene may name folders to write to only inside of it. Empty: out/<scene name>.
  std::string out = {};
  /// Languages whose code a scene may run, such as "python". It may come from an unknown source.
  std::vector<std::string> allow_code = {};
};

/// Reads and validates a scene file. \throws InputError that lists every fault found, one per line, in the order of the
/// file
SCREE_API Scene read_scene(const std::string& file, const SceneInputs& inputs);

/// Reads and validates a scene given as text.
/// \param file  name for messages; relative file names are relative to its folder
SCREE_API Scene parse_scene(const std::string& file, std::string_view text, const SceneInputs& inputs);

/// JSON Schema of a scene without the options of plugins: schemas/scene.schema.json.
SCREE_API const char* scene_envelope_schema();

}  // namespace scree
