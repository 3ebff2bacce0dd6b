#pragma once
/// \file Gmsh's mesh files, ASCII, formats 2.2 and 4.1.

#include <istream>

#include "packing/check_mesh.hpp"

namespace scree::bonded {

/// Takes the tetrahedra; of those of second order the corners, with a note. Points, lines and surfaces are skipped.
/// Coordinates as written. \source Gmsh reference manual 4.11, secs. 10.1 and 10.3 (MSH file format)
/// \param name  for messages
/// \throws InputError  with name and line, for other formats, volume elements that are no tetrahedra, and whatever
/// cannot be understood
NamedMesh read_gmsh(std::istream& in, const std::string& name);

}  // namespace scree::bonded
