#pragma once
/// \file Catalogue of loaded methods, with the options that their authors give as examples.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scree/plugin/registry.hpp"

namespace scree::conformance {

using Json = nlohmann::json;

/// Returns the schema of a method's options. \throws Error if no such method is loaded
Json schema_of(const Registry& registry, const std::string& kind, const std::string& name);

/// Leaves a method out from now on if all of a kind are used: it ends the process that makes it.
void leave_out(const std::string& kind, const std::string& name);
/// Returns the names of a kind that can be used, except those left out.
std::vector<std::string> usable(const Registry& registry, const std::string& kind);

/// Returns the "examples" of a method's schema, with its "type"; no options if it needs none.
/// \throws Error if some option has no default, and the schema has no examples
std::vector<Json> examples(const Registry& registry, const std::string& kind, const std::string& name);
/// Returns the examples of all methods of a kind that can be used.
std::vector<Json> examples(const Registry& registry, const std::string& kind);

/// Fills in the defaults of a schema, as scenes do.
Json with_defaults(const Json& schema, Json options);
/// Returns the options of a method as its factory gets them. \param options  with "type"
Options made_of(const Registry& registry, const std::string& kind, const Json& options);
/// Returns the same options with every value of those that have a few to choose from.
std::vector<Json> all_choices(const Json& schema, const Json& options);

/// Example of a shape.
struct Figure {
  Json options;
  std::shared_ptr<const Shape> shape;
  bool free;  ///< can move freely; else it only touches those that do
};

/// Returns the examples of one shape that exist in a dimension.
std::vector<Figure> figures(const Registry& registry, int dimension, const std::string& name);
/// Returns the examples of all shapes.
std::vector<Figure> figures(const Registry& registry, int dimension);

}  // namespace scree::conformance
