#include "scree/plugin/detail/check_schemas.hpp"

#include <algorithm>

#include "scree/scene/detail/schema.hpp"

namespace scree {

namespace {

bool has_text(const Json& schema, const char* key) {
  return schema.is_object() && schema.contains(key) && schema[key].is_string() && schema[key] != "";
}

bool is_required(const Json& schema, const std::string& key) {
  const Json required = schema.value("required", Json::array());
  return std::find(required.begin(), required.end(), key) != required.end();
}

/// Checks whether a default is given. One that depends on other options is described in words instead.
bool tells_default(const Json& property) {
  return property.contains("default") ||
         property["description"].get<std::string>().find("Default:") != std::string::npos;
}

/// Checks that a default is a value that the option may have. \param definitions  those of the whole schema
void check_default(const std::string& option, const Json& schema, const Json& property,
                   std::vector<std::string>& faults) {
  if (!property.contains("default")) return;
  Json alone = property;
  if (schema.contains("definitions")) alone["definitions"] = schema["definitions"];
  for (const std::string& fault : SceneSchema(alone.dump()).judge(property["default"]))
    faults.push_back(option + "its \"default\" " + shown(property["default"]) + " is not valid: " + fault + ".");
}

void check_properties(const std::string& factory, const Json& schema, std::vector<std::string>& faults) {
  if (!schema.contains("properties")) return;
  for (const auto& [key, property] : schema["properties"].items()) {
    const std::string option = "schema \"" + factory + "\", option \"" + key + "\": ";
    if (!has_text(property, "description"))
      faults.push_back(option + "has no \"description\". Say what it is, with its unit.");
    else if (!is_required(schema, key) && !tells_default(property))
      faults.push_back(option +
                       "has no \"default\" and is not \"required\". Give it one, or say \"Default: ...\" in the "
                       "description.");
    if (property.is_object()) check_default(option, schema, property, faults);
  }
}

/// Checks that the validator can read a schema: otherwise it would refuse every scene. \return true if it can
bool check_readable(const std::string& factory, const Json& schema, std::vector<std::string>& faults) {
  try {
    SceneSchema(schema.dump()).judge(Json::object());
    return true;
  } catch (const std::exception& e) {
    faults.push_back("schema \"" + factory + "\" is no JSON Schema (draft-07): " + e.what() + ".");
    return false;
  }
}

}  // namespace

std::vector<std::string> check_schemas(const Json& schemas, const std::vector<std::string>& factories) {
  std::vector<std::string> faults;
  for (const std::string& factory : factories)
    if (!schemas.contains(factory))
      faults.push_back("no schema for \"" + factory + "\". Add that key to the plugin's schema.json.");
  for (const auto& [factory, schema] : schemas.items()) {
    if (std::find(factories.begin(), factories.end(), factory) == factories.end())
      faults.push_back("schema \"" + factory +
                       "\" has no factory of that kind and name. Register it, or remove the schema.");
    else if (!schema.is_object() || !has_text(schema, "description"))
      faults.push_back("schema \"" + factory + "\" has no \"description\". Say in a sentence what it is.");
    else if (check_readable(factory, schema, faults))
      check_properties(factory, schema, faults);
  }
  return faults;
}

}  // namespace scree
