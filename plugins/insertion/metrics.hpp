#pragma once
/// \file Names of the figures of emitters and outlets.

#include <string>

#include "scree/world/world.hpp"

namespace scree::insertion {

/// \throws OptionError where another hook has figures of this name
void claim_name(const std::string& name, const World& world);

}  // namespace scree::insertion
