#pragma once
/// \file The complete JSON Schema of a scene: the envelope with the options of every registered factory attached.

#include <string>
#include <vector>

#include "scree/scene/detail/json.hpp"

namespace scree {

/// The schema of one factory's options, as the plugin gives it: without the key "type".
struct SchemaFragment {
  std::string kind, name;  ///< "shape", "star"
  Json schema;
};

/// Plugins' schemas may refer to definitions of the envelope, such as "#/definitions/region": each schema of
/// `fragments` gets those that it refers to and that it has none of its own of.
Json with_common_definitions(const Json& envelope, Json fragments);

/// Where the envelope says
///   "x-scree-options": [kinds]   the options of the factories of these kinds are attached by if/then on "type";
///   "x-scree-names": [kinds]     a string gets the names of the factories, and those of "x-scree-more", as its enum.
/// Fragments stand under definitions/<kind>/<name>; their local references are made to point there.
Json compose_schema(Json envelope, const std::vector<SchemaFragment>& fragments);

}  // namespace scree
