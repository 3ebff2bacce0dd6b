#pragma once
/// \file What is loaded, with the options that its authors give as examples.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scree/plugin/registry.hpp"

namespace scree::conformance {

using Json = nlohmann::json;

/// The schema of a method's options. \throws Error when no such method is loaded
Json schema_of(const Registry& registry, const std::string& kind, const std::string& name);

/// From now on a method is left out where all of a kind are asked for: it ends the process that makes it.
void leave_out(const std::string& kind, const std::string& name);
/// The names of a kind that can be used, but for those left out.
std::vector<std::string> usable(const Registry& registry, const std::string& kind);

/// The "examples" of a method's schema, with its "type"; no options where it needs none.
/// \throws Error when some option has no default, and the schema has no examples
std::vector<Json> examples(const Registry& registry, const std::string& kind, const std::string& name);
/// Those of all methods of a kind that can be used.
std::vector<Json> examples(const Registry& registry, const std::string& kind);

/// Fills in the defaults of a schema, as scenes do.
Json with_defaults(const Json& schema, Json options);
/// The options of a method as its factory gets them. \param options  with "type"
Options made_of(const Registry& registry, const std::string& kind, const Json& options);
/// The same options with every value of those that have a few to choose from.
std::vector<Json> all_choices(const Json& schema, const Json& options);

struct Figure {
  Json options;
  std::shared_ptr<const Shape> shape;
  bool free;  ///< can move freely; else it only meets those that do
};

/// The examples of one shape that exist in a dimension.
std::vector<Figure> figures(const Registry& registry, int dimension, const std::string& name);
/// Those of all shapes.
std::vector<Figure> figures(const Registry& registry, int dimension);

}  // namespace scree::conformance
