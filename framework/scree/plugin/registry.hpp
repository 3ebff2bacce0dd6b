#pragma once
/// \file Registry of methods: factories by kind and name, from plugins loaded at run time.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/plugin/plugin.hpp"
#include "scree/scene/read_scene.hpp"

namespace scree {

/// Factory as listed by `scree plugins`.
struct FactoryInfo {
  std::string kind, name;    ///< "shape", "star"
  std::string plugin;        ///< name of the plugin that registered it
  std::string version;       ///< version of the plugin
  std::string library;       ///< file of the plugin
  std::uint64_t hash = 0;    ///< hash of that file's content; 0 for linked-in plugins
  std::string description;   ///< description in the schema
  std::string schema;        ///< JSON Schema of the options, as text
  bool taken_twice = false;  ///< true if another plugin registers the name too: it cannot be used
};

/// Library that could not be used, and the reason; the message begins with the library's file name.
struct PluginFailure {
  std::string library;
  std::string message;
};

/// Folders and libraries to search.
struct PluginSearch {
  std::vector<std::string> required;  ///< from --plugin-path: must exist, and a named library must load
  std::vector<std::string> optional;  ///< from SCREE_PLUGIN_PATH and beside libscree: skipped if missing
};

/// Returns the search order: --plugin-path, then SCREE_PLUGIN_PATH (colon separated), then scree/plugins in the folder
/// of libscree.
SCREE_API PluginSearch default_plugin_search(const std::vector<std::string>& plugin_paths = {});

/// Reaction to a crash of a plugin's initialisers while its library is opened.
enum class OnCrash {
  leave_alone,  ///< none; no handler of signals is touched
  end_program   ///< exit code 2 with a message that names the library: for scree's own programs
};

/// Factories of all loaded plugins.
class SCREE_API Registry {
 public:
  explicit Registry(OnCrash on_crash = OnCrash::leave_alone);
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  /// Loads every plugin found. A library that cannot be used is skipped and listed in failures(). A name that two
  /// libraries register cannot be used, which is listed in warnings().
  /// \throws InputError if a required folder or library does not exist, or a required library cannot be used
  void load(const PluginSearch& search);

  /// Loads one library; it stays loaded until the program ends.
  /// \throws InputError that names the library and its fault; the registry is then unchanged
  void load_library(const std::string& file);

  /// Registers linked-in factories, as tests do.
  /// \throws InputError as load_library() does
  void add(const std::string& plugin, const std::string& version, const std::string& library,
           const std::function<void(Registrar&)>& register_factories);

  /// Returns a factory. \throws InputError that suggests the nearest name and lists the loaded ones
  template <class Factory>
  const Factory& get(const std::string& name) const {
    return std::get<Factory>(find(kKinds[AnyFactory(Factory{}).index()], name).factory);
  }
  const SceneShapeFactory& shape(const std::string& name) const { return get<SceneShapeFactory>(name); }
  const DetectorFactory& detector(const std::string& name) const { return get<DetectorFactory>(name); }
  const LawFactory& law(const std::string& name) const { return get<LawFactory>(name); }
  const IntegratorFactory& integrator(const std::string& name) const { return get<IntegratorFactory>(name); }
  const PackingFactory& packing(const std::string& name) const { return get<PackingFactory>(name); }
  const BondLawFactory& bond_law(const std::string& name) const { return get<BondLawFactory>(name); }
  const ModifierFactory& modifier(const std::string& name) const { return get<ModifierFactory>(name); }
  const ObserverFactory& observer(const std::string& name) const { return get<ObserverFactory>(name); }
  const EngineFactory& engine(const std::string& name) const { return get<EngineFactory>(name); }

  /// Returns the names of the usable factories of a kind, sorted.
  std::vector<std::string> names(const std::string& kind) const;
  /// Returns all factories, by kind in the order of the data flow, then by name.
  std::vector<FactoryInfo> list() const;
  const std::vector<PluginFailure>& failures() const { return failures_; }
  /// Warnings of names registered twice: a sentence for each library that registers some.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// Returns the options of a factory with all defaults; nothing if some option has no default.
  std::optional<Options> default_options(const std::string& kind, const std::string& name) const;
  /// Returns the names of laws whose schema lists this face under "x-scree-faces", for messages.
  std::vector<std::string> laws_with_face(const std::string& face) const;

  /// Returns the complete JSON Schema of a scene: the envelope with the options of all loaded plugins.
  std::string scene_schema() const;

 private:
  friend SCREE_API Scene read_scene(const std::string&, SceneInputs, const Registry&);
  friend SCREE_API Scene parse_scene(const std::string&, std::string_view, SceneInputs, const Registry&);
  struct Entry {
    FactoryInfo info;
    AnyFactory factory;
  };
  class Collector;
  void load_folder(const std::string& folder);
  void try_library(const std::string& file);
  void add(const FactoryInfo& plugin, const std::function<void(Registrar&)>& register_factories);
  void take(const std::string& library, std::vector<Entry> entries);
  Entry* rival_of(const Entry& entry);
  const Entry& find(const std::string& kind, const std::string& name) const;
  std::string failures_text() const;
  SceneInputs completed(SceneInputs inputs) const;
  void check_names(const Scene& scene) const;

  OnCrash on_crash_;
  std::map<std::string, std::map<std::string, Entry>> entries_;  ///< by kind, by name
  std::map<std::string, std::string>
      clashes_;  ///< "kind/name" registered twice -> message: unusable, since the choice is unclear
  std::vector<PluginFailure> failures_;
  std::vector<std::string> warnings_;
  std::vector<std::string> libraries_;  ///< canonical paths of libraries that were loaded or tried
};

/// Reads a scene and checks it against all loaded plugins.
/// \param inputs  all except the schema and failed plugins, which the registry adds
/// \throws InputError
SCREE_API Scene read_scene(const std::string& file, SceneInputs inputs, const Registry& registry);
/// Reads a scene from text and checks it against all loaded plugins.
SCREE_API Scene parse_scene(const std::string& file, std::string_view text, SceneInputs inputs,
                            const Registry& registry);

}  // namespace scree
