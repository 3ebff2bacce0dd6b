#pragma once
/// \file Place of a mesh beside a smooth body, and critical points found on it.

#include <cstdint>
#include <span>

#include "scree/shape/smooth_surface.hpp"
#include "triangle_mesh.hpp"

namespace scree::mesh {

/// Triangles of a mesh that are candidates, and its place in the frame and lengths of the body's shape.
struct PlacedMesh {
  const TriangleMesh& mesh;
  std::span<const std::uint32_t> triangles;  ///< all that come within reach of the body's origin, and others; ascending
  Mat3 turn;
  Vec3 shift;    ///< [m]
  double ratio;  ///< size of the mesh over that of the body

  Vec3 place(std::uint32_t vertex) const { return turn * (ratio * mesh.vertices()[vertex]) + shift; }
  /// Returns the distance of a point from a triangle [m].
  double distance(std::uint32_t triangle, const Vec3& from) const {
    return ratio * mesh.foot(triangle, turn.transpose() * (from - shift) / ratio).distance;
  }
};

/// Checks whether a point in the plane of a triangle is within it. \param normal  of the triangle, of any length
inline bool within(const Vec3 (&corner)[3], const Vec3& normal, const Vec3& at) {
  for (int k = 0; k < 3; ++k)
    if (normal.dot((corner[(k + 1) % 3] - corner[k]).cross(at - corner[k])) < 0) return false;
  return true;
}

/// A critical point of the depth along the mesh, in the frame of the smooth body.
struct CriticalPoint {
  Vec3 at;               ///< on the mesh [m]
  DepthCurvature depth;  ///< depth and derivatives of the field there
  int weight;            ///< 1: a top; below 0: a saddle
  std::uint64_t part;    ///< TriangleMesh::number()
};

}  // namespace scree::mesh
