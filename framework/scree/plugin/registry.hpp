#pragma once
/// \file All methods a run can choose from: factories by kind and name, from plugins loaded at run time.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/plugin/plugin.hpp"
#include "scree/scene/read_scene.hpp"

namespace scree {

/// A factory as it is listed: `scree plugins`.
struct FactoryInfo {
  std::string kind, name;   ///< "shape", "star"
  std::string plugin;       ///< name of the plugin that registered it
  std::string version;      ///< of the plugin
  std::string library;      ///< file of the plugin
  std::string description;  ///< from the schema
  std::string schema;       ///< JSON Schema of the options, as text
};

/// A library that could not be used, and why; the message begins with the library's file name.
struct PluginFailure {
  std::string library;
  std::string message;
};

/// Folders and libraries to look into.
struct PluginSearch {
  std::vector<std::string> required;  ///< from --plugin-path: must exist, and a library named here must load
  std::vector<std::string> optional;  ///< from SCREE_PLUGIN_PATH and beside the program: skipped when not there
};

/// The search order of the program: --plugin-path, then SCREE_PLUGIN_PATH (colon separated), then ../lib/scree/plugins
/// relative to the program.
SCREE_API PluginSearch default_plugin_search(const std::vector<std::string>& plugin_paths = {});

class SCREE_API Registry {
 public:
  using AnyFactory = std::variant<ShapeFactory, DetectorFactory, LawFactory, IntegratorFactory, PackingFactory,
                                  ModifierFactory, ObserverFactory>;

  Registry();
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  /// Loads every plugin found. A library that cannot be used is skipped and listed in failures().
  /// \throws InputError when a required folder or library is not there, or a required library cannot be used
  void load(const PluginSearch& search);

  /// Loads one library; it stays loaded until the program ends.
  /// \throws InputError that names the library and what is wrong with it; the registry is unchanged then
  void load_library(const std::string& file);

  /// Registers factories that are linked in, as tests do.
  /// \throws InputError as load_library() does
  void add(const std::string& plugin, const std::string& version, const std::string& library,
           const std::function<void(Registrar&)>& register_factories);

  /// Make the objects a scene asks for.
  /// \throws InputError when no factory has that name (suggests the nearest), or two plugins registered it
  /// \throws OptionError from the factory, for the caller to put the place in front
  std::shared_ptr<const Shape> make_shape(const ObjectDef& object) const;
  std::unique_ptr<ContactDetector> make_detector(const ObjectDef& object) const;
  std::unique_ptr<ContactLaw> make_law(const ObjectDef& object, const LawContext& context) const;
  std::unique_ptr<Integrator> make_integrator(const ObjectDef& object) const;
  std::vector<Placement> make_packing(const ObjectDef& object, const PackingContext& context) const;
  std::unique_ptr<Modifier> make_modifier(const ObjectDef& object) const;
  std::unique_ptr<Observer> make_observer(const ObjectDef& object) const;

  /// An object with every option at its default; options without one are left out.
  ObjectDef default_object(const std::string& kind, const std::string& name) const;
  /// Names of the laws that offer a face. A law is tried with its defaults, and plausible values for what is required.
  std::vector<std::string> laws_with_face(std::string_view face) const;

  /// Names of the factories of a kind, sorted.
  std::vector<std::string> names(const std::string& kind) const;
  /// All factories, by kind in the order of the data flow, then by name.
  std::vector<FactoryInfo> list() const;
  const std::vector<PluginFailure>& failures() const { return failures_; }

  /// The complete JSON Schema of a scene: the envelope with the options of everything loaded.
  std::string scene_schema() const;

 private:
  friend SCREE_API Scene read_scene(const std::string&, const std::vector<std::string>&, const Registry&);
  struct Entry {
    FactoryInfo info;
    AnyFactory factory;
  };
  class Collector;
  void load_folder(const std::string& folder);
  void try_library(const std::string& file);
  void check_new(const std::string& library, const std::vector<Entry>& entries);
  const Entry& find(const std::string& kind, const std::string& name) const;
  template <class Factory, class... Context>
  auto make(const char* kind, const ObjectDef& object, const Context&... context) const;
  std::string failures_text() const;

  std::map<std::string, std::map<std::string, Entry>> entries_;  ///< by kind, by name
  std::map<std::string, std::string>
      clashes_;  ///< "kind/name" registered twice -> message: unusable, for who knows which
  std::vector<PluginFailure> failures_;
  std::vector<std::string> libraries_;  ///< canonical paths of what was loaded or tried
};

/// Reads a scene against everything loaded.
/// \param sets  "/pointer=value" from --set
/// \throws InputError
SCREE_API Scene read_scene(const std::string& file, const std::vector<std::string>& sets, const Registry& registry);

}  // namespace scree
