#pragma once
/// \file Surfaces from files: Wavefront OBJ and STL, for shapes that are given as a mesh.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// A surface as places and faces. Faces list their corners, as indices of vertices, counter-clockwise from outside.
struct SurfaceMesh {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<std::vector<std::uint32_t>> faces;
};

/// Reads a surface, by the file's ending: .obj takes vertices ("v") and faces ("f") and skips all else; .stl is text or
/// binary. Vertices of STL come three to a triangle, and are to be welded.
/// \param pointer  JSON pointer of the option that named the file, for messages
/// \throws OptionError, which names the file and the line
SCREE_API SurfaceMesh read_surface(const std::filesystem::path& path, const std::string& pointer);

/// Reads a surface from the contents of an OBJ file, for tests. \param name  for messages
SCREE_API SurfaceMesh parse_obj(const std::string& text, const std::string& name, const std::string& pointer);
/// Reads a surface from the contents of an STL file, text or binary, for tests. \param name  for messages
SCREE_API SurfaceMesh parse_stl(const std::string& contents, const std::string& name, const std::string& pointer);

}  // namespace scree
