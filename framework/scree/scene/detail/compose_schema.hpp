#pragma once
/// \file Complete JSON Schema of a scene: the envelope with the options of every registered factory.

#include <string>
#include <vector>

#include "scree/scene/detail/json.hpp"

namespace scree {

/// Schema of one factory's options, as the plugin gives it: without the key "type".
struct SchemaFragment {
  std::string kind, name;  ///< "shape", "star"
  Json schema;
};

/// Returns `fragments` with the definitions of the envelope that they refer to, such as "#/definitions/region", unless
/// they have their own.
Json with_common_definitions(const Json& envelope, Json fragments);

/// Composes the schema from the envelope and the fragments. Keys of the envelope:
///   "x-scree-options": [kinds]   the options of the factories of these kinds are attached by if/then on "type";
///   "x-scree-names": [kinds]     a string gets the names of the factories, and those of "x-scree-more", as its enum.
/// Fragments are put under definitions/<kind>/<name>; their local references are changed to point there.
Json compose_schema(Json envelope, const std::vector<SchemaFragment>& fragments);

}  // namespace scree
