#pragma once
/// \file What emitters and outlets have in common: names of their figures, and entries of bodies.

#include <string>
#include <vector>

#include "scree/scene/options.hpp"
#include "scree/world/world.hpp"

namespace scree::insertion {

/// \throws OptionError where another hook has figures of this name
void claim_name(const std::string& name, const World& world);

/// By group: whether option `bodies` names it. \throws OptionError for a name that is no entry of `bodies`
std::vector<char> groups_of(const Options& options, const World& world);

}  // namespace scree::insertion
