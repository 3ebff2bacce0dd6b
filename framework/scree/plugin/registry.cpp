#define BOOST_DLL_USE_STD_FS
#include "scree/plugin/registry.hpp"

#include <algorithm>
#include <boost/dll/runtime_symbol_info.hpp>
#include <cstdlib>
#include <filesystem>

#include "scree/base/error.hpp"
#include "scree/plugin/detail/check_schemas.hpp"
#include "scree/plugin/detail/guarded_factory.hpp"
#include "scree/plugin/detail/library.hpp"
#include "scree/plugin/detail/loading_guard.hpp"
#include "scree/scene/detail/compose_schema.hpp"
#include "scree/scene/detail/schema.hpp"

namespace scree {

Registrar::~Registrar() = default;

namespace {

namespace fs = std::filesystem;

std::string file_name(const std::string& library) { return fs::path(library).filename().string(); }

std::string canonical(const std::string& file) {
  std::error_code failed;
  const fs::path path = fs::weakly_canonical(file, failed);
  return failed ? file : path.string();
}

/// Checks whether names must differ between two kinds: modifiers and observers share the scene's `hooks`.
bool rivals(const std::string& a, const std::string& b) {
  const auto is_hook = [](const std::string& kind) { return kind == "modifier" || kind == "observer"; };
  return a == b || (is_hook(a) && is_hook(b));
}

/// Returns text such as: the law "linear".
std::string of_kind(const FactoryInfo& info) { return "the " + info.kind + " \"" + info.name + "\""; }

}  // namespace

PluginSearch default_plugin_search(const std::vector<std::string>& plugin_paths) {
  PluginSearch search{plugin_paths, {}};
  if (const char* variable = std::getenv("SCREE_PLUGIN_PATH")) {
    const std::string paths = variable;
    for (std::size_t start = 0; start <= paths.size();) {
      const std::size_t end = std::min(paths.find(':', start), paths.size());
      if (end > start) search.optional.push_back(paths.substr(start, end - start));
      start = end + 1;
    }
  }
  const fs::path library(boost::dll::this_line_location());
  search.optional.push_back((library.parent_path() / "scree" / "plugins").string());
  return search;
}

/// Collects the factories of one plugin, so that a faulty one leaves no trace.
class Registry::Collector : public Registrar {
 public:
  /// \param plugin  common data of its factories
  explicit Collector(FactoryInfo plugin) : plugin_(std::move(plugin)) {}

  void schemas(const char* json) override {
    schemas_ = with_common_definitions(Json::parse(scene_envelope_schema()), Json::parse(json));
  }
  void add(const std::string& name, AnyFactory factory) override {
    FactoryInfo info = plugin_;
    info.kind = kKinds[factory.index()];
    info.name = name;
    if (info.kind == "engine" && name == "cpu")
      throw InputError("registers the engine \"cpu\", which is scree's own. Choose another name.");
    for (const Entry& entry : entries_)
      if (entry.info.name == name && rivals(entry.info.kind, info.kind))
        throw InputError("registers " + of_kind(info) + " twice. Choose another name for one of the two.");
    const Method method{info.kind, name, info.plugin};
    AnyFactory guarded =
        std::visit([&](auto& f) -> AnyFactory { return detail::guarded_factory(method, std::move(f)); }, factory);
    entries_.push_back({std::move(info), std::move(guarded)});
  }

  /// Returns the entries with their schemas. \throws InputError if a schema is missing or incomplete
  std::vector<Entry> take() {
    std::vector<std::string> factories;
    for (const Entry& entry : entries_) factories.push_back(entry.info.kind + "/" + entry.info.name);
    std::string faults;
    for (const std::string& fault : check_schemas(schemas_, factories))
      faults += (faults.empty() ? "" : "\n  ") + fault;
    if (!faults.empty()) throw InputError(faults);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Json& schema = schemas_.at(factories[i]);
      entries_[i].info.description = schema.at("description");
      entries_[i].info.schema = schema.dump();
    }
    return std::move(entries_);
  }

 private:
  FactoryInfo plugin_;
  Json schemas_ = Json::object();
  std::vector<Entry> entries_;
};

Registry::Registry(OnCrash on_crash) : on_crash_(on_crash) {}
Registry::~Registry() = default;

void Registry::load(const PluginSearch& search) {
  for (const std::string& path : search.required) {
    if (!fs::exists(path)) throw InputError("--plugin-path " + path + ": no such folder or library.");
    fs::is_directory(path) ? load_folder(path) : load_library(path);
  }
  for (const std::string& path : search.optional) {
    if (fs::is_directory(path))
      load_folder(path);
    else if (fs::exists(path))
      try_library(path);
  }
}

void Registry::load_folder(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable))
    if (entry.path().extension() == ".so") files.push_back(entry.path().string());
  if (unreadable) failures_.push_back({folder, folder + ": cannot be read: " + unreadable.message() + "."});
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) try_library(file);
}

void Registry::try_library(const std::string& file) {
  try {
    load_library(file);
  } catch (const InputError& e) {
    failures_.push_back({file, e.what()});
  }
}

void Registry::load_library(const std::string& file) {
  const std::string path = canonical(file);
  if (std::find(libraries_.begin(), libraries_.end(), path) != libraries_.end()) return;
  libraries_.push_back(path);
  const LoadingGuard guard(path, on_crash_);
  const Library library = open_library(path);
  FactoryInfo plugin;
  plugin.plugin = library.plugin;
  plugin.version = library.version;
  plugin.library = path;
  plugin.hash = library.hash;
  add(plugin, library.register_factories);
}

void Registry::add(const std::string& plugin, const std::string& version, const std::string& library,
                   const std::function<void(Registrar&)>& register_factories) {
  FactoryInfo info;
  info.plugin = plugin;
  info.version = version;
  info.library = library;
  add(info, register_factories);
}

