#pragma once
/// \file Unstructured grids of VTK's XML files. In builds with VTK alone.

#include <filesystem>

#include "packing/check_mesh.hpp"

namespace scree::bonded {

/// Takes the tetrahedra, named by the numbers of their cells, from 0; of those of second order the corners, with a
/// note. Cells that are no volumes are skipped. \throws InputError  for a file that VTK cannot read, and volume cells
/// that are no tetrahedra
NamedMesh read_vtu(const std::filesystem::path& file);

}  // namespace scree::bonded
