#pragma once
/// \file Options -> the shapes "sphere" and "clump".

#include <memory>

#include "scree/plugin/plugin.hpp"
#include "sphere_body.hpp"

namespace scree::spheres {

std::shared_ptr<const SphereBody> make_sphere(const Options& options, const ShapeContext& context);

/// \throws OptionError, or InputError for a line of a template file
std::shared_ptr<const SphereBody> make_clump(const Options& options, const ShapeContext& context);

}  // namespace scree::spheres