void Registry::add(const FactoryInfo& plugin, const std::function<void(Registrar&)>& register_factories) {
  const std::string &library = plugin.library, begin = file_name(library) + ": ", end = " (" + library + ")";
  std::vector<Entry> found;
  try {
    Collector collector(plugin);
    register_factories(collector);
    found = collector.take();
  } catch (const std::exception& e) {
    throw InputError(begin + e.what() + end);
  } catch (...) {
    throw InputError(begin + "throws what is no std::exception when its methods are registered." + end);
  }
  take(library, std::move(found));
}

/// Returns the registered entry that has the name of this one.
Registry::Entry* Registry::rival_of(const Entry& entry) {
  for (auto& [kind, registered] : entries_)
    if (rivals(kind, entry.info.kind))
      if (const auto found = registered.find(entry.info.name); found != registered.end()) return &found->second;
  return nullptr;
}

/// Adds new entries. A name that is registered already is unusable from then on: which one a scene means is unclear.
void Registry::take(const std::string& library, std::vector<Entry> entries) {
  std::map<std::string, std::string> taken;  // names, by the library that has them
  for (Entry& entry : entries) {
    Entry* const rival = rival_of(entry);
    if (!rival) {
      entries_[entry.info.kind].emplace(entry.info.name, std::move(entry));
      continue;
    }
    rival->info.taken_twice = true;
    const std::string message = file_name(library) + ": registers " + of_kind(entry.info) + ", and so does " +
                                rival->info.library + ". Remove one of the two. (" + library + ")";
    for (const char* kind : kKinds)
      if (rivals(kind, entry.info.kind)) clashes_.emplace(kind + ("/" + entry.info.name), message);
    std::string& names = taken[rival->info.library];
    names += (names.empty() ? "" : ", ") + of_kind(entry.info);
  }
  for (const auto& [other, names] : taken)
    warnings_.push_back(file_name(library) + ": registers " + names + ", and so does " + other +
                        ". No scene can use what is registered twice; remove one of the two libraries. (" + library +
                        ")");
}

const Registry::Entry& Registry::find(const std::string& kind, const std::string& name) const {
  if (const auto clash = clashes_.find(kind + "/" + name); clash != clashes_.end()) throw InputError(clash->second);
  const auto of_kind = entries_.find(kind);
  if (of_kind != entries_.end())
    if (const auto found = of_kind->second.find(name); found != of_kind->second.end()) return found->second;
  const std::vector<std::string> known = names(kind);
  const std::string failed = failures_text();
  throw InputError("unknown " + kind + " \"" + name + "\"." + suggestion(name, known) + " Loaded: " +
                   (known.empty() ? "none" : listed(known)) + "." + (failed.empty() ? "" : "\n" + failed));
}

std::vector<std::string> Registry::names(const std::string& kind) const {
  std::vector<std::string> names;
  if (const auto found = entries_.find(kind); found != entries_.end())
    for (const auto& [name, entry] : found->second)
      if (!entry.info.taken_twice) names.push_back(name);
  return names;
}

std::vector<FactoryInfo> Registry::list() const {
  std::vector<FactoryInfo> all;
  for (const char* kind : kKinds)
    if (const auto found = entries_.find(kind); found != entries_.end())
      for (const auto& [name, entry] : found->second) all.push_back(entry.info);
  return all;
}

std::string Registry::failures_text() const {
  std::string text;
  for (const PluginFailure& failure : failures_)
    text += (text.empty() ? "Not loaded: " : "\nNot loaded: ") + failure.message;
  return text;
}

std::optional<Options> Registry::default_options(const std::string& kind, const std::string& name) const {
  const Json schema = Json::parse(find(kind, name).info.schema);
  if (schema.contains("required") && !schema["required"].empty()) return std::nullopt;
  Json options = Json::object();
  fill_defaults(schema, options);
  return Options::parse(options.dump());
}

std::vector<std::string> Registry::laws_with_face(const std::string& face) const {
  std::vector<std::string> laws;
  for (const std::string& name : names("law")) {
    const Json schema = Json::parse(find("law", name).info.schema);
    const Json faces = schema.value("x-scree-faces", Json::array());
    if (std::find(faces.begin(), faces.end(), face) != faces.end()) laws.push_back(name);
  }
  return laws;
}

std::string Registry::scene_schema() const {
  std::vector<SchemaFragment> fragments;
  for (const FactoryInfo& info : list()) fragments.push_back({info.kind, info.name, Json::parse(info.schema)});
  return compose_schema(Json::parse(scene_envelope_schema()), fragments).dump(2) + "\n";
}

SceneInputs Registry::completed(SceneInputs inputs) const {
  inputs.schema = scene_schema();
  inputs.unloaded = failures_text();
  return inputs;
}

/// Checks names. \throws InputError for a name that two plugins register
void Registry::check_names(const Scene& scene) const {
  for (const NamedMethod& named : named_methods(scene)) {
    const auto clash = clashes_.find(named.kind + "/" + named.object->type);
    if (clash != clashes_.end())
      throw InputError(scene.where(named.object->options.pointer() + "/type") + ": " + clash->second);
  }
}

Scene read_scene(const std::string& file, SceneInputs inputs, const Registry& registry) {
  Scene scene = read_scene(file, registry.completed(std::move(inputs)));
  registry.check_names(scene);
  return scene;
}

Scene parse_scene(const std::string& file, std::string_view text, SceneInputs inputs, const Registry& registry) {
  Scene scene = parse_scene(file, text, registry.completed(std::move(inputs)));
  registry.check_names(scene);
  return scene;
}

}  // namespace scree
