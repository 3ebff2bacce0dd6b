#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "packing/check_mesh.hpp"
#include "packing/elements.hpp"
#include "packing/read_gmsh.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::bonded;
using Catch::Matchers::ContainsSubstring;
using test::message_of;

namespace {

struct Census {
  std::size_t vertices = 0, edges = 0, faces = 0, tetrahedra = 0, outer = 0;
  double outer_area = 0, worst_quality = 1;
  Vec3 outer_vector = Vec3::Zero();
};

Census census(const TetrahedralMesh& mesh) {
  Census c;
  std::set<std::uint32_t> vertices;
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const Tetrahedron& t : mesh.tetrahedron) {
    REQUIRE(signed_volume(mesh.corners(t)) > 0);
    c.worst_quality = std::min(c.worst_quality, mean_ratio(mesh.corners(t)));
    for (const std::uint32_t a : t) {
      vertices.insert(a);
      for (const std::uint32_t b : t)
        if (a < b) edges.emplace(a, b);
    }
  }
  const auto faces = faces_of(mesh);
  for (const MeshFace& face : faces) {
    REQUIRE(face.sides.size() <= 2);
    if (face.sides.size() == 2) continue;
    ++c.outer;
    const Vec3 a = face_area_vector(mesh.corners(mesh.tetrahedron[face.sides[0].element]), face.sides[0].face);
    c.outer_area += a.norm(), c.outer_vector += a;
  }
  c.vertices = vertices.size(), c.edges = edges.size(), c.faces = faces.size(), c.tetrahedra = mesh.tetrahedron.size();
  return c;
}

const Cuboid kBox{Vec3(0.6, 0.5, 0.2), {6, 4, 3}, 0.18, 5};

/// A tetrahedron with corners at the origin and the unit points, as Gmsh 2.2; `elements` and `nodes` are lines.
std::string gmsh2(const std::string& nodes, int node_count, const std::string& elements, int element_count) {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(node_count) + "\n" + nodes +
         "$EndNodes\n$Elements\n" + std::to_string(element_count) + "\n" + elements + "$EndElements\n";
}
const std::string kNodes = "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n";

NamedMesh read(const std::string& text) {
  std::istringstream in(text);
  return read_gmsh(in, "beam.msh");
}
NamedMesh checked(NamedMesh mesh, const MeshLimits& limits = {}) {
  check_mesh(mesh, limits);
  return mesh;
}
std::string fault(const std::string& text, const MeshLimits& limits = {}) {
  return message_of<InputError>([&] { checked(read(text), limits); });
}

}  // namespace

TEST_CASE("meshes of cuboids fill the box, have its sides for a surface, and are balls") {
  for (const bool bcc : {true, false}) {
    const TetrahedralMesh mesh = bcc ? bcc_mesh(kBox) : kuhn_mesh(kBox);
    const Census c = census(mesh);
    CHECK(total_volume(mesh) == Approx(kBox.size.prod()).epsilon(1e-13));
    CHECK(c.outer_area == Approx(2 * (0.3 + 0.12 + 0.1)).epsilon(1e-13));
    CHECK(c.outer_vector.norm() < 1e-15);
    // Euler: V - E + F - T = 1 for a ball, V - E + F = 2 for its surface, whose edges are 3/2 of its faces.
    CHECK(static_cast<std::ptrdiff_t>(c.vertices + c.faces) - static_cast<std::ptrdiff_t>(c.edges + c.tetrahedra) == 1);
    const std::size_t sides = 2 * (6 * 4 + 6 * 3 + 4 * 3);
    CHECK(c.outer == 2 * sides);
    CHECK(c.tetrahedra == (bcc ? 4 * (5 * 12 + 3 * 18 + 2 * 24) + 2 * sides : 6 * 72));
    CHECK(c.worst_quality > 0.25);
  }
}

