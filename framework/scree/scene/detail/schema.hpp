#pragma once
/// \file JSON Schema (draft-07) over a scene: judged by valijson, worded here.
///
/// valijson decides whether a document is valid, but for patterns: it would search for them with std::regex, which
/// overflows the stack on long texts, so they are looked for here. It reports context paths and texts without values.
/// So when it says no, the document is walked together with the schemas that apply at each node. Each fault is worded
/// here: what was found, what is allowed and what the key means.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scree/scene/detail/json.hpp"

namespace scree {

struct Fault {
  std::string pointer;
  std::string message;
  bool at_key = false;  ///< the key is at fault, not its value
};

/// A JSON Schema, taken apart once: that takes longer than judging a scene by it.
class SceneSchema {
 public:
  /// \throws Error when the text is no schema
  explicit SceneSchema(const std::string& text);
  ~SceneSchema();
  const Json& json() const { return json_; }
  /// What is wrong with the document, in valijson's words ("context: text"); empty when it is valid.
  std::vector<std::string> judge(const Json& document) const;

 private:
  struct Parsed;
  Json json_;
  std::unique_ptr<Parsed> parsed_;
};

/// The schema of this text; the last one asked for is kept.
std::shared_ptr<const SceneSchema> scene_schema_of(const std::string& text);

/// All faults of the document, worded; empty when it is valid.
/// \param unloaded  appended where a name of a plugin's factory is unknown: the plugins that failed to load
std::vector<Fault> validate(const SceneSchema& schema, const Json& document, const std::string& unloaded);

using Schemas = std::vector<const Json*>;

/// The schemas that apply to a value: `schema` itself with $ref, allOf, if/then/else and the branch of anyOf or oneOf
/// that suits the value resolved. `if` is understood where it compares properties with const, enum or type.
Schemas applicable(const Json& root, const Json& schema, const Json& value);

/// The schemas that apply to the member `key` of an object (or any item of an array), given those of the object.
Schemas applicable_to_member(const Json& root, const Schemas& schemas, const std::string& key, const Json& member);

/// Whether the schema lets an object have this key.
bool allows_key(const Json& schema, const std::string& key);

/// Whether one of the schema's "patternProperties" is for this key.
bool has_pattern_for(const Json& schema, const std::string& key);

/// Patterns of further keys an object may have by these schemas, sorted.
std::vector<std::string> known_patterns(const Schemas& schemas);

/// Names of the keys an object may have by these schemas, sorted.
std::vector<std::string> known_keys(const Schemas& schemas);

/// Calls visit(pointer, value, schemas that apply) for every value of the document, parents first.
using Visitor = std::function<void(const std::string& pointer, Json& value, const Schemas& schemas)>;
void walk(const Json& schema, Json& document, const Visitor& visit);

/// Fills in the `default` of every property the document is silent about, to any depth.
void fill_defaults(const Json& schema, Json& document);

/// "a, b, c"
std::string listed(const std::vector<std::string>& names);
/// ` Did you mean "x"?` or nothing.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace scree
