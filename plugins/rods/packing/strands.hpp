#pragma once
/// \file The packing "strands": segments that follow each other from roots, joined by shared faces.

#include "scree/plugin/factories.hpp"

namespace scree::rods {

/// \throws OptionError
Packed pack_strands(const Options& options, const PackingContext& context);

}  // namespace scree::rods
