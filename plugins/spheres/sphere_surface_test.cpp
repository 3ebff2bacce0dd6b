#include "sphere_surface.hpp"

#include <fmt/format.h>

#include <cmath>

#include "catch.hpp"
#include "on_device.hpp"
#include "scenes.hpp"
#include "test_bodies.hpp"

using namespace scree;
using namespace scree::spheres;
using namespace scree::spheres::test;

namespace {

constexpr double kR = 0.1;

/// A sphere (a disc in 2D) of radius kR at x in the frame of an obstacle that stands anywhere, turned anyhow.
struct Encounter {
  Bodies bodies;
  Vec3 at = Vec3::Zero();
  Quat turn = Quat::Identity();
  std::vector<Seen> seen;  ///< in the obstacle's frame; normals from the sphere into the obstacle

  Encounter(std::shared_ptr<const Shape> wall, const Vec3& x, bool wall_first = false) {
    const int dimension = wall->dimension();
    std::mt19937 random(9);
    turn = random_turn(random, dimension);
    at = dimension == 2 ? Vec3(3, -2, 0) : Vec3(3, -2, 5);
    bodies.shapes = {std::make_shared<SphereBody>(Spheres{{Vec3::Zero()}, {kR}}, SphereBodyOptions{dimension, 1, {}}),
                     std::move(wall)};
    bodies.add(0, at + turn * x);
    bodies.add(1, at, turn);
    const std::vector<Pair> pairs = {wall_first ? Pair{1, 0} : Pair{0, 1}};
    seen = bodies.contacts<SphereSurface>(pairs);
    for (Seen& c : seen) {
      c.normal = turn.conjugate() * (wall_first ? Vec3(-c.normal) : c.normal);
      c.point = turn.conjugate() * (c.point - at);
    }
  }
  /// There is one contact like this.
  void expect(double overlap, const Vec3& normal) const {
    INFO("overlap " << overlap << ", normal " << normal.transpose());
    for (const Seen& c : seen)
      if (std::abs(c.overlap - overlap) < 1e-12 && (c.normal - normal).norm() < 1e-12) {
        const Vec3 centre = turn.conjugate() * (bodies.position[0] - at);
        CHECK((c.point - (centre + normal * (kR - overlap / 2))).norm() < 1e-12);
        return;
      }
    for (const Seen& c : seen) UNSCOPED_INFO("found " << c.overlap << ", " << c.normal.transpose());
    CHECK(false);
  }
};

/// A shape of the plugin "obstacles".
std::shared_ptr<const Shape> wall(const char* type, const std::string& options, int dimension = 3) {
  return scree::test::plugins().shape(type)(Options::parse(options), ShapeContext{dimension});
}

const std::string kFloor = R"({"normal": [0, 0, 1], "extent": 1})";

std::shared_ptr<const Shape> box(const char* half_sizes, bool inside, int dimension = 3) {
  return wall("box", fmt::format(R"({{"half_sizes": {}, "inside": {}, "thickness": 1}})", half_sizes, inside),
              dimension);
}

/// A cylinder of radius 1. \param length  0: without ends
std::shared_ptr<const Shape> cylinder(double length, bool inside) {
  const std::string ends = length > 0 ? fmt::format(R"(, "length": {})", length) : "";
  return wall("cylinder", fmt::format(R"({{"radius": 1, "inside": {}, "extent": 1{}}})", inside, ends));
}

}  // namespace

TEST_CASE("half-space and half-plane: a sphere at height z overlaps by r - z") {
  const Encounter m(wall("half-space", R"({"normal": [0, 0, 2], "extent": 1})"), {7, -3, 0.08});
  REQUIRE(m.seen.size() == 1);
  m.expect(0.02, {0, 0, -1});
  CHECK(Encounter(wall("half-space", kFloor), {7, -3, 0.11}).seen.empty());
  Encounter(wall("half-plane", R"({"normal": [0, 1], "extent": 1})", 2), {7, 0.08, 0}).expect(0.02, {0, -1, 0});
}

