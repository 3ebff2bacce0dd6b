#pragma once
/// \file Curvature of the surface of a smooth solid, by its nodes.

#include "scree/base/api.hpp"
#include "scree/shape/smooth_surface.hpp"

namespace scree {

/// Returns the largest curvature of a surface, by the normals at neighbouring nodes [1/m].
SCREE_API double largest_curvature(const SurfaceNodes& surface, const SmoothField& field);

/// Checks whether a surface is convex: no node stands out of the tangent plane at another one, but for the waves of a
/// table. Takes tangent planes at some thousand nodes at most.
SCREE_API bool is_convex(const SurfaceNodes& surface, const SmoothField& field);

}  // namespace scree
