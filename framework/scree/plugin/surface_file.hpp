#pragma once
/// \file Surfaces from files (Wavefront OBJ, STL, PLY) or lists, for shapes that are given as a mesh.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

class Options;

/// A surface as places and faces. Faces list their corners, as indices of vertices, counter-clockwise from outside.
struct SurfaceMesh {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<std::vector<std::uint32_t>> faces;
};

/// Reads the surface of a shape: its option `file`, or its `vertices` and `faces`.
/// \throws OptionError if not just one of the two is given, and as read_surface()
SCREE_API SurfaceMesh read_surface(const Options& options);

/// Reads a surface, by the file's ending: .obj takes vertices ("v") and faces ("f") and skips all else; .stl is text or
/// binary; .ply is text or binary of either byte order. Vertices of STL come three to a triangle, and are to be welded.
/// The surface has a face, its places are finite, and its corners are numbers of vertices, three to a face at least.
/// \param pointer  JSON pointer of the option that named the file, for messages
/// \throws OptionError, which names the file and the line
SCREE_API SurfaceMesh read_surface(const std::filesystem::path& path, const std::string& pointer);

/// Reads a surface from the contents of an OBJ file, for tests. \param name  for messages
SCREE_API SurfaceMesh parse_obj(const std::string& text, const std::string& name, const std::string& pointer);
/// Reads a surface from the contents of an STL file, text or binary, for tests. \param name  for messages
SCREE_API SurfaceMesh parse_stl(const std::string& contents, const std::string& name, const std::string& pointer);
/// Reads a surface from the contents of a PLY file, text or binary, for tests. \param name  for messages
/// \source G. Turk, The PLY Polygon File Format, Stanford 1994
SCREE_API SurfaceMesh parse_ply(const std::string& contents, const std::string& name, const std::string& pointer);

}  // namespace scree