TEST_CASE("jitter however large leaves tetrahedra of positive volume and flat sides") {
  for (const bool bcc : {true, false}) {
    Cuboid box = kBox;
    box.jitter = 0.5;  // half a cell: without care every tenth tetrahedron is inverted
    const TetrahedralMesh mesh = bcc ? bcc_mesh(box) : kuhn_mesh(box);
    const Census c = census(mesh);
    CHECK(c.worst_quality >= kLeastQuality);
    CHECK(total_volume(mesh) == Approx(box.size.prod()).epsilon(1e-13));
    CHECK(c.outer_area == Approx(2 * (0.3 + 0.12 + 0.1)).epsilon(1e-13));
  }
}

TEST_CASE("the seed decides the jitter, and jitter 0 is regular") {
  Cuboid other = kBox;
  CHECK(bcc_mesh(kBox).vertex == bcc_mesh(other).vertex);
  other.seed = 6;
  CHECK(bcc_mesh(kBox).vertex != bcc_mesh(other).vertex);
  const Cuboid regular{Vec3(4, 4, 4), {4, 4, 4}};
  const TetrahedralMesh mesh = bcc_mesh(regular);
  std::size_t alike = 0;  // 12 inner faces per direction and layer, 4 tetrahedra each: two edges 1, four sqrt(3)/2
  for (const Tetrahedron& t : mesh.tetrahedron)
    alike += std::abs(squared_edges(mesh.corners(t)) - 5) < 1e-12 &&
             std::abs(signed_volume(mesh.corners(t)) - 1.0 / 12) < 1e-12;
  CHECK(alike == 4 * 3 * 3 * 16);
  CHECK(mean_ratio({Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)}) == Approx(1).epsilon(1e-14));
}

TEST_CASE("elements: masses, spheres of the same volume, sections of whole and of projected faces") {
  const TetrahedralMesh mesh = bcc_mesh(kBox);
  const Elements whole = elements_of(mesh, FaceArea::whole), projected = elements_of(mesh, FaceArea::projected);
  Vec3 moment = Vec3::Zero();
  double volume = 0, spheres = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    volume += whole.volume[i], moment += whole.volume[i] * whole.centroid[i];
    spheres += 4 * std::numbers::pi / 3 * std::pow(radius_of(whole.volume[i]), 3);
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < 12; ++k) sum[static_cast<int>(k % 3)] += whole.tetrahedron[12 * i + k];
    REQUIRE(sum.norm() < 1e-15);
  }
  CHECK(volume == Approx(kBox.size.prod()).epsilon(1e-13));
  CHECK(spheres == Approx(volume).epsilon(1e-13));
  CHECK((moment / volume - kBox.size / 2).norm() < 1e-14);
  // Each interior face once: 4 faces per element, the outer ones without a partner.
  const Census c = census(mesh);
  CHECK(whole.shared.size() == (4 * whole.size() - c.outer) / 2);
  REQUIRE(projected.shared.size() == whole.shared.size());
  for (std::size_t n = 0; n < whole.shared.size(); ++n) {
    REQUIRE(whole.shared[n].a < whole.shared[n].b);
    REQUIRE(projected.shared[n].area < whole.shared[n].area * (1 + 1e-12));
    REQUIRE(projected.shared[n].area > 0.3 * whole.shared[n].area);
  }
}

TEST_CASE("a cubic lattice of cells: volumes, and faces of every pair of neighbours") {
  const Elements cells = cubic_lattice({Vec3(4, 3, 1), {4, 3, 2}});
  REQUIRE(cells.size() == 24);
  CHECK(cells.volume[0] == 0.5);
  CHECK(cells.shared.size() == 3 * 3 * 2 + 4 * 2 * 2 + 4 * 3);
  double along[3] = {};
  for (const SharedSide& s : cells.shared) {
    const Vec3 branch = cells.centroid[s.b] - cells.centroid[s.a];
    for (int k = 0; k < 3; ++k) along[k] += branch[k] > 0 ? s.area : 0;
  }
  CHECK(along[0] == Approx(3 * 3.0));  // inner planes times their area
  CHECK(along[1] == Approx(2 * 4.0));
  CHECK(along[2] == Approx(12.0));
}

