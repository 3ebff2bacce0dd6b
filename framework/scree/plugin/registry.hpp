#pragma once
/// \file All methods a run can choose from: factories by kind and name, from plugins loaded at run time.

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

/// A factory as it is listed: `scree plugins`.
struct FactoryInfo {
  std::string kind, name;    ///< "shape", "star"
  std::string plugin;        ///< name of the plugin that registered it
  std::string version;       ///< of the plugin
  std::string library;       ///< file of the plugin
  std::uint64_t hash = 0;    ///< of that file's content; 0 for what is linked in
  std::string description;   ///< from the schema
  std::string schema;        ///< JSON Schema of the options, as text
  bool taken_twice = false;  ///< another plugin registers the name too: it cannot be used
};

/// A library that could not be used, and why; the message begins with the library's file name.
struct PluginFailure {
  std::string library;
  std::string message;
};

/// Folders and libraries to look into.
struct PluginSearch {
  std::vector<std::string> required;  ///< from --plugin-path: must exist, and a library named here must load
  std::vector<std::string> optional;  ///< from SCREE_PLUGIN_PATH and beside libscree: skipped when not there
};

/// The search order: --plugin-path, then SCREE_PLUGIN_PATH (colon separated), then scree/plugins in the folder of
/// libscree.
SCREE_API PluginSearch default_plugin_search(const std::vector<std::string>& plugin_paths = {});

/// What happens when a plugin's initialisers crash while its library is opened.
enum class OnCrash {
  leave_alone,  ///< nobody catches it; no handler of signals is touched
  end_program   ///< exit code 2 with a message that names the library: for programs that are scree's own
};

class SCREE_API Registry {
 public:
  explicit Registry(OnCrash on_crash = OnCrash::leave_alone);
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  /// Loads every plugin found. A library that cannot be used is skipped and listed in failures(); a name that two
  /// libraries register cannot be used, which warnings() tells.
  /// \throws InputError when a required folder or library is not there, or a required library cannot be used
  void load(const PluginSearch& search);

  /// Loads one library; it stays loaded until the program ends.
  /// \throws InputError that names the library and what is wrong with it; the registry is unchanged then
  void load_library(const std::string& file);

  /// Registers factories that are linked in, as tests do.
  /// \throws InputError as load_library() does
  void add(const std::string& plugin, const std::string& version, const std::string& library,
           const std::function<void(Registrar&)>& register_factories);

  /// \throws InputError that suggests the nearest name and lists what is loaded
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

  /// Names of the factories of a kind that can be used, sorted.
  std::vector<std::string> names(const std::string& kind) const;
  /// All factories, by kind in the order of the data flow, then by name.
  std::vector<FactoryInfo> list() const;
  const std::vector<PluginFailure>& failures() const { return failures_; }
  /// Names taken twice: a sentence for each library that takes some.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// The options of a factory where the user gives none; nothing when some option has no default.
  std::optional<Options> default_options(const std::string& kind, const std::string& name) const;
  /// Names of the laws whose schema lists this face under "x-scree-faces", for messages.
  std::vector<std::string> laws_with_face(const std::string& face) const;

  /// The complete JSON Schema of a scene: the envelope with the options of everything loaded.
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
      clashes_;  ///< "kind/name" registered twice -> message: unusable, for who knows which
  std::vector<PluginFailure> failures_;
  std::vector<std::string> warnings_;
  std::vector<std::string> libraries_;  ///< canonical paths of what was loaded or tried
};

/// Reads a scene against everything loaded.
/// \param inputs  all but the schema and what was not loaded, which the registry knows
/// \throws InputError
SCREE_API Scene read_scene(const std::string& file, SceneInputs inputs, const Registry& registry);
SCREE_API Scene parse_scene(const std::string& file, std::string_view text, SceneInputs inputs,
                            const Registry& registry);

}  // namespace scree
