#pragma once
/// \file A strand along given points.

#include <vector>

#include "scree/base/types.hpp"
#include "scree/scene/options.hpp"

namespace scree::rods {

/// Frames of segments of this length whose joints lie on the line through the points, turned from one to the next the
/// shortest way. The first point is the root; points are in the frame of the root.
/// \param axis  of a segment in its own frame
/// \throws OptionError where the line is too short, or a point follows itself
std::vector<Quat> frames_along(const std::vector<Options>& points, const Vec3& axis, double length,
                               std::size_t segments);

}  // namespace scree::rods
