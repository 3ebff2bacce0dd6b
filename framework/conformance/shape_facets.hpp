#pragma once
/// \file Consistency of a shape's facets and its surface.

#include <optional>

#include "scree/shape/shape.hpp"

namespace scree::conformance {

/// Returns the least distance by SignedDistance/1 of points three bounding radii away, over that radius: above 0 if the
/// inside is inside. Nothing if the shape has no bound, or offers no distance.
std::optional<double> distance_far_away(const Shape& shape);

/// Returns the distance between the bounds of its spheres and those of its surface, over the bounding radius. Nothing
/// if it is no SphereSet/1.
std::optional<double> spheres_beside_surface(const Shape& shape, const Surface& surface);

/// Returns the excess of its boundary's motion per radian over rotation_reach(), over the bounding radius, for a small
/// rotation. Nothing if it has neither spheres nor a distance, or no bound.
std::optional<double> sweep_beyond_reach(const Shape& shape, const Surface& surface);

}  // namespace scree::conformance
