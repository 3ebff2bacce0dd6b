#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "box.hpp"
#include "catch.hpp"
#include "circle.hpp"
#include "half_space.hpp"
#include "scree/base/error.hpp"
#include "test_points.hpp"

using namespace scree;
using namespace scree::obstacles;
using namespace scree::obstacles::test;

namespace {

struct Sample {
  double d;
  Vec3 g;
};

Sample at(const Obstacle& shape, const Vec3& point) {
  Sample s;
  s.d = distance_at(shape, point, &s.g);
  return s;
}

/// Distance to a closed polygon by brute force over its sides, without sign.
double distance_to_polygon(const std::vector<Vec3>& corner, const Vec3& p) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < corner.size(); ++i) {
    const Vec3 a = corner[i], side = corner[(i + 1) % corner.size()] - a;
    const double t = std::clamp((p - a).dot(side) / side.squaredNorm(), 0.0, 1.0);
    best = std::min(best, (p - a - t * side).norm());
  }
  return best;
}

/// The gradient is the unit vector of a central difference of the distance. h = 1e-7: error below 1e-8 plus rounding
/// 1e-9 where the distance is smooth; points near a kink are left out by the caller.
void check_gradient(const Obstacle& shape, const Vec3& p) {
  const double h = 1e-7;
  const Vec3 e = h * Vec3::UnitX(), f = h * Vec3::UnitY();
  const Vec3 numeric((at(shape, p + e).d - at(shape, p - e).d) / (2 * h),
                     (at(shape, p + f).d - at(shape, p - f).d) / (2 * h), 0);
  REQUIRE((numeric - at(shape, p).g).norm() < 1e-6);
}

const BoxOptions kBox{{0.3, 0.2}, false, 0.5, 0};
BoxOptions container(BoxOptions options) {
  options.inside = true;
  return options;
}

}  // namespace

TEST_CASE("half-plane: distance along the normal, of any length given") {
  const HalfPlane wall({{3, 4}, 2});
  CHECK(at(wall, {3, 4, 0}).d == Approx(5));
  CHECK(at(wall, {-0.6, -0.8, 0}).d == Approx(-1));
  CHECK((at(wall, {7, -2, 0}).g - Vec3(0.6, 0.8, 0)).norm() < 1e-15);
  CHECK(std::isinf(wall.bounding_radius()));
  CHECK(wall.mass(1000).mass == 0);
}

TEST_CASE("box: distance equals the brute-force distance to its sides, inside and out") {
  const Box solid(kBox), inside(container(kBox));
  const std::vector<Vec3> corner{{-0.3, -0.2, 0}, {0.3, -0.2, 0}, {0.3, 0.2, 0}, {-0.3, 0.2, 0}};
  for (const Vec3& p : random_points(2, 0.6, 2000)) {
    const bool in = std::abs(p[0]) < 0.3 && std::abs(p[1]) < 0.2;
    const double expected = (in ? -1 : 1) * distance_to_polygon(corner, p);
    REQUIRE(at(solid, p).d == Approx(expected).margin(1e-15));
    REQUIRE(at(inside, p).d == -at(solid, p).d);
    REQUIRE(at(inside, p).g == -at(solid, p).g);
    REQUIRE(at(solid, p).g.norm() == Approx(1).epsilon(1e-14));
    const double kink = std::abs((std::abs(p[0]) - 0.3) - (std::abs(p[1]) - 0.2));
    if (!in || (kink > 1e-5 && std::abs(p[0]) > 1e-5 && std::abs(p[1]) > 1e-5)) check_gradient(solid, p);
  }
}

TEST_CASE("circle: distance to the rim, as a disc and as a drum") {
  const Circle disc({0.5, false, 1, 100}), drum({0.5, true, 1, 100});
  for (const Vec3& p : random_points(2, 1, 2000)) {
    REQUIRE(at(disc, p).d == Approx(p.norm() - 0.5).margin(1e-15));
    REQUIRE((at(disc, p).g - p.normalized()).norm() < 1e-14);
    REQUIRE(at(drum, p).d == -at(disc, p).d);
    REQUIRE(at(drum, p).g == -at(disc, p).g);
  }
  CHECK(at(disc, Vec3::Zero()).d == -0.5);
  CHECK(at(disc, Vec3::Zero()).g == Vec3::UnitX());
}

