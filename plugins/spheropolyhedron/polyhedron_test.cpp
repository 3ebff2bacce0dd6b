// Polyhedra: what they weigh, how their faces are put together, and what is refused.

#include <fmt/format.h>

#include <cstring>
#include <fstream>

#include "catch.hpp"
#include "flat_parts.hpp"
#include "hollow_moments.hpp"
#include "scree/plugin/surface_file.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"
#include "test_bodies.hpp"

using namespace scree;
using namespace scree::spheropolyhedron;
using namespace scree::spheropolyhedron::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Every face cut into triangles from its first corner.
Polyhedron triangulated(const Polyhedron& body) {
  Polyhedron cut{body.vertices, {}};
  for (const auto& f : body.faces)
    for (std::size_t k = 1; k + 1 < f.size(); ++k) cut.faces.push_back({f[0], f[k], f[k + 1]});
  return cut;
}

/// A square plate of side 3 and height 1 with a square hole of side 1, in triangles and quadrangles.
Polyhedron frame() {
  Polyhedron body;
  for (const double z : {0.0, 1.0})
    for (const double h : {1.5, 0.5})
      for (const auto& [x, y] : {std::pair(-h, -h), {h, -h}, {h, h}, {-h, h}}) body.vertices.emplace_back(x, y, z);
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t n = (k + 1) % 4;
    body.faces.push_back({k, 4 + k, 4 + n, n});            // bottom: outer 0..3, inner 4..7
    body.faces.push_back({8 + k, 8 + n, 12 + n, 12 + k});  // top
    body.faces.push_back({k, n, 8 + n, 8 + k});
    body.faces.push_back({4 + n, 4 + k, 12 + k, 12 + n});
  }
  return body;
}