TEST_CASE("Gmsh 2.2 and 4.1 give the same mesh, what is no volume is skipped, second order loses its inner nodes") {
  const NamedMesh two =
      read(gmsh2(kNodes, 5, "1 15 2 0 1 1\n7 2 2 0 1 1 2 3\n12 4 2 0 1 1 2 3 4\n13 4 0 2 3 4 5\n", 4));
  const NamedMesh four = read(
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n0\n$EndPhysicalNames\n$Nodes\n2 5 1 5\n"
      "2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n3 1 1 2\n4\n5\n0 0 1 0.5 0.5 0.5\n1 1 1 0.5 0.5 0.5\n$EndNodes\n"
      "$Elements\n2 3 1 3\n2 1 2 1\n7 1 2 3\n3 1 4 2\n12 1 2 3 4\n13 2 3 4 5\n$EndElements\n");
  CHECK(two.mesh.vertex == four.mesh.vertex);
  CHECK(two.mesh.tetrahedron == four.mesh.tetrahedron);
  CHECK(two.label == std::vector<std::uint64_t>{12, 13});
  CHECK(four.label == two.label);
  CHECK(two.notes.empty());
  const NamedMesh second = read(gmsh2(kNodes, 5, "12 11 2 0 1 1 2 3 4 5 5 5 5 5 5\n", 1));
  CHECK(second.mesh.tetrahedron[0] == Tetrahedron{0, 1, 2, 3});
  REQUIRE(second.notes.size() == 1);
  CHECK(second.notes[0] ==
        "beam.msh: 1 tetrahedra of second order: their corners are used, the nodes on their edges are not.");
}

TEST_CASE("flat cells are made, jitter and all: beams lying down, plates, needles") {
  for (const bool bcc : {true, false})
    for (const Vec3& size : {Vec3(1, 1, 0.01), Vec3(1, 25, 0.2), Vec3(1, 1e-6, 1e-6)}) {
      const Cuboid box{size, {10, 10, 1}, 0.18, 1};
      const TetrahedralMesh mesh = bcc ? bcc_mesh(box) : kuhn_mesh(box);
      const Cuboid still{size, {10, 10, 1}, 0, 1};
      const TetrahedralMesh undisturbed = bcc ? bcc_mesh(still) : kuhn_mesh(still);
      REQUIRE(mesh.tetrahedron.size() == undisturbed.tetrahedron.size());
      CHECK(total_volume(mesh) == Approx(size.prod()).epsilon(1e-12));
      bool moved = false;
      for (std::size_t i = 0; i < mesh.tetrahedron.size(); ++i) {
        const auto c = mesh.corners(mesh.tetrahedron[i]), before = undisturbed.corners(undisturbed.tetrahedron[i]);
        REQUIRE(signed_volume(c) > 0);
        REQUIRE(mean_ratio(c) >= std::min(kLeastQuality, mean_ratio(before) / 2));
        moved = moved || c != before;
      }
      CHECK(moved);
    }
}

TEST_CASE("inverted tetrahedra are turned the right way round, with a note") {
  const NamedMesh m = checked(read(gmsh2(kNodes, 5, "12 4 0 1 3 2 4\n13 4 0 2 3 4 5\n", 2)));
  for (const Tetrahedron& t : m.mesh.tetrahedron) CHECK(signed_volume(m.mesh.corners(t)) > 0);
  REQUIRE(m.notes.size() == 1);
  CHECK(m.notes[0] == "beam.msh: 1 tetrahedron (12) had negative volume; two corners of each were exchanged.");
}

