#pragma once
/// \file Blocks, beams and plates cut into cells: meshes of tetrahedra.

#include <string_view>

#include "packing/tetrahedral_mesh.hpp"

namespace scree::bonded {

/// A box from the origin to `size`, of equal cells.
struct Cuboid {
  Vec3 size = Vec3::Ones();  ///< [m], above 0
  std::array<int, 3> cells{1, 1, 1};
  double jitter = 0;  ///< vertices move by up to this part of the cell along each axis, those on a side within it [-]
  std::uint64_t seed = 1;

  Vec3 cell() const { return size.cwiseQuotient(Vec3(cells[0], cells[1], cells[2])); }
};

/// No tetrahedron of these meshes has less quality by mean_ratio(), whatever the jitter: where the draws give one, its
/// corners move less. With jitter 0.18 this never happened.
inline constexpr double kLeastQuality = 0.2;

/// Body-centred cubic: vertices are the cells' corners and centres; a tetrahedron per edge of each face that two cells
/// share, from centre to centre, and half a pyramid per half of each outer face. 12 per cell and a few. With jitter
/// 0.18: about what a Delaunay triangulation of these vertices gives.
TetrahedralMesh bcc_mesh(const Cuboid& box);

/// Kuhn's: each cell is cut into the six tetrahedra around its diagonal. Every cell alike: not isotropic.
TetrahedralMesh kuhn_mesh(const Cuboid& box);

}  // namespace scree::bonded