std::string refusal(const Polyhedron& body, double radius = 0.1) {
  try {
    solid(body, radius);
  } catch (const OptionError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("mass and moments of rounded cubes and tetrahedra") {
  struct Case {
    Polyhedron body;
    double radius, volume, moment;
  };
  const double edge = std::sqrt(2.0);
  for (const Case& c : {Case{unit_cube(), 0.1, 1.69843656981248, 0.39939138308581},
                        Case{unit_cube(), 0.25, 3.15449846949787, 1.10047932657906},
                        Case{regular_solid("tetrahedron", edge), 1e-15, 1. / 3, 1. / 30}}) {
    const MassProperties m = solid(c.body, c.radius)->mass(1);
    CHECK(m.mass == Approx(c.volume).epsilon(1e-11));
    for (int k = 0; k < 3; ++k) CHECK(m.inertia[k] == Approx(c.moment).epsilon(1e-10));
  }
  CHECK(solid(regular_solid("tetrahedron", edge), 0.1)->mass(1).mass == Approx(0.76499358811462).epsilon(1e-13));
}

TEST_CASE("every solid has its volume, and the sweep adds r S + r^2 sum(l theta)/2 + 4 pi r^3/3") {
  const double golden = (1 + std::sqrt(5.0)) / 2;
  struct Case {
    Polyhedron body;
    double volume;
    std::size_t faces, edges, vertices;
  };
  for (const Case& c : {Case{regular_solid("tetrahedron", 1), std::sqrt(2.0) / 12, 4, 6, 4},
                        Case{regular_solid("octahedron", 1), std::sqrt(2.0) / 3, 8, 12, 6},
                        Case{regular_solid("dodecahedron", 1), (15 + 7 * std::sqrt(5.0)) / 4, 12, 30, 20},
                        Case{regular_solid("icosahedron", 1), 5 * golden * golden / 6, 20, 30, 12},
                        Case{prism(6, 1, 2), 3 * std::sqrt(3.0), 8, 18, 12}, Case{pyramid(4, 1, 1.5), 0.5, 5, 8, 5},
                        Case{box({1, 2, 3}), 6, 6, 12, 8}}) {
    CHECK(volume_of(c.body) == Approx(c.volume).epsilon(1e-13));
    CHECK(c.body.faces.size() == c.faces);
    CHECK(c.body.vertices.size() == c.vertices);
    const auto edges = edges_of(c.body, "/");
    CHECK(edges.size() == c.edges);
    const double r = 0.3;
    double area = 0, wedge = 0;
    for (const auto& f : c.body.faces) area += area_vector(c.body, f).norm() / 2;
    for (const auto& e : edges)
      wedge += (c.body.vertices[e.end] - c.body.vertices[e.begin]).norm() *
               std::acos(area_vector(c.body, c.body.faces[e.face[0]])
                             .normalized()
                             .dot(area_vector(c.body, c.body.faces[e.face[1]]).normalized()));
    CHECK(convex_integrals(c.body, edges, r).volume ==
          Approx(c.volume + r * area + r * r * wedge / 2 + 4 * std::numbers::pi / 3 * r * r * r).epsilon(1e-12));
  }
}

TEST_CASE("moments by parts agree with cells of space, also of skew bodies") {
  Polyhedron skew = pyramid(3, 1, 1.5);
  for (Vec3& v : skew.vertices) v = {v[0] + 0.3 * v[2], v[1] - 0.2 * v[2] + 0.1, v[2] + 0.4};
  const VolumeIntegrals exact = convex_integrals(skew, edges_of(skew, "/"), 0.25), cells = hollow_integrals(skew, 0.25);
  CHECK(cells.volume == Approx(exact.volume).epsilon(2e-4));
  CHECK((cells.first - exact.first).norm() < 2e-4 * exact.volume);
  CHECK((inertia_of(cells) - inertia_of(exact)).norm() < 5e-4 * inertia_of(exact).norm());
}

TEST_CASE("a hollow corner of the sweep counts once") {
  // Cross-section of the L: area 3, 8 r of sides, five convex corners and one hollow one, where strips overlap by r^2.
  const double r = 0.1;
  const double plane = 3 + 8 * r + 5 * std::numbers::pi / 4 * r * r - r * r;
  // Along z: the section at a height above the end faces has r' = sqrt(r^2 - z^2).
  const double quarter = std::numbers::pi / 4 * r * r, third = 2 * r * r * r / 3;
  const double ends = 2 * (3 * r + 8 * quarter + (5 * std::numbers::pi / 4 - 1) * third);
  CHECK(solid(ell(1), r)->mass(1).mass == Approx(plane + ends).epsilon(1e-4));
}

TEST_CASE("the surface in pictures is closed and has the volume of the body") {
  for (const Polyhedron& body : {unit_cube(), regular_solid("icosahedron", 1), ell(1)}) {
    const auto swept = solid(body, 0.2);
    const Surface s = swept->surface();
    Polyhedron mesh{s.points, {}};
    mesh.faces.assign(s.cells.begin(), s.cells.end());
    CHECK_NOTHROW(edges_of(mesh, "/"));
    CHECK(volume_of(mesh) == Approx(swept->mass(1).mass).epsilon(0.02));
  }
}

TEST_CASE("coplanar triangles become one face, and what is not convex is cut between its own vertices") {
  Polyhedron body = triangulated(unit_cube());
  merge_flat_parts(body, "/");
  CHECK(body.faces.size() == 6);
  CHECK(body.vertices.size() == 8);
  body = triangulated(ell(1));
  merge_flat_parts(body, "/");
  CHECK(body.faces.size() <= 6 + 2 * 3);
  CHECK(volume_of(body) == Approx(3));
  body = frame();
  merge_flat_parts(body, "/");
  CHECK(volume_of(body) == Approx(8));
  CHECK(body.vertices.size() == 16);
  CHECK(body.faces.size() <= 8 + 2 * 5);
  CHECK_NOTHROW(edges_of(body, "/"));
}

TEST_CASE("vertices within straight edges and flat faces go") {
  Polyhedron body = box({1, 1, 1});
  // Cut the edge 0-1 at its middle, and the face above (4 5 7 6) at its centre.
  body.vertices.push_back((body.vertices[0] + body.vertices[1]) / 2);
  body.vertices.emplace_back(0, 0, 0.5);
  body.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 8, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1, 8},
                {4, 5, 9},    {5, 7, 9},    {7, 6, 9},       {6, 4, 9}};
  merge_flat_parts(body, "/");
  CHECK(body.vertices.size() == 8);
  CHECK(body.faces.size() == 6);
}

TEST_CASE("bad surfaces are refused, and the place is named") {
  Polyhedron open = unit_cube();
  open.faces.pop_back();
  CHECK_THAT(refusal(open), ContainsSubstring("the edge between vertex 6 at [-0.5, 0.5, 0.5] and vertex 4") ||
                                ContainsSubstring("is in face 0 alone: the surface is open there. Close it."));
  Polyhedron turned = unit_cube();
  std::reverse(turned.faces[3].begin(), turned.faces[3].end());
  CHECK_THAT(refusal(turned), ContainsSubstring("runs the same way round faces"));
  Polyhedron bent = unit_cube();
  bent.vertices[7][2] += 0.1;
  CHECK_THAT(refusal(bent), ContainsSubstring("is bent: its vertex"));
  Polyhedron two = unit_cube();
  for (const Vec3& v : unit_cube().vertices) two.vertices.push_back(v + Vec3(3, 0, 0));
  for (auto f : unit_cube().faces) {
    for (auto& v : f) v += 8;
    two.faces.push_back(f);
  }
  CHECK_THAT(refusal(two), ContainsSubstring("the surface has several pieces: face 6, at [2.5, -0.5, -0.5]"));
  Polyhedron few = unit_cube();
  few.faces = {{0, 1, 2}, {0, 2, 1}, {0, 1, 9}, {0, 2, 3}};
  CHECK_THAT(refusal(few), ContainsSubstring("face 2 names vertex 9; there are 8"));
  Polyhedron crossing = triangulated(prism(3, 1, 1));
  crossing.vertices[0] = {-3, 0.01, 0.3};
  CHECK_THAT(refusal(crossing), ContainsSubstring("the surface crosses itself"));
  Polyhedron flat = unit_cube();
  for (Vec3& v : flat.vertices) v[2] *= 1e-9;
  CHECK_THAT(refusal(flat), ContainsSubstring("enclose"));
}

