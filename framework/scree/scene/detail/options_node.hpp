#pragma once
/// \file What an Options handle points to: one value inside a JSON document that lives as long as any handle to it.

#include <memory>
#include <string>

#include "scree/scene/detail/json.hpp"
#include "scree/scene/options.hpp"

namespace scree {

struct Options::Node {
  std::shared_ptr<const Json> document;
  const Json* value;    ///< inside *document
  std::string pointer;  ///< of *value in the scene
  std::string folder;   ///< of the scene file
};

/// \param pointer  of the value in the document, and in the scene
Options make_options(std::shared_ptr<const Json> document, const std::string& pointer, const std::string& folder);

}  // namespace scree
