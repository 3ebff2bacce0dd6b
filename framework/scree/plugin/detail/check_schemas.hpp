#pragma once
/// \file Check of a plugin's schema.json: every option needs a description, and a default unless it is required.

#include <string>
#include <vector>

#include "scree/scene/detail/json.hpp"

namespace scree {

/// Checks the schemas.
/// \param factories  "kind/name" of all factories the plugin registered
/// \return faults of the schemas, or nothing
std::vector<std::string> check_schemas(const Json& schemas, const std::vector<std::string>& factories);

}  // namespace scree
