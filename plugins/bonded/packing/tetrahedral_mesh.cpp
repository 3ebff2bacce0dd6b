#include "packing/tetrahedral_mesh.hpp"

#include <algorithm>

namespace scree::bonded {

std::vector<MeshFace> faces_of(const TetrahedralMesh& mesh) {
  struct Entry {
    std::array<std::uint32_t, 3> vertex;
    Side side;
  };
  std::vector<Entry> entries;
  entries.reserve(4 * mesh.tetrahedron.size());
  for (std::uint32_t element = 0; element < mesh.tetrahedron.size(); ++element) {
    const Tetrahedron& t = mesh.tetrahedron[element];
    for (std::uint8_t face = 0; face < 4; ++face) {
      std::array<std::uint32_t, 3> vertex{t[kFaces[face][0]], t[kFaces[face][1]], t[kFaces[face][2]]};
      std::sort(vertex.begin(), vertex.end());
      entries.push_back({vertex, {element, face}});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.vertex != b.vertex ? a.vertex < b.vertex : a.side.element < b.side.element;
  });
  std::vector<MeshFace> faces;
  for (const Entry& entry : entries) {
    if (faces.empty() || faces.back().vertex != entry.vertex) faces.push_back({entry.vertex, {}});
    faces.back().sides.push_back(entry.side);
  }
  return faces;
}

double total_volume(const TetrahedralMesh& mesh) {
  double sum = 0;
  for (const Tetrahedron& t : mesh.tetrahedron) sum += signed_volume(mesh.corners(t));
  return sum;
}

}  // namespace scree::bonded