TEST_CASE("a surface that sees inward is turned round, with a note") {
  Polyhedron inward = unit_cube();
  for (auto& f : inward.faces) std::reverse(f.begin(), f.end());
  const auto body = solid(inward, 0.1);
  CHECK(body->mass(1).mass == Approx(1.69843656981248));
  REQUIRE(body->traits().notes.size() == 1);
  CHECK_THAT(body->traits().notes[0], ContainsSubstring("all faces see inward; they were turned round"));
}

TEST_CASE("edges that are short beside the radius are noted") {
  const auto body = solid(box({1, 1, 0.02}), 0.1);
  REQUIRE(body->traits().notes.size() == 1);
  CHECK_THAT(body->traits().notes[0], ContainsSubstring("the shortest edge is 0.02 m, below 0.3 of the radius, 0.1 m"));
}

TEST_CASE("OBJ and STL files, text and binary, give the same body") {
  std::string obj = "# a cube\no cube\n", text = "solid cube\n";
  for (const Vec3& v : unit_cube().vertices) obj += fmt::format("v {} {} {}\n", v[0], v[1], v[2]);
  for (const auto& f : unit_cube().faces)
    obj += fmt::format("f {}/1 {}//2 {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1, static_cast<int>(f[3]) - 8);
  const Polyhedron cut = triangulated(unit_cube());
  std::string binary(84, '\0');
  const auto count = static_cast<std::uint32_t>(cut.faces.size());
  std::memcpy(binary.data() + 80, &count, 4);
  for (const auto& f : cut.faces) {
    text += "facet normal 0 0 0\nouter loop\n";
    float number[12] = {};
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& v = cut.vertices[f[k]];
      text += fmt::format("vertex {} {} {}\n", v[0], v[1], v[2]);
      for (std::size_t axis = 0; axis < 3; ++axis)
        number[3 + 3 * k + axis] = static_cast<float>(v[static_cast<int>(axis)]);
    }
    text += "endloop\nendfacet\n";
    binary.append(reinterpret_cast<const char*>(number), sizeof number).append(2, '\0');
  }
  text += "endsolid cube\n";
  for (const Polyhedron& body : {parse_obj(obj, "cube.obj", "/file"), parse_stl(text, "cube.stl", "/file"),
                                 parse_stl(binary, "cube.stl", "/file")}) {
    const auto swept = solid(body, 0.1);
    CHECK(swept->mass(1).mass == Approx(1.69843656981248).epsilon(1e-12));
    CHECK(swept->polyhedron().faces.size() == 6);
  }
  CHECK_THROWS_WITH(parse_obj("v 0 0\n", "a.obj", "/file"),
                    ContainsSubstring("\"a.obj\", line 1: no three numbers; expected \"v 0 0 1\"."));
  CHECK_THROWS_WITH(parse_obj("v 0 0 1\nf 1 2 3\n", "a.obj", "/file"),
                    ContainsSubstring("line 2: the face names vertex 2; 1 vertices precede it."));
  CHECK_THROWS_WITH(parse_stl("nonsense", "a.stl", "/file"), ContainsSubstring("\"a.stl\" is no STL file"));
}

TEST_CASE("distance to the rounded surface, inside and outside") {
  const auto body = solid(unit_cube(), 0.1);
  const Vec3 points[] = {{0, 0, 0.9}, {0.8, 0.8, 0}, {0.7, 0.7, 0.7}, {0.1, 0, 0.45}};
  double d[4];
  Vec3 g[4];
  body->distance(points, d, g);
  CHECK(d[0] == Approx(0.3));
  CHECK(d[1] == Approx(0.3 * std::sqrt(2.0) - 0.1));
  CHECK(d[2] == Approx(0.2 * std::sqrt(3.0) - 0.1));
  CHECK(d[3] == Approx(-0.15));
  CHECK(g[3].isApprox(Vec3::UnitZ()));
  CHECK(g[1].isApprox(Vec3(1, 1, 0).normalized()));
}

TEST_CASE("the body frame has the principal axes of a skew body") {
  Polyhedron skew = box({1, 2, 3});
  const Quat turn(Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()));
  for (Vec3& v : skew.vertices) v = turn * v + Vec3(5, 6, 7);
  const auto body = std::make_shared<SweptSolid>(skew, SweptSolidOptions{0.1, "/faces", false});
  const auto plain = solid(box({1, 2, 3}), 0.1);
  CHECK((body->mass(1).inertia - plain->mass(1).inertia).norm() < 1e-9);
  CHECK((body->traits().body_to_reference * body->reference_point() + Vec3(5, 6, 7)).norm() < 1e-9);
}
