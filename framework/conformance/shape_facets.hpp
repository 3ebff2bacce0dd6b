#pragma once
/// \file Whether the facets of a shape and its surface show one body.

#include <optional>

#include "scree/shape/shape.hpp"

namespace scree::conformance {

/// The least distance that SignedDistance/1 tells of points three bounding radii away, as part of that radius: above 0
/// where the inside is inside. Nothing where the shape has no bound, or offers no distance.
std::optional<double> distance_far_away(const Shape& shape);

/// How far the bounds of its spheres are from those of its surface, as part of the bounding radius. Nothing where it is
/// no SphereSet/1.
std::optional<double> spheres_beside_surface(const Shape& shape, const Surface& surface);

/// By how much more than rotation_reach() its boundary moves per radian, as part of the bounding radius, when it turns
/// a little. Nothing where it has neither spheres nor a distance, or no bound.
std::optional<double> sweep_beyond_reach(const Shape& shape, const Surface& surface);

}  // namespace scree::conformance
