#include "scree/scene/detail/compose_schema.hpp"

#include <algorithm>

namespace scree {

namespace {

bool names(const Json& kinds, const std::string& kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::string definition_of(const SchemaFragment& fragment) { return fragment.kind + "/" + fragment.name; }

std::string reference_to(const SchemaFragment& fragment) {
  return "#" + pointer_to("/definitions", definition_of(fragment));
}

/// Moves references: "#/definitions/x" of a fragment points into the fragment, wherever that is put.
void move_references(const std::string& to, Json& schema) {
  if (schema.is_object() && schema.contains("$ref")) {
    const std::string reference = schema["$ref"];
    if (!reference.empty() && reference[0] == '#') schema["$ref"] = to + reference.substr(1);
  }
  if (!schema.is_structured()) return;
  for (Json& part : schema) move_references(to, part);
}

/// Adds the definitions of the envelope that `part` refers to, and those that they refer to.
void gather_definitions(const Json& envelope, const Json& part, Json& schema) {
  const std::string local = "#/definitions/";
  if (part.is_object() && part.contains("$ref") && part["$ref"].is_string()) {
    const std::string reference = part["$ref"];
    const std::string name = reference.starts_with(local) ? reference.substr(local.size()) : "";
    const bool own = schema.contains("definitions") && schema["definitions"].contains(name);
    if (!own && envelope.contains(name)) {
      schema["definitions"][name] = envelope.at(name);
      gather_definitions(envelope, envelope.at(name), schema);
    }
  }
  if (!part.is_structured()) return;
  for (const Json& below : part) gather_definitions(envelope, below, schema);
}

/// Adds keys of the envelope that any object of this kind may have: type, and for example dt.
void allow_common_keys(const Json& definitions, const SchemaFragment& fragment, Json& schema) {
  if (!schema.contains("properties")) schema["properties"] = Json::object();
  Json& properties = schema["properties"];
  for (const auto& [name, definition] : definitions.items()) {
    if (!definition.contains("x-scree-options") || !names(definition["x-scree-options"], fragment.kind)) continue;
    for (const auto& [key, property] : definition["properties"].items())
      if (!properties.contains(key)) properties[key] = Json::object();
  }
  properties["type"] = {{"const", fragment.name}};
}

void attach_options(const std::vector<SchemaFragment>& fragments, Json& definition) {
  const Json kinds = definition["x-scree-options"];
  Json cases = Json::array();
  for (const SchemaFragment& fragment : fragments)
    if (names(kinds, fragment.kind))
      cases.push_back(
          {{"if", {{"properties", {{"type", {{"const", fragment.name}}}}}, {"required", Json::array({"type"})}}},
           {"then", {{"$ref", reference_to(fragment)}}}});
  if (!cases.empty()) definition["allOf"] = cases;
}

void attach_names(const std::vector<SchemaFragment>& fragments, Json& schema) {
  if (!schema.is_structured()) return;
  for (Json& part : schema) attach_names(fragments, part);
  if (!schema.is_object() || !schema.contains("x-scree-names")) return;
  Json choices = schema.value("x-scree-more", Json::array());
  for (const SchemaFragment& fragment : fragments)
    if (names(schema["x-scree-names"], fragment.kind)) choices.push_back(fragment.name);
  schema["enum"] = choices;
}

}  // namespace

Json with_common_definitions(const Json& envelope, Json fragments) {
  if (!fragments.is_object()) return fragments;
  for (Json& schema : fragments)
    if (schema.is_object()) gather_definitions(envelope.at("definitions"), Json(schema), schema);
  return fragments;
}

Json compose_schema(Json envelope, const std::vector<SchemaFragment>& fragments) {
  attach_names(fragments, envelope);
  Json& definitions = envelope["definitions"];
  Json added = Json::object();
  for (const SchemaFragment& fragment : fragments) {
    Json schema = fragment.schema;
    move_references(reference_to(fragment), schema);
    schema["type"] = "object";
    schema["additionalProperties"] = false;
    allow_common_keys(definitions, fragment, schema);
    added[definition_of(fragment)] = std::move(schema);
  }
  for (Json& definition : definitions)
    if (definition.contains("x-scree-options")) attach_options(fragments, definition);
  definitions.update(added);
  return envelope;
}

}  // namespace scree
