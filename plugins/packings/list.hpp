#pragma once
/// \file The packing "list": places written out in the scene.

#include <vector>

#include "scree/plugin/plugin.hpp"

namespace scree::packings {

/// \throws OptionError with the place's number
std::vector<Placement> read_list(const Options& options, const PackingContext& context);

}  // namespace scree::packings
