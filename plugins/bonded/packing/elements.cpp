#include "packing/elements.hpp"

#include <algorithm>
#include <numbers>

namespace scree::bonded {

double radius_of(double volume) { return std::cbrt(3 * volume / (4 * std::numbers::pi)); }

Elements elements_of(const TetrahedralMesh& mesh, FaceArea area) {
  Elements out;
  const std::size_t count = mesh.tetrahedron.size();
  out.centroid.reserve(count), out.volume.reserve(count), out.tetrahedron.reserve(12 * count);
  for (const Tetrahedron& t : mesh.tetrahedron) {
    const auto c = mesh.corners(t);
    out.centroid.push_back(centroid(c));
    out.volume.push_back(signed_volume(c));
    for (const Vec3& corner : c)
      for (int k = 0; k < 3; ++k) out.tetrahedron.push_back(corner[k] - out.centroid.back()[k]);
  }
  for (const MeshFace& face : faces_of(mesh)) {
    if (face.sides.size() != 2) continue;
    const auto [a, b] = std::pair(face.sides[0].element, face.sides[1].element);
    const Vec3 vector = face_area_vector(mesh.corners(mesh.tetrahedron[a]), face.sides[0].face);
    const Vec3 along = (out.centroid[b] - out.centroid[a]).normalized();
    out.shared.push_back({a, b, area == FaceArea::whole ? vector.norm() : std::abs(vector.dot(along))});
  }
  std::sort(out.shared.begin(), out.shared.end(),
            [](const SharedSide& x, const SharedSide& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  return out;
}

Elements cubic_lattice(const Cuboid& box) {
  Elements out;
  const Vec3 cell = box.cell();
  const auto [nx, ny, nz] = box.cells;
  const auto at = [ny = ny, nz = nz](int i, int j, int k) { return static_cast<std::uint32_t>((i * ny + j) * nz + k); };
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) {
        out.centroid.push_back(cell.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5)));
        out.volume.push_back(cell.prod());
        if (k + 1 < nz) out.shared.push_back({at(i, j, k), at(i, j, k + 1), cell.x() * cell.y()});
        if (j + 1 < ny) out.shared.push_back({at(i, j, k), at(i, j + 1, k), cell.x() * cell.z()});
        if (i + 1 < nx) out.shared.push_back({at(i, j, k), at(i + 1, j, k), cell.y() * cell.z()});
      }
  return out;
}

}  // namespace scree::bonded
