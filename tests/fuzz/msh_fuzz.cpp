// Meshes of Gmsh.
#include <sstream>

#include "packing/check_mesh.hpp"
#include "packing/read_gmsh.hpp"
#include "scree/base/error.hpp"
#include "target.hpp"

std::vector<std::string> fuzz_seeds() {
  return {
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
      "$Elements\n3\n1 15 2 0 1 1\n2 4 2 0 1 1 2 3 4\n3 4 2 0 1 2 3 4 5\n$EndElements\n",
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
      "1 1 1\n$EndNodes\n$Elements\n2 3 1 3\n0 1 15 1\n1 1\n3 1 4 2\n2 1 2 3 4\n3 2 3 4 5\n$EndElements\n"};
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    scree::bonded::NamedMesh mesh = scree::bonded::read_gmsh(in, "beam.msh");
    scree::bonded::check_mesh(mesh, {});
  } catch (const scree::InputError&) {
  }
  return 0;
}