TEST_CASE("the obstacle may come first in a pair: the contact is mirrored") {
  const Encounter m(wall("half-space", kFloor), {0, 0, 0.08}, true);
  REQUIRE(m.seen.size() == 1);
  m.expect(0.02, {0, 0, -1});
}

TEST_CASE("box container: one contact per wall, so two along an edge and three in a corner") {
  const auto container = box("[1, 2, 3]", true);
  const Encounter face(container, {0.95, 0.3, -0.2}), edge(container, {0.95, -1.92, 0}),
      corner(container, {-0.95, 1.92, -2.93});
  REQUIRE(face.seen.size() == 1);
  face.expect(0.05, {1, 0, 0});
  REQUIRE(edge.seen.size() == 2);
  edge.expect(0.05, {1, 0, 0});
  edge.expect(0.02, {0, -1, 0});
  REQUIRE(corner.seen.size() == 3);
  corner.expect(0.05, {-1, 0, 0});
  corner.expect(0.02, {0, 1, 0});
  corner.expect(0.03, {0, 0, -1});
  CHECK(Encounter(container, {0.5, 1, 1}).seen.empty());
  CHECK(corner.seen[0].feature != corner.seen[1].feature);
}

TEST_CASE("box container in the plane: a disc in the corner touches two walls") {
  const auto container = box("[1, 2]", true, 2);
  const Encounter corner(container, {-0.95, 1.92, 0});
  REQUIRE(corner.seen.size() == 2);
  corner.expect(0.05, {-1, 0, 0});
  corner.expect(0.02, {0, 1, 0});
}

TEST_CASE("solid box: one contact, on a face, an edge or a corner, along the line to the nearest point") {
  const auto solid = box("[1, 2, 3]", false);
  const Encounter face(solid, {1.06, 0.3, -0.2});
  REQUIRE(face.seen.size() == 1);
  face.expect(0.04, {-1, 0, 0});
  const Encounter edge(solid, {1.03, 2.04, 0.5});
  REQUIRE(edge.seen.size() == 1);
  edge.expect(kR - 0.05, {-0.6, -0.8, 0});
  const Encounter corner(solid, {-1.02, 2.03, -3.06});
  REQUIRE(corner.seen.size() == 1);
  corner.expect(kR - 0.07, {2.0 / 7, -3.0 / 7, 6.0 / 7});
  CHECK(Encounter(solid, {1.08, 2.08, 0}).seen.empty());  // nearer than r to both planes, farther than r from the edge
  Encounter(solid, {0.9, 0.3, 0}).expect(kR + 0.1, {-1, 0, 0});  // the centre within the matter
  Encounter(box("[1, 2]", false, 2), {1.03, 2.04, 0}).expect(kR - 0.05, {-0.6, -0.8, 0});
}

TEST_CASE("cylinder container: the side, the ends, and both in the rim") {
  const auto drum = cylinder(4, true);
  const Encounter side(drum, {0.57, 0.76, 0});
  REQUIRE(side.seen.size() == 1);
  side.expect(0.05, {0.6, 0.8, 0});
  const Encounter rim(drum, {0.57, 0.76, -1.93});
  REQUIRE(rim.seen.size() == 2);
  rim.expect(0.05, {0.6, 0.8, 0});
  rim.expect(0.03, {0, 0, -1});
  Encounter(drum, {0, 0, 1.95}).expect(0.05, {0, 0, 1});
  const auto tube = cylinder(0, true);
  Encounter(tube, {0.57, 0.76, 1e3}).expect(0.05, {0.6, 0.8, 0});
}

TEST_CASE("solid cylinder: one contact, on the side, an end or the rim") {
  const auto log = cylinder(4, false);
  Encounter(log, {0.63, 0.84, 1}).expect(0.05, {-0.6, -0.8, 0});
  Encounter(log, {0.3, 0.2, -2.06}).expect(0.04, {0, 0, 1});
  const Encounter rim(log, {1.03, 0, 2.04});
  REQUIRE(rim.seen.size() == 1);
  rim.expect(0.05, {-0.6, 0, -0.8});
  Encounter(cylinder(0, false), {0, 1.06, -50}).expect(0.04, {0, -1, 0});
}

