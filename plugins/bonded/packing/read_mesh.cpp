#include "packing/read_mesh.hpp"

#include <fmt/format.h>

#include <fstream>

#include "packing/read_gmsh.hpp"
#include "scree/base/error.hpp"
#ifdef SCREE_BONDED_VTK
#include "packing/read_vtu.hpp"
#endif

namespace scree::bonded {

namespace {

NamedMesh read_by_ending(const std::filesystem::path& file) {
  const std::string name = file.string(), ending = file.extension().string();
  if (ending != ".msh" && ending != ".vtu")
    throw InputError(
        fmt::format("{}: ends in \"{}\"; meshes are read from .msh (Gmsh, ASCII) and .vtu.", name, ending));
  std::error_code error;
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file, error))
    throw InputError(
        fmt::format("{}: {}.", name, std::filesystem::exists(file, error) ? "is not a readable file" : "no such file"));
  if (ending == ".msh") return read_gmsh(in, name);
#ifdef SCREE_BONDED_VTK
  return read_vtu(file);
#else
  throw InputError(name +
                   ": this build of scree has no VTK and reads no .vtu. Convert it to .msh, or build with "
                   "SCREE_VTK=ON.");
#endif
}

}  // namespace

NamedMesh read_mesh(const MeshSource& source) {
  NamedMesh result = read_by_ending(source.file);
  for (Vec3& vertex : result.mesh.vertex) vertex *= source.unit;
  check_mesh(result, source.limits);
  return result;
}

}  // namespace scree::bonded
