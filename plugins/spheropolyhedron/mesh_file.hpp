#pragma once
/// \file Polyhedra from files: Wavefront OBJ and STL.

#include <filesystem>
#include <string>

#include "polyhedron.hpp"

namespace scree::spheropolyhedron {

/// By the file's ending: .obj takes vertices ("v") and faces ("f") and skips all else; .stl is text or binary. Vertices
/// of STL come three to a triangle, and are to be welded. \throws OptionError, which names the file and the line
Polyhedron read_mesh(const std::filesystem::path& path, const std::string& pointer);

/// Reads a polyhedron from the contents of an OBJ file, for tests. \param name  for messages
Polyhedron parse_obj(const std::string& text, const std::string& name, const std::string& pointer);
/// Reads a polyhedron from the contents of an STL file, text or binary, for tests. \param name  for messages
Polyhedron parse_stl(const std::string& contents, const std::string& name, const std::string& pointer);

}  // namespace scree::spheropolyhedron
