#pragma once
/// \file Tetrahedral meshes, and the formulas of one tetrahedron.

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scree/base/types.hpp"

namespace scree::bonded {

/// Four vertices; positive where the fourth lies on the side of (b - a) x (c - a).
using Tetrahedron = std::array<std::uint32_t, 4>;

struct TetrahedralMesh {
  std::vector<Vec3> vertex;  ///< [m]
  std::vector<Tetrahedron> tetrahedron;

  std::array<Vec3, 4> corners(const Tetrahedron& t) const {
    return {vertex[t[0]], vertex[t[1]], vertex[t[2]], vertex[t[3]]};
  }
};

/// Face k is opposite to corner k; its corners run counterclockwise seen from outside a positive tetrahedron.
inline constexpr std::array<std::array<std::uint8_t, 3>, 4> kFaces{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// [m^3], negative for an inverted tetrahedron.
inline double signed_volume(const std::array<Vec3, 4>& c) {
  return (c[1] - c[0]).cross(c[2] - c[0]).dot(c[3] - c[0]) / 6;
}

/// [m], the mean of the corners.
inline Vec3 centroid(const std::array<Vec3, 4>& c) { return (c[0] + c[1] + c[2] + c[3]) / 4; }

/// Outward, as long as the face's area [m^2].
inline Vec3 face_area_vector(const std::array<Vec3, 4>& c, std::size_t face) {
  const auto& f = kFaces[face];
  return (c[f[1]] - c[f[0]]).cross(c[f[2]] - c[f[0]]) / 2;
}

/// Sum of the squares of the six edges [m^2].
inline double squared_edges(const std::array<Vec3, 4>& c) {
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j) sum += (c[i] - c[j]).squaredNorm();
  return sum;
}

/// Quality by the mean ratio, 12 (3 |V|)^(2/3)/sum l^2: 1 for a regular tetrahedron, 0 for a flat one [-].
/// \source A. Liu, B. Joe: Relationship between tetrahedron shape measures. BIT 34 (1994)
inline double mean_ratio(const std::array<Vec3, 4>& c) {
  const double v = std::cbrt(3 * std::abs(signed_volume(c)));
  return 12 * v * v / squared_edges(c);
}

/// One side of a tetrahedron, by its place in the mesh.
struct Side {
  std::uint32_t element = 0;
  std::uint8_t face = 0;
};

/// A triangle of the mesh with the tetrahedra it belongs to: one on the outer surface, two inside, more where the mesh
/// is no manifold. Sides by ascending element.
struct MeshFace {
  std::array<std::uint32_t, 3> vertex;  ///< ascending
  std::vector<Side> sides;
};

/// All triangles, by ascending vertices.
std::vector<MeshFace> faces_of(const TetrahedralMesh& mesh);

/// [m^3] in the order of the tetrahedra, summed.
double total_volume(const TetrahedralMesh& mesh);

}  // namespace scree::bonded
