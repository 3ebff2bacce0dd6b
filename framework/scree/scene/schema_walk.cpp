#include <algorithm>
#include <set>

#include "scree/base/error.hpp"
#include "scree/scene/detail/pattern.hpp"
#include "scree/scene/detail/schema.hpp"

namespace scree {

namespace {

bool has_type(const Json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  return type == value.type_name();
}

/// Checks whether the schema could be meant for the value, by its JSON type.
bool type_fits(const Json& schema, const Json& value) {
  if (const auto constant = schema.find("const"); constant != schema.end())
    return std::string(constant->type_name()) == value.type_name();
  const auto type = schema.find("type");
  if (type == schema.end()) return true;
  if (type->is_string()) return has_type(value, *type);
  return std::any_of(type->begin(), type->end(), [&](const Json& t) { return has_type(value, t); });
}

bool value_fits(const Json& schema, const Json& value) {
  if (!type_fits(schema, value)) return false;
  if (const auto constant = schema.find("const"); constant != schema.end()) return *constant == value;
  const auto allowed = schema.find("enum");
  return allowed == schema.end() || std::find(allowed->begin(), allowed->end(), value) != allowed->end();
}

bool condition_holds(const Json& condition, const Json& value) {
  if (!condition.is_object() || !value_fits(condition, value)) return false;
  if (!value.is_object()) return true;
  for (const Json& key : condition.value("required", Json::array()))
    if (!value.contains(key.get<std::string>())) return false;
  const Json properties = condition.value("properties", Json::object());
  for (const auto& [key, property] : properties.items())
    if (value.contains(key) && !value_fits(property, value.at(key))) return false;
  return true;
}

const Json& resolved(const Json& root, const Json& schema) {
  const Json* at = &schema;
  while (at->is_object() && at->contains("$ref")) {
    const std::string reference = at->at("$ref");
    if (reference.empty() || reference[0] != '#')
      throw Error("schema: only local $ref are understood, got " + reference);
    at = &root.at(Json::json_pointer(reference.substr(1)));
  }
  return *at;
}

const Json* chosen_branch(const Json& root, const Json& branches, const Json& value) {
  const Json* by_type = nullptr;
  for (const Json& branch : branches) {
    const Json& schema = resolved(root, branch);
    if (value_fits(schema, value)) return &schema;
    if (!by_type && type_fits(schema, value)) by_type = &schema;
  }
  return by_type;
}

void collect(const Json& root, const Json& unresolved, const Json& value, Schemas& out) {
  const Json& schema = resolved(root, unresolved);
  if (!schema.is_object()) return;
  if (&schema != &unresolved) out.push_back(&unresolved);  // for its description
  out.push_back(&schema);
  if (const auto all = schema.find("allOf"); all != schema.end())
    for (const Json& part : *all) collect(root, part, value, out);
  if (const auto condition = schema.find("if"); condition != schema.end()) {
    const auto branch = schema.find(condition_holds(*condition, value) ? "then" : "else");
    if (branch != schema.end()) collect(root, *branch, value, out);
  }
  for (const char* kind : {"anyOf", "oneOf"})
    if (const auto branches = schema.find(kind); branches != schema.end())
      if (const Json* branch = chosen_branch(root, *branches, value)) collect(root, *branch, value, out);
}

/// Returns the schema under "patternProperties" whose pattern the key matches, or nullptr.
const Json* pattern_schema(const Json& schema, const std::string& key) {
  const auto patterns = schema.find("patternProperties");
  if (patterns == schema.end()) return nullptr;
  for (const auto& [pattern, property] : patterns->items())
    if (fits_pattern(key, pattern)) return &property;
  return nullptr;
}

const Json* member_schema(const Json& schema, const std::string& key, bool in_array) {
  if (in_array) {
    const auto items = schema.find("items");
    return items != schema.end() && items->is_object() ? &*items : nullptr;
  }
  const auto properties = schema.find("properties");
  if (properties != schema.end() && properties->contains(key)) return &properties->at(key);
  if (const Json* by_pattern = pattern_schema(schema, key)) return by_pattern;
  const auto rest = schema.find("additionalProperties");
  return rest != schema.end() && rest->is_object() ? &*rest : nullptr;
}

void walk_value(const Json& root, const std::string& pointer, Json& value, const Schemas& schemas,
                const Visitor& visit) {
  visit(pointer, value, schemas);
  if (!value.is_structured()) return;
  std::size_t index = 0;
  for (auto it = value.begin(); it != value.end(); ++it, ++index) {
    const std::string key = value.is_object() ? it.key() : std::to_string(index);
    walk_value(root, pointer_to(pointer, key), *it,
               applicable_to_member(root, schemas, value.is_object() ? key : "", *it), visit);
  }
}

/// Adds the missing properties that have a default; one round, since a new value may make further schemas apply.
bool add_defaults(const Json& root, const Schemas& schemas, Json& object) {
  bool added = false;
  for (const Json* schema : schemas) {
    const auto properties = schema->find("properties");
    if (properties == schema->end()) continue;
    for (const auto& [key, unresolved] : properties->items()) {
      if (object.contains(key)) continue;
      const Json& property = unresolved.contains("default") ? unresolved : resolved(root, unresolved);
      if (!property.is_object() || !property.contains("default")) continue;
      object[key] = property.at("default");
      added = true;
    }
  }
  return added;
}

void fill_value(const Json& root, Json& value, const std::function<Schemas(const Json&)>& schemas_of) {
  Schemas schemas = schemas_of(value);
  while (value.is_object() && add_defaults(root, schemas, value)) schemas = schemas_of(value);
  if (!value.is_structured()) return;
  for (auto it = value.begin(); it != value.end(); ++it) {
    const std::string key = value.is_object() ? it.key() : "";
    fill_value(root, *it, [&](const Json& v) { return applicable_to_member(root, schemas, key, v); });
  }
}

}  // namespace

Schemas applicable(const Json& root, const Json& schema, const Json& value) {
  Schemas out;
  collect(root, schema, value, out);
  return out;
}

Schemas applicable_to_member(const Json& root, const Schemas& schemas, const std::string& key, const Json& member) {
  Schemas out;
  for (const Json* schema : schemas)
    if (const Json* next = member_schema(*schema, key, key.empty())) collect(root, *next, member, out);
  return out;
}

bool allows_key(const Json& schema, const std::string& key) {
  if (schema.value("additionalProperties", Json(true)) != Json(false)) return true;
  return (schema.contains("properties") && schema.at("properties").contains(key)) || pattern_schema(schema, key);
}

bool has_pattern_for(const Json& schema, const std::string& key) { return pattern_schema(schema, key) != nullptr; }

std::vector<std::string> known_patterns(const Schemas& schemas) {
  std::set<std::string> patterns;
  for (const Json* schema : schemas)
    if (const auto found = schema->find("patternProperties"); found != schema->end())
      for (const auto& [pattern, property] : found->items()) patterns.insert(pattern);
  return {patterns.begin(), patterns.end()};
}

std::vector<std::string> known_keys(const Schemas& schemas) {
  std::set<std::string> names;
  for (const Json* schema : schemas)
    if (const auto properties = schema->find("properties"); properties != schema->end())
      for (const auto& [key, property] : properties->items()) names.insert(key);
  return {names.begin(), names.end()};
}

void walk(const Json& schema, Json& document, const Visitor& visit) {
  walk_value(schema, "", document, applicable(schema, schema, document), visit);
}

void fill_defaults(const Json& schema, Json& document) {
  fill_value(schema, document, [&](const Json& value) { return applicable(schema, schema, value); });
}

}  // namespace scree