TEST_CASE("ball and round container, in space and in the plane") {
  Encounter(wall("sphere-wall", R"({"radius": 1, "inside": false})"), {0.63, 0, 0.84}).expect(0.05, {-0.6, 0, -0.8});
  Encounter(wall("sphere-wall", R"({"radius": 1, "inside": true})"), {0.57, 0, 0.76}).expect(0.05, {0.6, 0, 0.8});
  Encounter(wall("circle", R"({"radius": 1, "inside": false, "thickness": 1, "nodes": 20})", 2), {0.63, 0.84, 0})
      .expect(0.05, {-0.6, -0.8, 0});
  Encounter(wall("circle", R"({"radius": 1, "inside": true, "thickness": 1, "nodes": 20})", 2), {0.57, 0.76, 0})
      .expect(0.05, {0.6, 0.8, 0});
}

TEST_CASE("a clump on a floor: one contact per sphere that reaches it, told apart by feature") {
  Bodies bodies;
  Spheres s;
  s.centres = {{-0.2, 0, 0}, {0, 0, 0.15}, {0.2, 0, 0}};
  s.radii = {0.1, 0.1, 0.1};
  bodies.shapes = {std::make_shared<SphereBody>(s, SphereBodyOptions{}), wall("half-space", kFloor)};
  const Vec3 reference = bodies.shapes[0]->reference_point();
  bodies.add(0, Vec3(0, 0, 0.09) - reference);
  bodies.add(1, Vec3::Zero());
  const auto seen = bodies.contacts<SphereSurface>(all_pairs(2));
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].feature == 0);
  CHECK(seen[1].feature == 2);
  CHECK(seen[0].overlap == Approx(0.01).epsilon(1e-12));
  CHECK(seen[0].point[0] == Approx(-0.2).epsilon(1e-12));
}

TEST_CASE("many bodies and several walls in one call: every pair gets its own contacts, in order") {
  Bodies bodies;
  bodies.shapes = {std::make_shared<SphereBody>(Spheres{{Vec3::Zero()}, {kR}}, SphereBodyOptions{}),
                   box("[1, 1, 1]", true), wall("half-space", kFloor)};
  const std::uint32_t box = bodies.add(1, Vec3::Zero());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int k = 0; k < 200; ++k) bodies.add(0, Vec3(any(random), any(random), any(random)));
  const std::uint32_t floor = bodies.add(2, {0, 0, -0.95});
  std::vector<Pair> pairs;
  for (std::uint32_t i = 1; i <= 200; ++i) pairs.push_back({box, i});
  for (std::uint32_t i = 1; i <= 200; ++i) pairs.push_back({i, floor});
  const auto seen = bodies.contacts<SphereSurface>(pairs);
  std::size_t next = 0;
  for (std::uint32_t p = 0; p < pairs.size(); ++p) {
    const Vec3& x = bodies.position[p < 200 ? pairs[p].b : pairs[p].a];
    const int walls = p < 200 ? 6 : 1;
    for (int w = 0; w < walls; ++w) {
      const double distance = p < 200 ? 1 - (w % 2 == 0 ? -1 : 1) * x[w / 2] : x[2] + 0.95;
      if (distance >= kR) continue;
      REQUIRE(next < seen.size());
      REQUIRE(seen[next].pair == p);
      REQUIRE(seen[next].feature == static_cast<std::uint32_t>(w));
      REQUIRE(seen[next].overlap == Approx(kR - distance).epsilon(1e-9));
      ++next;
    }
  }
  CHECK(next == seen.size());
}

TEST_CASE("devices get contacts with faces from either pairing") {
  for (const Pairing pairing : {Pairing::spheres_with_faces, Pairing::vertices_with_walls}) {
    CHECK(SphereSurface(pairing).face(device::DeviceFaceContacts::kName) == &faces_on_device());
    CHECK(SphereSurface(pairing).face("device-faces/0") == nullptr);
  }
}
