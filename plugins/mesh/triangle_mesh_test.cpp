#include "triangle_mesh.hpp"

#include <random>

#include "catch.hpp"
#include "mesh_shape.hpp"
#include "scree/base/error.hpp"
#include "test_meshes.hpp"
#include "triangle_tree.hpp"

using namespace scree;
using namespace scree::mesh;
using namespace scree::mesh::test;

namespace {

/// Gives each triangle corners of its own, as in STL files.
SurfaceMesh unwelded(const SurfaceMesh& s) {
  SurfaceMesh apart;
  for (const auto& face : s.faces)
    for (std::size_t k = 2; k < face.size(); ++k) {
      const auto first = static_cast<std::uint32_t>(apart.vertices.size());
      for (const std::uint32_t v : {face[0], face[k - 1], face[k]}) apart.vertices.push_back(s.vertices[v]);
      apart.faces.push_back({first, first + 1, first + 2});
    }
  return apart;
}

MeshShape shape(const SurfaceMesh& s, bool inside = false, Sides sides = Sides::automatic) {
  return MeshShape(s, {inside, sides, "/file"});
}

}  // namespace

TEST_CASE("a box of an STL file is welded, closed and faces outward, whichever way its triangles run") {
  SurfaceMesh s = unwelded(box({1, 2, 3}));
  for (const std::size_t k : {1, 4, 7}) std::swap(s.faces[k][0], s.faces[k][1]);
  s.faces.push_back({0, 1, 2});  // given twice
  s.faces.push_back({0, 0, 1});  // without area
  const TriangleMesh mesh(s, false, "/file");
  CHECK(mesh.vertices().size() == 8);
  CHECK(mesh.triangles().size() == 12);
  CHECK(mesh.edge_count() == 18);
  CHECK(mesh.report().given == 14);
  CHECK(mesh.report().doubles == 1);
  CHECK(mesh.report().degenerate == 1);
  CHECK(mesh.report().turned >= 3);
  CHECK(mesh.closed());
  CHECK(mesh.volume() == Approx(48));
  CHECK(mesh.area() == Approx(88));
  for (std::uint32_t t = 0; t < 12; ++t) CHECK(mesh.normal(t).dot(mesh.vertices()[mesh.triangles()[t].vertex[0]]) > 0);
  CHECK(TriangleMesh(s, true, "/file").volume() == Approx(-48));
}

TEST_CASE("corners on edges of other triangles cut these, on one edge or on all three, and close a surface") {
  const TriangleMesh flat(seam(3, 4), false, "/file");
  CHECK(flat.report().split == 5);  // 2 corners of the left, 3 of the right
  CHECK(flat.triangles().size() == 14 + 5);
  CHECK(flat.report().open_edges == 2 + 2 + 3 + 4);
  CHECK(flat.report().branches == 0);
  CHECK(flat.report().oriented);
  CHECK(flat.area() == Approx(4));
  for (std::uint32_t t = 0; t < 19; ++t) CHECK(std::abs(flat.normal(t).z()) == Approx(1));

  // A tetrahedron: each edge is split in two or three for one of its triangles, and whole for the other.
  SurfaceMesh s{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}}};
  const auto strip = [&](int a, int b, int parts) {  // the triangle of a, b and the top as a fan about the top
    std::uint32_t last = static_cast<std::uint32_t>(a);
    for (int k = 1; k <= parts; ++k) {
      s.vertices.push_back(s.vertices[a] + double(k) / parts * (s.vertices[b] - s.vertices[a]));
      const auto next = static_cast<std::uint32_t>(s.vertices.size() - 1);
      s.faces.push_back({last, next, 3});
      last = next;
    }
  };
  strip(0, 1, 3), strip(1, 2, 2), strip(2, 0, 4);
  const TriangleMesh solid(s, false, "/file");
  CHECK(solid.report().split == 2 + 1 + 3);
  CHECK(solid.closed());
  CHECK(solid.volume() == Approx(1.0 / 6));
  CHECK(solid.area() == Approx(1.5 + std::sqrt(3) / 2));
  CHECK(solid.triangles().size() == 9 + 7);
}

TEST_CASE("the tree gives the nearest point and all triangles in reach, as brute force does") {
  const TriangleMesh mesh(sheet(20, 0.4, [](double x, double y) { return 0.3 * std::sin(5 * x) * std::cos(4 * y); }),
                          false, "/file");
  const TriangleTree tree(mesh);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.2, 1.2);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 p(uniform(random), uniform(random), uniform(random));
    const double reach = 0.1 + 0.1 * uniform(random);
    double least = 1e300;
    std::vector<std::uint32_t> near, expected;
    for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
      const double d = mesh.foot(t, p).distance;
      least = std::min(least, d);
      if (d < reach) expected.push_back(t);
    }
    CHECK(tree.nearest(mesh, p).distance == least);
    if (!(reach > 0)) continue;
    tree.find(p, reach, near);
    std::erase_if(near, [&](std::uint32_t t) { return !(mesh.foot(t, p).distance < reach); });
    std::ranges::sort(near);
    CHECK(near == expected);
  }
}

