#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "test_points.hpp"
#include "test_solids.hpp"

using namespace scree;
using namespace scree::obstacles;
using namespace scree::obstacles::test;

namespace {

double distance_to_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const Vec3 n = (b - a).cross(c - a);
  const auto outside = [&](const Vec3& u, const Vec3& v) { return n.dot((v - u).cross(p - u)) < 0; };
  if (n.norm() > 0 && !outside(a, b) && !outside(b, c) && !outside(c, a)) return std::abs((p - a).dot(n)) / n.norm();
  const auto edge = [&](const Vec3& u, const Vec3& v) {
    const double t = std::clamp((p - u).dot(v - u) / std::max((v - u).squaredNorm(), 1e-300), 0.0, 1.0);
    return (p - u - t * (v - u)).norm();
  };
  return std::min({edge(a, b), edge(b, c), edge(c, a)});
}

/// To the nearest triangle of the drawn surface, by looking at all.
double distance_to_drawn(const Surface& s, const Vec3& p) {
  double best = std::numeric_limits<double>::infinity();
  for (const auto& cell : s.cells)
    for (std::size_t k = 2; k < cell.size(); ++k)
      best = std::min(best, distance_to_triangle(s.points[cell[0]], s.points[cell[k - 1]], s.points[cell[k]], p));
  return best;
}

}  // namespace

TEST_CASE("round solids: the distance is that to the drawn surface, found by looking at all of it") {
  // Drawn with 64 sides, or 48 per turn: chords lie up to r (1 - cos(pi/48)) = 0.0022 r inside. A blade's rims are
  // drawn flat and are round: up to (sqrt 2 - 1) t/2 = 0.013 m nearer at its edges.
  for (const auto& shape : all_solids()) {
    const bool container = std::isinf(shape->bounding_radius());
    const Surface drawn = shape->surface();
    double worst = 0;
    for (const Vec3& p : random_points(3, 0.6, 400)) {
      const double d = distance_at(*shape, p);
      if (container && (d < 0 || std::abs(p[2]) > 0.1)) continue;  // ends are not drawn
      if (container && 0.4 - std::abs(p[2]) < d + 0.01) continue;
      worst = std::max(worst, std::abs(std::abs(d) - distance_to_drawn(drawn, p)));
    }
    CHECK(worst < 0.003);
  }
}

TEST_CASE("round solids: inside is where the drawn surface turns around a point") {
  // Winding number by solid angles of triangles (van Oosterom and Strackee 1983).
  for (const auto& shape : all_solids()) {
    if (std::isinf(shape->bounding_radius())) continue;
    const Surface s = shape->surface();
    for (const Vec3& p : random_points(3, 0.5, 150)) {
      const double d = distance_at(*shape, p);
      if (std::abs(d) < 0.015) continue;
      double angle = 0;
      for (const auto& cell : s.cells)
        for (std::size_t k = 2; k < cell.size(); ++k) {
          const Vec3 a = s.points[cell[0]] - p, b = s.points[cell[k - 1]] - p, c = s.points[cell[k]] - p;
          const double x = a.norm(), y = b.norm(), z = c.norm();
          angle += 2 * std::atan2(a.dot(b.cross(c)), x * y * z + a.dot(b) * z + a.dot(c) * y + b.dot(c) * x);
        }
      CHECK(angle / (4 * M_PI) == Approx(d < 0 ? 1 : 0).margin(1e-6));
    }
  }
}

TEST_CASE("round solids: distances are exact, and gradients are their slopes") {
  for (const auto& shape : all_solids()) {
    const auto points = random_points(3, 0.8, 3000);
    std::size_t smooth = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
      const Vec3 p = points[i];
      Vec3 g;
      const double d = distance_at(*shape, p, &g);
      REQUIRE(std::abs(d - distance_at(*shape, points[i - 1])) <= (p - points[i - 1]).norm() + 1e-14);
      REQUIRE(g.norm() == Approx(1).epsilon(1e-12));
      // Central differences: 1e-7 of truncation and rounding; where they are shorter than 1, a kink lies between.
      const double e = 1e-6;
      Vec3 slope;
      for (int k = 0; k < 3; ++k)
        slope[k] = (distance_at(*shape, p + e * Vec3::Unit(k)) - distance_at(*shape, p - e * Vec3::Unit(k))) / (2 * e);
      if (std::abs(slope.norm() - 1) > 1e-6) continue;
      REQUIRE((slope - g).norm() < 1e-4);
      ++smooth;
    }
    CHECK(30 * smooth > 29 * points.size());
  }
}

TEST_CASE("round solids: the nearest face is the distance, where there is no matter") {
  for (const auto& shape : all_solids())
    for (const Vec3& p : random_points(3, 0.45, 1000)) {
      const double d = distance_at(*shape, p);
      if (d < 0) continue;
      double nearest = std::numeric_limits<double>::infinity();
      for (int f = 0; f < shape->face_count(); ++f) nearest = std::min(nearest, face_at(*shape, f, p).distance);
      REQUIRE(nearest == Approx(d).margin(1e-13));
    }
}

