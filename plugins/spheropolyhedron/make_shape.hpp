#pragma once
/// \file Options -> the shape "spheropolyhedron".

#include <memory>

#include "scree/plugin/plugin.hpp"
#include "swept_solid.hpp"

namespace scree::spheropolyhedron {

/// \throws OptionError
std::shared_ptr<const SweptSolid> make_spheropolyhedron(const Options& options);

}  // namespace scree::spheropolyhedron
