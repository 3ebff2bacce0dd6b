// Surfaces: OBJ, STL and PLY, and the meshes made of them.
#include "scree/base/error.hpp"
#include "scree/plugin/surface_file.hpp"
#include "target.hpp"
#include "triangle_mesh.hpp"

namespace {

/// A header of PLY with two triangles.
std::string ply_header(const std::string& format) {
  return "ply\nformat " + format +
         " 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
         "element face 2\nproperty list uchar short vertex_indices\nend_header\n";
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
  std::string stl(84 + 2 * 50, '\0'), little = ply_header("binary_little_endian"),
                                      big = ply_header("binary_big_endian");
  stl[80] = 2;
  const char one[] = {0, 0, static_cast<char>(0x80), 0x3f};
  for (const std::size_t at : {24, 40, 74, 90}) stl.replace(84 + at, 4, one, 4);
  for (int v = 0; v < 4; ++v)
    for (int k = 1; k < 4; ++k) {
      little.append(k == v ? std::string(one, 4) : std::string(4, '\0'));
      big.append(k == v ? std::string(one, 4) : std::string(4, '\0'));
    }
  for (const char v : {1, 2}) {
    little += {3, 0, 0, v, 0, 3, 0};
    big += {3, 0, 0, 0, v, 0, 3};
  }
  return {"# a fin\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.5 0 0\nv 0.2 -1 0\nf 1 2 3\nf 1/1 4//2 -1\nf 4 2 5\n",
          "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
          "0\nendloop\nendfacet\nendsolid\n",
          ply_header("ascii") + "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 1 3\n",
          stl,
          little,
          big};
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string contents(reinterpret_cast<const char*>(data), size);
  for (const auto parse : {scree::parse_obj, scree::parse_stl, scree::parse_ply}) {
    try {
      scree::mesh::TriangleMesh(parse(contents, "wall", "/file"), false, "/file");
    } catch (const scree::OptionError&) {
    }
  }
  return 0;
}
