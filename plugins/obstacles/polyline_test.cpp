#include "polyline.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "test_points.hpp"

using namespace scree;
using namespace scree::obstacles;
using namespace scree::obstacles::test;

namespace {

/// The faces that a disc of radius r about p touches, with their normals.
std::vector<FacePoint> touched(const Polyline& shape, const Vec3& p, double r) {
  std::vector<FacePoint> all;
  for (int f = 0; f < shape.face_count(); ++f) {
    FacePoint seen;
    shape.face(f, std::span(&p, 1), std::span(&seen, 1));
    if (seen.distance < r) all.push_back(seen);
  }
  return all;
}

/// An L: the corner at (0, 0) is re-entrant.
const std::vector<Vec2> kL{{-0.4, -0.4}, {0.4, -0.4}, {0.4, 0}, {0, 0}, {0, 0.4}, {-0.4, 0.4}};

Polyline solid() { return Polyline({kL, true, false, 0, WallSide::both, 0.5, 0}); }
Polyline container() { return Polyline({kL, true, true, 0, WallSide::both, 1, 0}); }
Polyline wall(WallSide side = WallSide::both) {
  return Polyline({{{-0.4, 0.3}, {-0.1, 0}, {0.2, 0}, {0.4, 0.25}}, false, false, 0.1, side, 1, 0});
}

bool in_l(const Vec2& p) { return std::abs(p[0]) < 0.4 && std::abs(p[1]) < 0.4 && !(p[0] > 0 && p[1] > 0); }

}  // namespace

TEST_CASE("polylines: distance to the nearest segment, exactly, with the sign of the side") {
  const Polyline l = solid(), bin = container(), open = wall();
  const Vec2 shift = -l.reference_point().head<2>();  // the centre of mass
  CHECK((shift - Vec2(-1. / 15, -1. / 15)).norm() < 1e-15);
  const auto points = random_points(2, 0.7, 3000);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Vec3 p = points[i];
    Vec3 g;
    const double d = distance_at(bin, p, &g);
    CHECK((d > 0) == in_l(p.head<2>()));
    CHECK(distance_at(l, p - Vec3(shift[0], shift[1], 0)) == Approx(-d).margin(1e-15));
    for (const Polyline* shape : {&bin, &open}) {
      const double here = distance_at(*shape, p, &g);
      REQUIRE(std::abs(here - distance_at(*shape, points[i - 1])) <= (p - points[i - 1]).norm() + 1e-15);
      REQUIRE(g.norm() == Approx(1).epsilon(1e-13));
      const double e = 1e-7;
      const Vec3 slope(
          (distance_at(*shape, p + e * Vec3::UnitX()) - distance_at(*shape, p - e * Vec3::UnitX())) / (2 * e),
          (distance_at(*shape, p + e * Vec3::UnitY()) - distance_at(*shape, p - e * Vec3::UnitY())) / (2 * e), 0);
      if (std::abs(slope.norm() - 1) < 1e-6) REQUIRE((slope - g).norm() < 1e-5);  // elsewhere a kink lies between
    }
  }
}

TEST_CASE(
    "a disc touches two segments in a hollow, one corner where it stands out, one segment along a straight line") {
  const Polyline bin = container();
  CHECK(touched(bin, {-0.35, -0.35, 0}, 0.06).size() == 2);
  CHECK(touched(bin, {-0.04, -0.03, 0}, 0.06).size() == 1);  // the corner
  CHECK((touched(bin, {-0.04, -0.03, 0}, 0.06)[0].normal - Vec3(-0.8, -0.6, 0)).norm() < 1e-14);
  CHECK(touched(bin, {0.2, -0.05, 0}, 0.06).size() == 1);
  CHECK(touched(bin, {0.2, 0.05, 0}, 0.06).size() == 1);  // its centre in the matter: pushed out by one
  CHECK(touched(bin, {0.05, 0.049, 0}, 0.06).size() == 1);
  CHECK(touched(bin, {-0.2, 0.2, 0}, 0.06).empty());
  const Polyline straight({{{-1, 0}, {0, 0}, {1, 0}}, false, false, 0.1, WallSide::both, 1, 0});
  for (const double x : {-0.01, 0.0, 0.01}) CHECK(touched(straight, {x, 0.1, 0}, 0.06).size() == 1);
  CHECK(touched(straight, {1.05, 0, 0}, 0.06).size() == 1);
  CHECK(touched(wall(), {-0.08, 0.11, 0}, 0.08).size() == 2);
  CHECK(touched(wall(), {-0.11, -0.1, 0}, 0.08).size() == 1);
}

TEST_CASE("a wall on one side of its points has its surface there") {
  const Vec3 on(0.05, 0, 0);
  CHECK(distance_at(wall(), on) == Approx(-0.05));
  CHECK(distance_at(wall(WallSide::right), on + Vec3(0, 0.01, 0)) == Approx(0.01));
  CHECK(distance_at(wall(WallSide::right), on - Vec3(0, 0.01, 0)) == Approx(-0.01));
  CHECK(distance_at(wall(WallSide::left), on - Vec3(0, 0.01, 0)) == Approx(0.01));
  // Mitred: both segments keep their surface where they meet.
  CHECK(std::abs(distance_at(wall(WallSide::right), {-0.1, 0, 0})) < 0.03);
  CHECK(distance_at(wall(WallSide::right), {-0.2, 0.1, 0}) == Approx(0).margin(1e-15));
}

