#pragma once
/// \file Nodes on the surface of a depth field, joined by triangles.

#include <array>
#include <functional>
#include <vector>

#include "scree/shape/smooth_surface.hpp"
#include "scree/shape/sphere_mesh.hpp"

namespace scree::mesh {

/// Points of a surface [m] joined by triangles, counter-clockwise as seen from outside.
struct SurfaceNet {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// Makes a net of the surface where a depth is 0: its points are spread evenly, and lie on the surface.
/// \param lower, upper  box around the surface [m]
/// \param spacing       [m]: there is about one point per square of it
/// \source A. Doi and A. Koide, An efficient method of triangulating equi-valued surfaces by using tetrahedral cells,
/// IEICE Trans. E74 (1991) 214
SurfaceNet surface_net(const std::function<DepthCurvature(const Vec3&)>& field, const Vec3& lower, const Vec3& upper,
                       double spacing);

}  // namespace scree::mesh
