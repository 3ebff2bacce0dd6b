#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/table.hpp"
#include "command.hpp"
#include "conformance/catalogue.hpp"
#include "scree/base/error.hpp"

namespace scree::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string type_text(const Json& property) {
  if (property.contains("enum")) {
    std::string text;
    for (const Json& choice : property["enum"])
      text += (text.empty() ? "" : " | ") + (choice.is_string() ? choice.get<std::string>() : choice.dump());
    return text;
  }
  for (const char* choices : {"anyOf", "oneOf"}) {
    if (!property.contains(choices)) continue;
    std::string text;
    for (const Json& branch : property[choices]) text += (text.empty() ? "" : " | ") + type_text(branch);
    return text;
  }
  if (property.contains("const")) return property["const"].dump();
  if (!property.contains("type")) return "any";
  const Json& type = property["type"];
  if (type.is_string()) return type;
  std::string text;
  for (const Json& name : type) text += (text.empty() ? "" : " | ") + name.get<std::string>();
  return text;
}

std::string range_text(const Json& property) {
  std::string text;
  const auto add = [&](const char* key, const char* sign) {
    if (property.contains(key)) text += (text.empty() ? "" : ", ") + std::string(sign) + property[key].dump();
  };
  add("minimum", ">= ");
  add("exclusiveMinimum", "> ");
  add("maximum", "<= ");
  add("exclusiveMaximum", "< ");
  return text;
}

std::string default_text(const Json& schema, const std::string& key, const Json& property) {
  const Json required = schema.value("required", Json::array());
  if (std::find(required.begin(), required.end(), key) != required.end()) return "required";
  return property.contains("default") ? property["default"].dump() : "-";
}

/// Returns the property with the additions of a local reference.
Json resolved(const Json& schema, const Json& property) {
  if (!property.contains("$ref")) return property;
  Json whole = schema.at(Json::json_pointer(property["$ref"].get<std::string>().substr(1)));
  whole.update(property);
  return whole;
}

/// Returns facets that the examples of a shape offer, by dimension: {"2": [...], "3": [...]}.
Json facets_by_dimension(const FactoryInfo& info, const Registry& registry, const Json& facets) {
  Json by_dimension = Json::object();
  for (const int dimension : {2, 3}) try {
      for (const conformance::Figure& figure : conformance::figures(registry, dimension, info.name)) {
        Json& offered = by_dimension[std::to_string(dimension)];
        if (offered.is_null()) offered = Json::array();
        for (const std::string name : facets)
          if (figure.shape->facet(name) != nullptr && std::ranges::find(offered, Json(name)) == offered.end())
            offered.push_back(name);
      }
    } catch (const Error&) {  // without examples: nothing is known
    }
  return by_dimension;
}

/// Returns what a method offers to others and needs of them: by schema for shapes and laws, by traits for detectors and
/// integrators.
Json fit_of(const FactoryInfo& info, const Registry& registry) {
  const Json schema = Json::parse(info.schema);
  Json fit = Json::object();
  if (schema.contains("x-scree-facets")) fit["facets"] = schema["x-scree-facets"];
  if (schema.contains("x-scree-faces")) fit["faces"] = schema["x-scree-faces"];
  if (info.taken_twice) return fit;
  if (info.kind == "shape" && fit.contains("facets"))
    fit["facets_by_dimension"] = facets_by_dimension(info, registry, fit["facets"]);
  const auto options = registry.default_options(info.kind, info.name);
  if (!options) return fit;
  if (info.kind == "detector") {
    const DetectorTraits traits = registry.detector(info.name)(*options)->traits();
    const auto names = [](const std::vector<std::string_view>& v) {
      return std::vector<std::string>(v.begin(), v.end());
    };
    fit["needs_facets"] = {names(traits.facets_a), names(traits.facets_b)};
    if (traits.dimension != 0) fit["dimension"] = traits.dimension;
  }
  if (info.kind == "integrator")
    fit["needs_face"] = std::string(registry.integrator(info.name)(*options)->traits().face);
  return fit;
}

std::string joined(const Json& names) {
  std::string text;
  for (const Json& name : names) text += (text.empty() ? "" : ", ") + name.get<std::string>();
  return text;
}