TEST_CASE("nodes lie on the surface, counter-clockwise, as near each other as asked for") {
  for (const Polyline& shape : {solid(), wall(), wall(WallSide::left)}) {
    const auto nodes = facet<BoundaryNodes>(shape)->nodes();
    double area = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Vec3 p = nodes[i], q = nodes[(i + 1) % nodes.size()];
      CHECK(std::abs(distance_at(shape, p)) < 1e-14);
      area += (p[0] * q[1] - p[1] * q[0]) / 2;
    }
    CHECK(area > 0);
  }
  CHECK(facet<BoundaryNodes>(container()) == nullptr);
}

TEST_CASE("mass and moment of a closed polyline against a sum over small cells") {
  const Polyline l = solid();
  const int n = 700;
  const double cell = 1.4 / n, part = 1180 * 0.5 * cell * cell;
  double mass = 0, moment = 0;
  for (int i = 0; i < n * n; ++i) {
    const Vec3 p((i % n + 0.5) * cell - 0.7, (i / n + 0.5) * cell - 0.7, 0);
    if (distance_at(l, p) > 0) continue;
    mass += part;
    moment += part * p.squaredNorm();
  }
  CHECK(l.mass(1180).mass == Approx(1180 * 0.5 * 0.48).epsilon(1e-13));
  CHECK(l.mass(1180).mass == Approx(mass).epsilon(5e-3));
  CHECK(l.mass(1180).inertia[2] == Approx(moment).epsilon(1e-2));
  CHECK(wall().mass(1180).mass == 0);
  CHECK(container().mass(1180).mass == 0);
  CHECK(std::isinf(container().bounding_radius()));
  CHECK(wall().bounding_radius() == Approx(0.55));
}

TEST_CASE("segments on one line that lie apart do not cross: straight lines, ledges, stairs, a U, a slanted one") {
  const auto made = [](std::vector<Vec2> points, bool closed) {
    return Polyline({std::move(points), closed, false, closed ? 0 : 0.05, WallSide::both, 1, 0});
  };
  CHECK_NOTHROW(made({{0, 0}, {1, 0}, {2, 0}, {3, 0}}, false));
  CHECK_NOTHROW(made({{0, 0}, {0.1, 0.3}, {0.2, 0.6}, {0.3, 0.9}, {0.4, 1.2}}, false));
  CHECK_NOTHROW(made({{-2, 1}, {-1, 1}, {-1, 0}, {1, 0}, {1, 1}, {2, 1}}, false));
  CHECK_NOTHROW(made({{0, 0}, {1, 0}, {1, 1}, {2, 1}, {3, 1}, {3, 2}}, false));
  CHECK_NOTHROW(made({{-2, -1}, {2, -1}, {2, 1}, {1, 1}, {1, 0}, {-1, 0}, {-1, 1}, {-2, 1}}, true));
}

TEST_CASE("lines that cross, coincide or lack a wall are refused with the point and the cure") {
  const auto made = [](std::vector<Vec2> points, bool closed, double wall = 0) {
    return Polyline({std::move(points), closed, false, wall, WallSide::both, 1, 0});
  };
  CHECK_THROWS_WITH(made({{0, 0}, {1, 1}, {1, 0}, {0, 1}}, true),
                    "the segments that begin at points 0 and 2 cross or touch. Give points in order along a line that "
                    "does not cross itself.");
  CHECK_THROWS_WITH(made({{0, 0}, {2, 0}, {2, 1}, {1, 0}}, false, 0.1),
                    Catch::Matchers::ContainsSubstring("cross or touch"));
  CHECK_THROWS_WITH(made({{0, 0}, {2, 1}, {3, 1}, {1, 0.5}, {0, 1}}, false, 0.1),
                    Catch::Matchers::ContainsSubstring("cross or touch"));
  CHECK_THROWS_WITH(made({{0, 0}, {0, 0}, {1, 0}}, false, 0.1),
                    "points 0 and 1 are the same, (0, 0) m. Leave one out.");
  CHECK_THROWS_WITH(made({{0, 0}, {1, 0}}, false),
                    "an open line needs the thickness of its wall. Give \"wall\" in metres, of the grains' radius or "
                    "more, or \"closed\": true.");
  CHECK_THROWS_WITH(made({{0, 0}, {1, 0}, {2, 0}}, true),
                    "enclose no area. Give the corners in order, or leave out \"closed\".");
  CHECK_THROWS_WITH(Polyline({{{0, 0}, {0.1, 0}, {0, 0.02}}, false, false, 0.2, WallSide::left, 1, 0}),
                    Catch::Matchers::ContainsSubstring("does not fit beside the segment that begins at point"));
}
