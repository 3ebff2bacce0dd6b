#pragma once
/// \file Critical points of the depth along a mesh near a sample of it: in triangles, on edges, at vertices.

#include <optional>

#include "critical_point.hpp"

namespace scree::mesh {

/// Returns the top next to a place on the mesh, if there is one within eight spacings: in a triangle where the depth
/// falls to all sides, on an edge from which it rises into none of its triangles, at a vertex from which it rises
/// nowhere. The weight is 1.
/// \param spacing  distance of samples [m]
std::optional<CriticalPoint> top_near(const PlacedMesh& surface, const SmoothField& field, const Vec3& place,
                                      double spacing);

/// Returns the saddle next to a place, at which parts of the mesh that are deeper come together: in a triangle, on an
/// edge from which the depth rises into both of its triangles or towards both of its ends, or at a vertex from which
/// it rises in several ways. The weight is -1.
std::optional<CriticalPoint> saddle_near(const PlacedMesh& surface, const SmoothField& field, const Vec3& place,
                                         double spacing);

}  // namespace scree::mesh