TEST_CASE("round solids: mass and moments by closed forms against a sum over small cells", "[long]") {
  const double density = 700;
  for (const auto& shape : with_mass()) {
    const int n = 100;
    const double size = 0.7, cell = 2 * size / n;
    double mass = 0;
    Vec3 first = Vec3::Zero(), moments = Vec3::Zero();
    for (int i = 0; i < n * n * n; ++i) {
      const Vec3 p = (Vec3(i % n, i / n % n, i / n / n) + Vec3::Constant(0.5)) * cell - Vec3::Constant(size);
      // A cell that the surface cuts counts by how deep its middle lies.
      const double share = std::clamp(0.5 - distance_at(*shape, p) / cell, 0.0, 1.0);
      const double part = share * density * cell * cell * cell;
      mass += part;
      first += part * p;
      moments += part * (Vec3::Constant(p.squaredNorm()) - p.cwiseProduct(p));
    }
    const MassProperties exact = shape->mass(density);
    CHECK(exact.mass == Approx(mass).epsilon(0.005));  // edges, and cells aslant to the surface
    CHECK((exact.inertia - moments).norm() < 0.01 * moments.norm());
    CHECK((first / mass).norm() < 0.001);  // the origin is the centre of mass
  }
  for (const auto& shape : without_mass()) CHECK(shape->mass(density).mass == 0);
  const Revolved cone({frustum_section(0.3, 0, 0.8), false});
  CHECK(cone.mass(1).mass == Approx(M_PI * 0.09 * 0.8 / 3).epsilon(1e-14));
  CHECK(cone.mass(1).inertia[2] == Approx(0.3 * cone.mass(1).mass * 0.09).epsilon(1e-13));
  CHECK(cone.reference_point()[2] == Approx(0.2));  // the middle of the height, above the centre of mass
}

TEST_CASE("the wall of a hollow cone or tube is as thick, measured across, as it should be") {
  constexpr double kLength = 0.4, kWall = 0.1;
  for (const auto& [lower, upper] :
       {std::pair(0.1, 0.5), std::pair(0.5, 0.1), std::pair(0.3, 0.4), std::pair(0.3, 0.3)}) {
    const Revolved cone({open_section(lower, upper, kLength, kWall), false});
    // In the plane of the axis: the middle of the inner surface, and from there into the wall.
    const Vec3 middle((lower + upper) / 2, 0, cone.reference_point()[2]);
    const Vec3 across = Vec3(kLength, 0, lower - upper).normalized();
    INFO("radii " << lower << " and " << upper);
    CHECK(std::abs(distance_at(cone, middle)) < 1e-14);
    CHECK(distance_at(cone, middle + kWall / 2 * across) == Approx(-kWall / 2).epsilon(1e-13));
    CHECK(std::abs(distance_at(cone, middle + kWall * across)) < 1e-14);
    CHECK(distance_at(cone, middle + 1.5 * kWall * across) == Approx(kWall / 2).epsilon(1e-13));
  }
}

TEST_CASE("a sphere in a hollow cone's throat touches both sides alike, and its normals meet on the axis") {
  const Revolved funnel({open_section(0.1, 0.5, 0.4, 0.05), false});
  const Revolved cup({frustum_section(0, 0.5, 0.5), true});
  for (const Solid* shape : {static_cast<const Solid*>(&funnel), static_cast<const Solid*>(&cup)}) {
    const Vec3 on_axis(0, 0, shape->reference_point()[2] + 0.05), beside = on_axis + Vec3(0.003, 0.004, 0);
    const FacePoint a = face_at(*shape, 0, on_axis), b = face_at(*shape, 1, on_axis);
    CHECK(a.distance == Approx(b.distance).epsilon(1e-14));
    CHECK(a.normal[2] == Approx(std::sqrt(0.5)).epsilon(1e-14));  // walls of 45 degrees
    CHECK((a.normal + b.normal).head<2>().norm() < 1e-14);
    const FacePoint near = face_at(*shape, 0, beside), far = face_at(*shape, 1, beside);
    CHECK(far.distance - near.distance == Approx(2 * 0.005 * std::sqrt(0.5)).epsilon(1e-10));
    CHECK((near.normal.head<2>().normalized() + Vec2(0.6, 0.8)).norm() < 1e-12);
    const double rho = (0.005 + near.distance * std::sqrt(0.5));  // of the foot
    CHECK(near.curvature[0] == Approx(-std::sqrt(0.5) / rho).epsilon(1e-12));
  }
}

TEST_CASE("a helicoid's turns below and above a point are told apart, and their distance is the pitch at most") {
  const HelicoidBlade screw({0.1, 0.4, 0.3, 4, 0.02, false});
  for (const double angle : {-3.0, -0.4, 0.9, 3.1}) {
    const double z = 0.3 * angle / (2 * M_PI) + 0.1;  // a third of the way up to the next turn
    const Vec3 p(0.25 * std::cos(angle), 0.25 * std::sin(angle), z);
    const FacePoint below = face_at(screw, 0, p), above = face_at(screw, 1, p);
    CHECK(below.normal[2] > 0.9);
    CHECK(above.normal[2] < -0.9);
    CHECK(below.distance > 0.07);
    CHECK(below.distance < 0.09);  // 0.1 times the cosine of the slope, without half of the blade
    CHECK(above.distance > 0.16);
    CHECK(above.distance < 0.19);
    CHECK(below.curvature[0] > 0);
    CHECK(below.curvature[1] < 0);
  }
  CHECK(std::isinf(face_at(screw, 1, {0.2, 0, 0.75}).distance));  // above the last turn
}

TEST_CASE("a ring without a hole, and a blade whose radii cross or that is too thick, are refused with the numbers") {
  CHECK_THROWS_WITH(Torus({0.1, 0.1}),
                    "is 0.1 m and the ring's radius 0.1 m, so that the ring has no hole. Give a tube_radius below the "
                    "radius.");
  CHECK_THROWS_WITH(HelicoidBlade({0.3, 0.2, 0.1, 1, 0.01, false}),
                    "is 0.3 m and the outer_radius 0.2 m. Give an inner_radius below it.");
  CHECK_THROWS_WITH(HelicoidBlade({0.1, 0.2, 0.05, 1, 0.06, false}),
                    "is 0.06 m; a blade of this pitch and inner_radius can be up to 0.05 m thick.");
}