TEST_CASE("the nearest point of a triangle is that of a dense sample of it") {
  const TriangleMesh mesh({{{0, 0, 0}, {2, 0.3, 0}, {0.4, 1, 0.5}}, {{0, 1, 2}}}, false, "/file");
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.5, 2.5);
  for (int k = 0; k < 300; ++k) {
    const Vec3 p(uniform(random), uniform(random), uniform(random));
    double least = 1e300;
    for (int i = 0; i <= 100; ++i)
      for (int j = 0; i + j <= 100; ++j) {
        const Vec3 q = mesh.vertices()[0] + i / 100.0 * (mesh.vertices()[1] - mesh.vertices()[0]) +
                       j / 100.0 * (mesh.vertices()[2] - mesh.vertices()[0]);
        least = std::min(least, (q - p).norm());
      }
    const Foot foot = mesh.foot(0, p);
    CHECK(foot.distance <= least + 1e-12);
    CHECK(foot.distance > least - 0.03);
    CHECK(foot.point.norm() == Approx(foot.distance));
  }
}

TEST_CASE("distance to a closed mesh has a sign, that to a sheet has none") {
  const MeshShape solid = shape(box({1, 2, 3})), room = shape(box({1, 2, 3}), true), wall = shape(fold(0.3));
  const auto at = [](const MeshShape& s, const Vec3& p) {
    double d;
    Vec3 g;
    s.distance({&p, 1}, {&d, 1}, {&g, 1});
    CHECK(g.norm() == Approx(1));
    return d;
  };
  CHECK(at(solid, {2, 0, 0}) == Approx(1));
  CHECK(at(solid, {2, 3, 0}) == Approx(std::sqrt(2)));
  CHECK(at(solid, {0.75, 0, 0}) == Approx(-0.25));
  CHECK(at(room, {0.75, 0, 0}) == Approx(0.25));
  CHECK(at(room, {2, 3, 4}) == Approx(-std::sqrt(3)));
  CHECK(at(wall, -wall.reference_point() * 0 + Vec3(0, 0, 5)) > 0);
  CHECK(at(wall, {0, 0, -5}) > 0);
  CHECK(facet<SignedDistance>(solid) != nullptr);
  CHECK(facet<SignedDistance>(wall) == nullptr);
  CHECK(facet<ExactDistance>(wall) != nullptr);
}

TEST_CASE("what a mesh cannot be made of is refused, with its place") {
  CHECK_THROWS_WITH(shape({{}, {}}), "the file has no triangle with an area.");
  SurfaceMesh s = box({1, 1, 1});
  s.vertices[3][1] = std::nan("");
  CHECK_THROWS_WITH(shape(s), Catch::Contains("vertex 3 is no place"));
  CHECK_THROWS_WITH(shape(fold(0.1), true), Catch::Contains("the surface is not closed: 6 of its edges belong to one "
                                                            "triangle alone. Close it, or make it a sheet"));
  CHECK_THROWS_WITH(shape(box({1, 1, 1}), true, Sides::both), Catch::Contains("a container bounds matter"));
  s = box({1, 1, 1});
  s.vertices.push_back({0, 0, 3});
  s.faces.push_back({0, 1, 8});
  CHECK_THROWS_WITH(shape(s, false, Sides::outside), Catch::Contains("edges belong to one triangle alone"));
}

TEST_CASE("a Moebius strip is a sheet") {
  SurfaceMesh s;
  constexpr int kParts = 12;
  for (int k = 0; k < kParts; ++k) {
    const double phi = 2 * std::numbers::pi * k / kParts;
    const Vec3 middle(std::cos(phi), std::sin(phi), 0),
        off = 0.3 * (std::cos(phi / 2) * middle + std::sin(phi / 2) * Vec3::UnitZ());
    s.vertices.push_back(middle + off);
    s.vertices.push_back(middle - off);
  }
  for (std::uint32_t k = 0; k < kParts; ++k) {
    const bool last = k + 1 == kParts;
    const std::uint32_t a = 2 * k, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
    s.faces.push_back({a, b, d});
    s.faces.push_back({a, d, c});
  }
  const MeshShape strip = shape(s);
  CHECK_FALSE(strip.triangles().report().oriented);
  CHECK_FALSE(strip.solid());
}
