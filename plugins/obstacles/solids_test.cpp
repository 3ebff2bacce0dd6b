#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "catch.hpp"
#include "cuboid.hpp"
#include "cylinder.hpp"
#include "half_space.hpp"
#include "scree/base/error.hpp"
#include "sphere_wall.hpp"
#include "test_points.hpp"

using namespace scree;
using namespace scree::obstacles;
using namespace scree::obstacles::test;

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

/// All solids, then all containers of the same sizes.
std::vector<std::unique_ptr<Solid>> all(bool inside) {
  std::vector<std::unique_ptr<Solid>> shapes;
  shapes.push_back(std::make_unique<Cuboid>(CuboidOptions{{0.3, 0.2, 0.5}, inside}));
  shapes.push_back(std::make_unique<Cylinder>(CylinderOptions{0.3, 0.4, inside, 1}));
  shapes.push_back(std::make_unique<Cylinder>(CylinderOptions{0.3, kEndless, inside, 1}));
  shapes.push_back(std::make_unique<SphereWall>(SphereWallOptions{0.4, inside}));
  return shapes;
}

}  // namespace

TEST_CASE("solids: outside, the distance is that to the nearest point of the matter") {
  for (const Vec3& p : random_points(3, 1, 3000)) {
    const Vec3 in_box(std::clamp(p[0], -0.3, 0.3), std::clamp(p[1], -0.2, 0.2), std::clamp(p[2], -0.5, 0.5));
    const double box = distance_at(Cuboid({{0.3, 0.2, 0.5}, false}), p);
    if (in_box != p) REQUIRE(box == Approx((p - in_box).norm()).epsilon(1e-13));
    const double rho = std::hypot(p[0], p[1]), shrink = std::min(1.0, 0.3 / rho);
    const Vec3 in_log(p[0] * shrink, p[1] * shrink, std::clamp(p[2], -0.4, 0.4));
    const double log = distance_at(Cylinder({0.3, 0.4, false, 1}), p);
    if (in_log != p) REQUIRE(log == Approx((p - in_log).norm()).margin(1e-13));
    if (in_log == p) REQUIRE(log == Approx(-std::min(0.3 - rho, 0.4 - std::abs(p[2]))).margin(1e-15));
  }
}

TEST_CASE("solids and containers: unit gradients, by central differences, containers turn the sign") {
  for (std::size_t k = 0; k < all(false).size(); ++k) {
    const auto solid = std::move(all(false)[k]), container = std::move(all(true)[k]);
    for (const Vec3& p : random_points(3, 0.8, 3000)) {
      Vec3 g, h;
      const double d = distance_at(*solid, p, &g);
      REQUIRE(distance_at(*container, p, &h) == -d);
      REQUIRE(h == -g);
      REQUIRE(g.norm() == Approx(1).epsilon(1e-13));
      // Along its gradient the distance grows as the way does, unless an edge of the field lies between.
      const double e = 1e-7, rise = distance_at(*solid, p + e * g) - distance_at(*solid, p - e * g);
      REQUIRE(rise <= 2 * e * (1 + 1e-6));
      if (d > 1e-6) REQUIRE(rise == Approx(2 * e).epsilon(1e-6));
    }
  }
}

TEST_CASE("a container's faces: the smallest of their distances is its distance wherever it is free") {
  for (const auto& container : all(true)) {
    for (const Vec3& p : random_points(3, 0.6, 3000)) {
      const double d = distance_at(*container, p);
      if (d < 0) continue;
      double nearest = kEndless;
      for (int f = 0; f < container->face_count(); ++f) {
        FacePoint seen;
        container->face(f, std::span(&p, 1), std::span(&seen, 1));
        REQUIRE(seen.normal.norm() == Approx(1).epsilon(1e-14));
        nearest = std::min(nearest, seen.distance);
      }
      REQUIRE(nearest == Approx(d).margin(1e-15));
    }
  }
  CHECK(all(true)[0]->face_count() == 6);
  CHECK(all(true)[1]->face_count() == 3);
  CHECK(all(true)[2]->face_count() == 1);
}

