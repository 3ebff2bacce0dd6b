#include "conformance/catalogue.hpp"

#include <set>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/shape/facets.hpp"

namespace scree::conformance {

namespace {

std::set<std::pair<std::string, std::string>>& left_out() {
  static std::set<std::pair<std::string, std::string>> methods;
  return methods;
}

}  // namespace

void leave_out(const std::string& kind, const std::string& name) { left_out().emplace(kind, name); }

std::vector<std::string> usable(const Registry& registry, const std::string& kind) {
  std::vector<std::string> names;
  for (const std::string& name : registry.names(kind))
    if (!left_out().contains({kind, name})) names.push_back(name);
  return names;
}

Json schema_of(const Registry& registry, const std::string& kind, const std::string& name) {
  for (const FactoryInfo& info : registry.list())
    if (info.kind == kind && info.name == name) return Json::parse(info.schema);
  throw Error("no " + kind + " \"" + name + "\" is loaded");
}

std::vector<Json> examples(const Registry& registry, const std::string& kind, const std::string& name) {
  const Json schema = schema_of(registry, kind, name);
  if (!schema.contains("examples") && !schema.value("required", Json::array()).empty())
    throw Error(kind + "/" + name + " has options without defaults, and its schema no \"examples\"");
  std::vector<Json> list;
  for (Json options : schema.value("examples", Json::array({Json::object()}))) {
    options["type"] = name;
    list.push_back(std::move(options));
  }
  return list;
}

std::vector<Json> examples(const Registry& registry, const std::string& kind) {
  std::vector<Json> list;
  for (const std::string& name : usable(registry, kind))
    for (Json& options : examples(registry, kind, name)) list.push_back(std::move(options));
  return list;
}

Json with_defaults(const Json& schema, Json options) {
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [key, property] : properties.items()) {
    if (!options.contains(key) && property.contains("default")) options[key] = property["default"];
    if (options.contains(key) && options[key].is_object()) options[key] = with_defaults(property, options[key]);
  }
  return options;
}

Options made_of(const Registry& registry, const std::string& kind, const Json& options) {
  return Options::parse(with_defaults(schema_of(registry, kind, options.at("type")), options).dump());
}

std::vector<Json> all_choices(const Json& schema, const Json& options) {
  std::vector<Json> list{options};
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [key, property] : properties.items()) {
    if (!property.contains("enum")) continue;
    std::vector<Json> longer;
    for (const Json& one : list)
      for (const Json& value : property["enum"]) (longer.emplace_back(one))[key] = value;
    list = std::move(longer);
  }
  return list;
}

std::vector<Figure> figures(const Registry& registry, int dimension, const std::string& name) {
  std::vector<Figure> list;
  for (const Json& example : examples(registry, "shape", name)) {
    try {
      auto shape = registry.shape(name)(made_of(registry, "shape", example), ShapeContext{dimension});
      if (shape->dimension() != dimension) continue;
      const bool free = shape->mass(1).mass > 0 && shape->traits().immobile.empty();
      list.push_back({example, std::move(shape), free});
    } catch (const OptionError&) {  // not in this dimension
    }
  }
  return list;
}

std::vector<Figure> figures(const Registry& registry, int dimension) {
  std::vector<Figure> list;
  for (const std::string& name : usable(registry, "shape"))
    for (Figure& figure : figures(registry, dimension, name)) list.push_back(std::move(figure));
  return list;
}

}  // namespace scree::conformance