TEST_CASE("meshes that cannot be used are refused by name, with the remedy") {
  CHECK(fault("hello\n") ==
        "beam.msh:1: is no Gmsh file: it has no $MeshFormat. Allowed are .msh files of format 2.2 or 4.1.");
  CHECK(fault("$MeshFormat\n4.0 0 8\n") ==
        "beam.msh:2: format 4.0; 2.2 and 4.1 are read. Save it anew (Gmsh: -format msh41).");
  CHECK(fault("$MeshFormat\n4.1 1 8\n") ==
        "beam.msh:2: is binary; ASCII is read. Save it anew (Gmsh: -bin off, or Mesh.Binary = 0).");
  CHECK(fault("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n") ==
        "beam.msh:6: the file ends where a node should be. Is it complete?");
  CHECK(fault(gmsh2("1 0 zero 0\n", 1, "", 0)) == "beam.msh:6: expected y, a number; found \"zero\".");
  CHECK(fault(gmsh2(kNodes + "5 2 2 2\n", 6, "", 0)) == "beam.msh:11: node 5 is there twice.");
  CHECK(fault(gmsh2(kNodes, 5, "3 4 0 1 2 3 9\n", 1)) == "beam.msh:14: element 3 has node 9, which is not there.");
  // A number of tags that no line can hold must not be counted down.
  CHECK(fault(gmsh2(kNodes, 5, "3 4 18446744073709551615 1 2 3 4\n", 1)) ==
        "beam.msh:14: element 3 has fewer tags than it says.");
  CHECK(fault(gmsh2(kNodes, 5, "3 5 0 1 2 3 4 5 1 2 3\n", 1)) ==
        "beam.msh:14: element 3 is a hexahedron; bonded elements are made of tetrahedra of first or second order. Mesh "
        "with tetrahedra.");
  CHECK(fault(gmsh2(kNodes, 5, "7 2 2 0 1 1 2 3\n", 1)) ==
        "beam.msh: has no tetrahedra. Make a volume mesh (Gmsh: -3), and save its volume elements.");
  CHECK(fault(gmsh2("1 0 0 0\n2 nan 0 0\n3 0 1 0\n4 0 0 1\n", 4, "3 4 0 1 2 3 4\n", 1)) ==
        "beam.msh:7: expected x, a number; found \"nan\".");
  NamedMesh endless;
  endless.file = "beam.vtu";
  endless.mesh.vertex = {Vec3(0, 0, 0), Vec3(INFINITY, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  endless.mesh.tetrahedron = {{0, 1, 2, 3}};
  endless.label = {0};
  CHECK_THROWS_WITH(check_mesh(endless, {0.05, false}),
                    "beam.vtu: vertex 2 of 4 is at (inf, 0, 0); coordinates must be finite. Mesh again.");
  CHECK(fault(gmsh2("1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n", 4, "3 4 0 1 2 3 4\n", 1)) ==
        "beam.msh: 1 tetrahedron (3) without volume. Mesh again, or remove degenerate elements.");
  const std::string sliver = gmsh2("1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0.001\n", 4, "3 4 0 1 2 3 4\n", 1);
  CHECK(fault(sliver) ==
        "beam.msh: 1 tetrahedron (3) of quality below min_quality = 0.05 (mean ratio: 1 for a regular tetrahedron, 0 "
        "for a flat one), the worst 0.0094. Slivers make stable steps small: improve the mesh, or lower min_quality.");
  CHECK(fault(sliver, {0.005}).empty());
  CHECK(fault(gmsh2(kNodes + "6 -1 -1 0.5\n", 6, "3 4 0 1 2 3 4\n4 4 0 2 3 4 5\n5 4 0 2 3 4 6\n", 3)) ==
        "beam.msh: 3 tetrahedra (3, 4, 5) share one face; two can. Remove what is there twice.");
  const std::string apart =
      gmsh2(kNodes + "6 5 0 0\n7 6 0 0\n8 5 1 0\n9 5 0 1\n", 9, "3 4 0 1 2 3 4\n8 4 0 6 7 8 9\n", 2);
  CHECK(fault(apart) ==
        "beam.msh: falls into 2 pieces that share no face: 1 from tetrahedron 3 on; 1 from tetrahedron 8 on. Merge "
        "coincident nodes (Gmsh: Coherence Mesh), or set \"allow_pieces\": true.");
  CHECK(fault(apart, {0.05, true}).empty());
}