TEST_CASE("distances are exact: they change by no more than the way between two points") {
  const Box box(kBox);
  const Circle disc({0.3, false, 1, 100});
  const std::vector<Vec3> points = random_points(2, 1, 2000);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double way = (points[i] - points[i - 1]).norm() + 1e-15;  // rounding
    REQUIRE(std::abs(at(box, points[i]).d - at(box, points[i - 1]).d) <= way);
    REQUIRE(std::abs(at(disc, points[i]).d - at(disc, points[i - 1]).d) <= way);
  }
}

TEST_CASE("solids have nodes on their boundary, corners among them, counter-clockwise") {
  const Box box(kBox);
  const Circle disc({0.5, false, 1, 64});
  for (const Obstacle* shape : {static_cast<const Obstacle*>(&box), static_cast<const Obstacle*>(&disc)}) {
    const auto nodes = facet<BoundaryNodes>(*shape)->nodes();
    double area = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Vec3 p = nodes[i], q = nodes[(i + 1) % nodes.size()];
      REQUIRE(std::abs(at(*shape, p).d) < 1e-15);
      area += (p[0] * q[1] - p[1] * q[0]) / 2;
    }
    CHECK(area > 0);
  }
  CHECK(facet<BoundaryNodes>(disc)->nodes().size() == 64);
  const auto nodes = facet<BoundaryNodes>(box)->nodes();
  CHECK(nodes.size() == 2 * (12 + 8));  // default spacing: a quarter of 0.2 m
  for (const Vec3& corner : {Vec3(-0.3, -0.2, 0), Vec3(0.3, -0.2, 0), Vec3(0.3, 0.2, 0), Vec3(-0.3, 0.2, 0)})
    CHECK(std::find(nodes.begin(), nodes.end(), corner) != nodes.end());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    CHECK((nodes[i] - nodes[(i + 1) % nodes.size()]).norm() < 0.05 + 1e-12);
}

TEST_CASE("containers and half-planes have no nodes, no mass, no bound, all offer the exact distance") {
  const Box box(container(kBox));
  const Circle drum({0.5, true, 1, 100});
  const HalfPlane wall({});
  for (const Obstacle* shape : std::vector<const Obstacle*>{&box, &drum, &wall}) {
    CHECK(facet<BoundaryNodes>(*shape) == nullptr);
    CHECK(facet<SignedDistance>(*shape) == static_cast<const SignedDistance*>(shape));
    CHECK(facet<ExactDistance>(*shape) == static_cast<const ExactDistance*>(shape));
    CHECK(shape->mass(1000).mass == 0);
    CHECK(std::isinf(shape->bounding_radius()));
    CHECK(!shape->surface().closed);
  }
  CHECK(drum.rotation_reach() == 0);
  CHECK(box.rotation_reach() == Approx(std::hypot(0.3, 0.2)));
  CHECK(box.surface().cells.front().front() == box.surface().cells.front().back());
}

TEST_CASE("mass and moment about the axis: closed forms against a midpoint sum over the area") {
  const double density = 1180, thickness = 0.5;
  const Box box(kBox);
  const Circle disc({0.25, false, thickness, 100});
  for (const Obstacle* shape : {static_cast<const Obstacle*>(&box), static_cast<const Obstacle*>(&disc)}) {
    double mass = 0, moment = 0;
    const int n = 600;
    const double cell = 0.6 / n;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const Vec3 p((i + 0.5) * cell - 0.3, (j + 0.5) * cell - 0.3, 0);
        if (at(*shape, p).d > 0) continue;
        mass += density * thickness * cell * cell;
        moment += density * thickness * cell * cell * p.squaredNorm();
      }
    }
    const MassProperties exact = shape->mass(density);
    CHECK(exact.mass == Approx(mass).epsilon(2e-3));  // cells cut by the boundary: 1/n of the size
    CHECK(exact.inertia[2] == Approx(moment).epsilon(4e-3));
    CHECK(exact.inertia[0] + exact.inertia[1] > exact.inertia[2]);  // out-of-plane thickness
  }
}

TEST_CASE("bad options say what, got, allowed and fix") {
  CHECK_THROWS_WITH(HalfPlane({{0, 0}, 1}),
                    "the normal [0, 0] has no direction; give a vector that points out of the half-plane, e.g. [0, 1] "
                    "for a floor.");
  CHECK_THROWS_WITH(
      Box({{1, 1}, false, 1, 1e-5}),
      "a spacing of 1e-05 m takes 800000 nodes around a perimeter of 8 m; at most 16384 are possible. Take "
      "a spacing of 0.000493 m or more.");
  try {
    Box({{1, 1}, false, 1, 1e-5});
  } catch (const OptionError& error) {
    CHECK(error.pointer() == "/node_spacing");
  }
}