TEST_CASE("curvatures: 1/R on the outside, -1/R on the inside, none on planes, ends, edges") {
  const auto seen = [](const Solid& shape, int face, const Vec3& p) {
    FacePoint point;
    shape.face(face, std::span(&p, 1), std::span(&point, 1));
    return point;
  };
  const Cylinder log({0.5, 1, false, 1}), drum({0.5, 1, true, 1});
  CHECK(seen(log, 0, {0.6, 0, 0}).curvature[0] == 2);
  CHECK(seen(log, 0, {0.6, 0, 0}).curvature[1] == 0);
  CHECK(seen(log, 0, {0.2, 0, 1.1}).curvature[0] == 0);
  CHECK(seen(log, 0, {0.6, 0, 1.1}).curvature[0] == 0);
  CHECK(seen(drum, 0, {0.4, 0, 0}).curvature[0] == -2);
  CHECK(seen(drum, 1, {0.4, 0, 0}).curvature[0] == 0);
  CHECK(seen(drum, 1, {0.4, 0, 0}).normal == Vec3::UnitZ());
  CHECK(seen(SphereWall({0.5, true}), 0, {0.4, 0, 0}).curvature[1] == -2);
  CHECK(seen(SphereWall({0.5, false}), 0, {0.6, 0, 0}).curvature[1] == 2);
}

TEST_CASE("solids have mass and a bound, containers and endless ones have none") {
  for (const auto& shape : all(false)) {
    if (!std::isfinite(shape->bounding_radius())) continue;
    const double size = 0.8, density = 700;
    const int n = 80;
    const double cell = 2 * size / n;
    double mass = 0;
    Vec3 moments = Vec3::Zero();
    for (int i = 0; i < n * n * n; ++i) {
      const Vec3 p = (Vec3(i % n, i / n % n, i / n / n) + Vec3::Constant(0.5)) * cell - Vec3::Constant(size);
      if (distance_at(*shape, p) > 0) continue;
      mass += density * cell * cell * cell;
      moments += density * cell * cell * cell * (Vec3::Constant(p.squaredNorm()) - p.cwiseProduct(p));
    }
    const MassProperties exact = shape->mass(density);
    CHECK(exact.mass == Approx(mass).epsilon(0.03));  // cells cut by the surface
    CHECK((exact.inertia - moments).norm() < 0.03 * moments.norm());
  }
  CHECK(all(false)[2]->mass(700).mass == 0);
  for (const auto& shape : all(true)) {
    CHECK(shape->mass(700).mass == 0);
    CHECK(std::isinf(shape->bounding_radius()));
  }
  const HalfSpace floor({});
  CHECK(floor.mass(1).mass == 0);
  CHECK(std::isinf(floor.bounding_radius()));
}

TEST_CASE("pictures: solids are closed and face outward, containers face inward") {
  const auto signed_volume = [](const Surface& s) {
    double v = 0;
    for (const auto& cell : s.cells)
      for (std::size_t k = 2; k < cell.size(); ++k)
        v += s.points[cell[0]].dot(s.points[cell[k - 1]].cross(s.points[cell[k]])) / 6;
    return v;
  };
  for (const auto& shape : all(false))
    if (std::isfinite(shape->bounding_radius()))
      CHECK(signed_volume(shape->surface()) == Approx(shape->mass(1).mass).epsilon(0.02));
  for (const auto& shape : all(true)) CHECK(signed_volume(shape->surface()) < 0);
}

TEST_CASE("a half-space without direction is refused") {
  CHECK_THROWS_WITH(
      HalfSpace({{0, 0, 0}, 1}),
      "the normal [0, 0, 0] has no direction; give a vector that points out of the half-space, e.g. [0, 0, "
      "1] for a floor.");
}