/// Prints fit_of() as lines of text.
void print_fit(const Json& fit) {
  if (fit.contains("facets")) fmt::print("  offers facets {}\n", joined(fit["facets"]));
  if (fit.contains("faces")) fmt::print("  offers faces {}\n", joined(fit["faces"]));
  if (fit.contains("needs_face")) fmt::print("  needs laws with face {}\n", fit["needs_face"].get<std::string>());
  if (!fit.contains("needs_facets")) return;
  const std::string a = joined(fit["needs_facets"][0]), b = joined(fit["needs_facets"][1]);
  fmt::print("  needs facets {}{}\n", a == b ? a + " of both bodies" : a + " of one body, " + b + " of the other",
             fit.contains("dimension") ? fmt::format("; works in {} dimensions", fit["dimension"].get<int>()) : "");
}

void print_options(const FactoryInfo& info, const Registry& registry) {
  fmt::print("{} {}\n  {}\n  from plugin {} {} ({})\n", info.kind, info.name, info.description, info.plugin,
             info.version, info.library);
  print_fit(fit_of(info, registry));
  const Json schema = Json::parse(info.schema);
  std::vector<std::vector<std::string>> rows = {{"option", "type", "range", "default", "meaning"}};
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [key, unresolved] : properties.items()) {
    const Json property = resolved(schema, unresolved);
    rows.push_back({key, type_text(property), range_text(property), default_text(schema, key, property),
                    property.value("description", "")});
  }
  if (rows.size() == 1)
    fmt::print("  no options\n");
  else
    print_table(rows, "  ");
}

Json as_json(const std::vector<FactoryInfo>& list, const Registry& registry) {
  Json all = Json::array();
  for (const FactoryInfo& info : list)
    all.push_back({{"kind", info.kind},
                   {"name", info.name},
                   {"plugin", info.plugin},
                   {"version", info.version},
                   {"library", info.library},
                   {"description", info.description},
                   {"fit", fit_of(info, registry)},
                   {"schema", Json::parse(info.schema)}});
  return all;
}

/// Returns methods called `name`, or "kind/name", or registered by the plugin of that name. \throws InputError if there
/// are none
std::vector<FactoryInfo> named(const std::vector<FactoryInfo>& all, const std::string& name) {
  std::vector<FactoryInfo> found;
  std::vector<std::string> known;
  for (const FactoryInfo& info : all) {
    if (name == info.name || name == info.kind + "/" + info.name || name == info.plugin) found.push_back(info);
    known.push_back(info.name);
  }
  if (!found.empty()) return found;
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  const std::string nearest = nearest_name(name, known);
  throw InputError(fmt::format("no method or plugin is called \"{}\".{} Loaded: {}.", name,
                               nearest.empty() ? "" : " Did you mean \"" + nearest + "\"?",
                               known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

/// Returns the first sentence, so that a list stays short.
std::string first_sentence(const std::string& text) {
  const std::size_t end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

}  // namespace

int plugins(const Arguments& arguments) {
  CommandLine line(
      "scree plugins [NAME] [options]",
      "Lists every method that is loaded: its kind, name, plugin and what it is. With the NAME of a method (or\n"
      "KIND/NAME, or a plugin) shows what it offers and needs, and its options: type, range, default,\n"
      "meaning and unit.",
      "NAME");
  line.options()("json", "print JSON, with the schema of the options, for programs");
  add_plugin_options(line);
  const bool names = arguments == Arguments{"--list-names"};  // for completion in shells
  if (!line.parse(names ? Arguments{} : arguments)) return kDone;
  Registry registry(OnCrash::end_program);
  load_plugins(line, registry);
  std::vector<FactoryInfo> list = registry.list();
  if (names) {
    for (const FactoryInfo& info : list) fmt::print("{}\n", info.name);
    return kDone;
  }
  if (line.has("NAME")) list = named(list, line.required());
  if (line.has("json")) {
    fmt::print("{}\n", as_json(list, registry).dump(2));
  } else if (line.has("NAME")) {
    for (const FactoryInfo& info : list) print_options(info, registry);
  } else {
    std::vector<std::vector<std::string>> rows = {{"kind", "name", "plugin", "what it is"}};
    for (const FactoryInfo& info : list)
      rows.push_back(
          {info.kind, info.name, info.plugin,
           info.taken_twice ? "Registered by two plugins: cannot be used." : first_sentence(info.description)});
    print_table(rows, "");
  }
  return kDone;
}

}  // namespace scree::cli
