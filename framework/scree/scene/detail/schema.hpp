#pragma once
/// \file JSON Schema (draft-07) of a scene: checked by valijson, with messages from here.
///
/// valijson decides whether a document is valid, except for patterns: it would search for them with std::regex, which
/// overflows the stack on long texts, so they are checked here. It reports context paths and texts without values. So
/// if it finds a fault, the document is walked together with the schemas that apply at each node. Each fault is
/// described here: the value found, allowed values, and the meaning of the key.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scree/scene/detail/json.hpp"

namespace scree {

struct Fault {
  std::string pointer;
  std::string message;
  bool at_key = false;  ///< true if the key is at fault, not its value
};

/// JSON Schema, parsed once: parsing takes longer than checking a scene by it.
class SceneSchema {
 public:
  /// Parses a schema. \throws Error if the text is no schema
  explicit SceneSchema(const std::string& text);
  ~SceneSchema();
  const Json& json() const { return json_; }
  /// Returns the faults of a document, in valijson's words ("context: text"); empty if it is valid.
  std::vector<std::string> judge(const Json& document) const;

 private:
  struct Parsed;
  Json json_;
  std::unique_ptr<Parsed> parsed_;
};

/// Returns the schema of this text; the last one is kept.
std::shared_ptr<const SceneSchema> scene_schema_of(const std::string& text);

/// Returns all faults of the document, described for the user; empty if it is valid.
/// \param unloaded  plugins that failed to load: appended if the name of a plugin's factory is unknown
std::vector<Fault> validate(const SceneSchema& schema, const Json& document, const std::string& unloaded);

using Schemas = std::vector<const Json*>;

/// Returns the schemas that apply to a value: `schema` with $ref, allOf, if/then/else resolved, and with the branch of
/// anyOf or oneOf that suits the value. `if` is supported if it compares properties with const, enum or type.
Schemas applicable(const Json& root, const Json& schema, const Json& value);

/// Returns the schemas that apply to the member `key` of an object (or any item of an array), given those of the
/// object.
Schemas applicable_to_member(const Json& root, const Schemas& schemas, const std::string& key, const Json& member);

/// Checks whether the schema lets an object have this key.
bool allows_key(const Json& schema, const std::string& key);

/// Checks whether one of the schema's "patternProperties" is for this key.
bool has_pattern_for(const Json& schema, const std::string& key);

/// Returns patterns of further keys that an object may have by these schemas, sorted.
std::vector<std::string> known_patterns(const Schemas& schemas);

/// Returns the names of the keys that an object may have by these schemas, sorted.
std::vector<std::string> known_keys(const Schemas& schemas);

/// Callback visit(pointer, value, schemas that apply).
using Visitor = std::function<void(const std::string& pointer, Json& value, const Schemas& schemas)>;
/// Calls visit for every value of the document, parents first.
void walk(const Json& schema, Json& document, const Visitor& visit);

/// Fills in the `default` of every property that the document lacks, to any depth.
void fill_defaults(const Json& schema, Json& document);

/// Returns the names as a list: "a, b, c".
std::string listed(const std::vector<std::string>& names);
/// Returns ` Did you mean "x"?` or nothing.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace scree
