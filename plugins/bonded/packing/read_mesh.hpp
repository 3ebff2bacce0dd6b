#pragma once
/// \file A mesh of tetrahedra from a file, by the ending of its name.

#include <filesystem>

#include "packing/check_mesh.hpp"

namespace scree::bonded {

struct MeshSource {
  std::filesystem::path file;
  double unit = 1;  ///< metres per unit of the file
  MeshLimits limits;
};

/// Reads, scales and checks: .msh of Gmsh, and, in builds with VTK, .vtu.
/// \throws InputError  for a file that is not there or has another ending, and for what check_mesh() refuses
NamedMesh read_mesh(const MeshSource& source);

}  // namespace scree::bonded
