#pragma once
/// \file Target of an Options handle: one value inside a JSON document that lives as long as any handle to it.

#include <memory>
#include <string>

#include "scree/scene/detail/json.hpp"
#include "scree/scene/options.hpp"

namespace scree {

struct Options::Node {
  std::shared_ptr<const Json> document;
  const Json* value;    ///< inside *document
  std::string pointer;  ///< pointer to *value in the scene
  std::string folder;   ///< folder of the scene file
};

/// Makes an Options handle.
/// \param pointer  pointer to the value in the document, and in the scene
Options make_options(std::shared_ptr<const Json> document, const std::string& pointer, const std::string& folder);

}  // namespace scree
