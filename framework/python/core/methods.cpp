#include "core.hpp"
#include "scree/plugin/registry.hpp"

namespace scree::python {

namespace {

/// Returns all loaded methods, as `scree plugins` lists them.
py::list plugins(const std::vector<std::string>& paths) {
  Registry registry;
  registry.load(default_plugin_search(paths));
  py::list all;
  for (const FactoryInfo& info : registry.list()) {
    py::dict method;
    method["kind"] = info.kind;
    method["name"] = info.name;
    method["plugin"] = info.plugin;
    method["version"] = info.version;
    method["library"] = info.library;
    method["description"] = info.description;
    method["schema"] = info.schema;
    all.append(method);
  }
  return all;
}

/// Returns the JSON Schema of a scene with the options of all loaded plugins, as text.
std::string schema(const std::vector<std::string>& paths) {
  Registry registry;
  registry.load(default_plugin_search(paths));
  return registry.scene_schema();
}

}  // namespace

void bind_methods(py::module_& module) {
  module.def("plugins", &plugins);
  module.def("schema", &schema);
}

}  // namespace scree::python
