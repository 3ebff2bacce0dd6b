#pragma once
/// \file What a plugin's schema.json must say about every option: description, and a default unless it is required.

#include <string>
#include <vector>

#include "scree/scene/detail/json.hpp"

namespace scree {

/// \param factories  "kind/name" of all factories the plugin registered
/// \return what is wrong with the schemas, or nothing
std::vector<std::string> check_schemas(const Json& schemas, const std::vector<std::string>& factories);

}  // namespace scree
