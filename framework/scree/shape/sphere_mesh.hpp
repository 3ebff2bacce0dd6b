#pragma once
/// \file Directions spread over the unit sphere.

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// Unit vectors joined by triangles, counter-clockwise as seen from outside.
struct SphereMesh {
  std::vector<Vec3> directions;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// An icosahedron each edge of which is divided into \p parts, drawn onto the sphere: 10 parts^2 + 2 directions.
SCREE_API SphereMesh geodesic_mesh(int parts);

/// Moves directions until the triangles of the surface point(direction) are about equally large, smaller where the
/// surface is bent by much within one.
/// \param point  returns the point of the surface along a direction from the centre [any unit]
SCREE_API void even_out(SphereMesh& mesh, const std::function<Vec3(const Vec3&)>& point);

/// Neighbours of each direction, as two columns: those of i are list[first[i]] .. before list[first[i + 1]],
/// counter-clockwise as seen from outside.
struct MeshNeighbours {
  std::vector<std::uint32_t> first, list;
};
SCREE_API MeshNeighbours neighbours_of(const SphereMesh& mesh);

/// A direction and the value of a function there.
struct DirectedValue {
  Vec3 direction = Vec3::UnitX();
  double value = 0;
};

/// The largest value of a continuous function of the direction: 40,000 samples, then climbing from the best of them.
SCREE_API DirectedValue largest_on_sphere(const std::function<double(const Vec3&)>& function);

}  // namespace scree
