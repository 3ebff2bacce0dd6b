#include <filesystem>

#include "scree/scene/detail/reading.hpp"

namespace scree {

namespace {

bool is_numbers(const Json& value, std::size_t count) { return value.is_array() && value.size() == count; }

/// Returns the rule that a value of this format breaks; empty if it is valid.
std::string format_fault(const std::string& format, const Json& value, int dimension) {
  const std::string n = std::to_string(dimension);
  const std::size_t size = static_cast<std::size_t>(dimension);
  if (format == "vector3" && dimension == 3 && !is_numbers(value, 3)) return "3 numbers";
  if (format == "vector" && !is_numbers(value, size)) return n + " numbers";
  if (format == "spin" && dimension == 2 && !value.is_number()) return "one number, about z";
  if (format == "spin" && dimension == 3 && !is_numbers(value, 3)) return "3 numbers";
  if (format != "orientation" || value.is_string()) return "";
  if (dimension == 2) return value.is_number() ? "" : "an angle [rad] or \"random\"";
  if (!is_numbers(value, 4)) return "a quaternion [w, x, y, z] or \"random\"";
  double square = 0;
  for (const Json& x : value) square += x.get<double>() * x.get<double>();
  return square > 0 ? "" : "a quaternion that is not zero";
}

/// Visits the values whose schema has {key: format}.
void visit_format(const char* key, const Json& schema, Json& document,
                  const std::function<void(const std::string&, const std::string&, Json&)>& visit) {
  walk(schema, document, [&](const std::string& pointer, Json& value, const Schemas& schemas) {
    for (const Json* applied : schemas)
      if (applied->contains(key)) return visit(applied->at(key), pointer, value);
  });
}

}  // namespace

void expand_short_forms(Json& document) {
  if (!document.is_object() || !document.contains("interactions") || !document["interactions"].is_array()) return;
  for (Json& interaction : document["interactions"]) {
    if (!interaction.is_object() || !interaction.contains("detector")) continue;
    Json& detector = interaction["detector"];
    if (detector.is_string() && detector != "auto") detector = Json{{"type", detector}};
  }
}

std::vector<Fault> check_formats(const Json& schema, Json& document) {
  const int dimension = document.at("dimension");
  std::vector<Fault> faults;
  visit_format("x-scree-format", schema, document,
               [&](const std::string& format, const std::string& pointer, Json& value) {
                 const std::string wanted = format_fault(format, value, dimension);
                 if (!wanted.empty())
                   faults.push_back({pointer, "a scene of dimension " + std::to_string(dimension) + " needs " + wanted +
                                                  " here, got " + shown(value) + "."});
               });
  return faults;
}

void make_paths_absolute(const Json& schema, const std::string& folder, Json& document) {
  const auto absolute = [&](const Json& value) {
    return (std::filesystem::path(folder) / value.get<std::string>()).lexically_normal().string();
  };
  visit_format("format", schema, document, [&](const std::string& format, const std::string&, Json& value) {
    if (format == "path" && value.is_string() && !value.get<std::string>().empty()) value = absolute(value);
  });
  const auto reference = document.find("$schema");
  if (reference != document.end() && reference->get<std::string>().find("://") == std::string::npos)
    *reference = absolute(*reference);
}

std::vector<NamedFile> named_files(const Json& schema, Json& document) {
  std::vector<NamedFile> files;
  visit_format("format", schema, document, [&](const std::string& format, const std::string& pointer, Json& value) {
    std::error_code ignored;
    if (format == "path" && value.is_string() && !pointer.starts_with("/output/") &&
        std::filesystem::is_regular_file(value.get<std::string>(), ignored))
      files.push_back({pointer, value});
  });
  return files;
}

}  // namespace scree
