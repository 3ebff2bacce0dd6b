// Places in which a sphere touches a mesh: one on flat ground, all of them in corners, and forces that never jump.
#include "sphere_patch.hpp"

#include <map>
#include <random>

#include "catch.hpp"
#include "mesh_shape.hpp"
#include "test_meshes.hpp"

using namespace scree;
using namespace scree::mesh;
using namespace scree::mesh::test;

namespace {

constexpr double kRadius = 0.1;

MeshShape sheet_of(const SurfaceMesh& s) { return MeshShape(s, {false, Sides::both, "/file"}); }

std::vector<Minimum> minima(const MeshShape& shape, const Vec3& centre, double margin = 0) {
  SpherePatch patch;
  const auto found = patch.find(shape, centre + shape.reference_point(), kRadius, kRadius + margin);
  return {found.begin(), found.end()};
}

/// Force of springs of stiffness 1 on the sphere.
Vec3 force(const MeshShape& shape, const Vec3& centre) {
  Vec3 sum = Vec3::Zero();
  for (const Minimum& m : minima(shape, centre))
    sum -= m.weight * (kRadius - m.foot.distance) / m.foot.distance * m.foot.point;
  return sum;
}

double weights(const std::vector<Minimum>& all) {
  double sum = 0;
  for (const Minimum& m : all) sum += m.weight;
  return sum;
}

/// Largest jump of the force over the way from one place to another, over the largest force: halves the largest
/// difference of neighbouring samples until it is one place.
double largest_jump(const MeshShape& shape, const Vec3& from, const Vec3& to, int samples) {
  double worst = 0, size = 0;
  std::vector<double> jumps;
  for (int k = 0; k < samples; ++k) {
    Vec3 a = from + k / double(samples) * (to - from), b = from + (k + 1) / double(samples) * (to - from);
    Vec3 fa = force(shape, a), fb = force(shape, b);
    size = std::max(size, fa.norm());
    for (int n = 0; n < 40; ++n) {
      const Vec3 c = (a + b) / 2, fc = force(shape, c);
      if ((fc - fa).norm() > (fb - fc).norm())
        b = c, fb = fc;
      else
        a = c, fa = fc;
    }
    worst = std::max(worst, (fb - fa).norm());
  }
  return worst / size;
}

}  // namespace

TEST_CASE("a flat seam of triangles that share no corners is one contact of weight 1 all along, as flat ground is") {
  for (const auto& [left, right] : {std::pair(1, 2), std::pair(1, 3), std::pair(3, 4), std::pair(7, 5)}) {
    SurfaceMesh s = seam(left, right);
    const Quat turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
    for (const double angle : {0.0, 1.0}) {
      SurfaceMesh turned = s;
      if (angle > 0)
        for (Vec3& v : turned.vertices) v = (turn * v).cast<float>().cast<double>();
      const MeshShape ground = sheet_of(turned);
      for (int k = 0; k <= 400; ++k)
        for (const double x : {-0.05, 0.0, 0.02}) {
          Vec3 centre(x, -0.85 + 1.7 * k / 400, 0.097);
          if (angle > 0) centre = turn * centre;
          const auto found = minima(ground, centre);
          REQUIRE(found.size() == 1);
          CHECK(weights(found) == Approx(1).margin(1e-6));
          CHECK(found[0].foot.distance == Approx(0.097).margin(1e-6));
        }
    }
  }
}

TEST_CASE("on a flat mesh a sphere touches once, with the overlap of the plane, wherever it is") {
  const MeshShape flat = sheet_of(sheet(12, 0.4, [](double x, double y) { return 0.3 * x - 0.2 * y; }));
  const Vec3 n = Vec3(-0.3, 0.2, 1).normalized();
  std::mt19937 random(9);
  std::uniform_real_distribution<double> uniform(-0.8, 0.8);
  const auto& mesh = flat.triangles();
  for (int k = 0; k < 3000; ++k) {
    Vec3 foot(uniform(random), uniform(random), 0);
    foot[2] = 0.3 * foot[0] - 0.2 * foot[1];
    if (k % 3 == 1) {  // over a vertex
      foot = mesh.vertices()[random() % mesh.vertices().size()] - flat.reference_point();
    } else if (k % 3 == 2) {  // over an edge
      const auto& e = mesh.edge(static_cast<std::uint32_t>(random() % mesh.edge_count()));
      foot = (0.3 * mesh.vertices()[e[0]] + 0.7 * mesh.vertices()[e[1]]) - flat.reference_point();
    }
    if (std::max(std::abs(foot[0]), std::abs(foot[1])) > 0.85) continue;
    const double overlap = kRadius * std::pow(10, -1 - 4 * (uniform(random) + 0.8) / 1.6);
    const auto found = minima(flat, foot + (kRadius - overlap) * n);
    REQUIRE(found.size() == 1);
    CHECK(found[0].weight == 1);
    CHECK(kRadius - found[0].foot.distance == Approx(overlap).epsilon(1e-9));
    CHECK((found[0].foot.point.normalized() + n).norm() < 1e-9);
  }
}

TEST_CASE("a flat mesh of single precision is as one plane") {
  SurfaceMesh s = sheet(12, 0.4, [](double x, double y) { return 0.3 * x - 0.2 * y; });
  for (Vec3& v : s.vertices) v = v.cast<float>().cast<double>();
  const MeshShape flat = sheet_of(s);
  const Vec3 n = Vec3(-0.3, 0.2, 1).normalized();
  std::mt19937 random(9);
  std::uniform_real_distribution<double> uniform(-0.8, 0.8);
  for (int k = 0; k < 2000; ++k) {
    Vec3 foot(uniform(random), uniform(random), 0);
    foot[2] = 0.3 * foot[0] - 0.2 * foot[1];
    const Vec3 f = force(flat, foot + 0.999 * kRadius * n);
    CHECK((f - 1e-3 * kRadius * n).norm() < 2e-3 * 1e-3 * kRadius);
  }
}

TEST_CASE("a corner has a contact per wall, a ridge has one") {
  const MeshShape groove = sheet_of(fold(std::numbers::pi / 4));
  auto found = minima(groove, {0, 0.01, std::sqrt(2) * 0.95 * kRadius});
  REQUIRE(found.size() == 2);
  for (const Minimum& m : found) {
    CHECK(m.weight == 1);
    CHECK(m.foot.distance == Approx(0.95 * kRadius));
  }
  const MeshShape ridge = sheet_of(fold(-std::numbers::pi / 4));
  found = minima(ridge, {0.001, 0.01, 0.95 * kRadius});
  REQUIRE(found.size() == 1);
  CHECK(found[0].foot.feature == Feature::edge);

  const MeshShape room(box({1, 1, 1}), {true, Sides::automatic, "/file"});
  found = minima(room, Vec3::Constant(1 - 0.95 * kRadius));
  REQUIRE(found.size() == 3);
  for (const Minimum& m : found) CHECK(m.weight == 1);
}

TEST_CASE("forces do not jump over edges and corners, hollow or not") {
  for (const double degrees : {0.01, 0.1, 1.0, 3.0, 10.0, 30.0, 60.0, -1.0, -10.0, -45.0}) {
    INFO(degrees);
    const double angle = degrees * std::numbers::pi / 180;
    const MeshShape shape = sheet_of(fold(angle));
    const double height = 0.99 * kRadius, aside = angle > 0 ? std::min(0.15, 0.85 * height / std::tan(angle)) : 0.15;
    CHECK(largest_jump(shape, {-aside, 0.013, height}, {aside, 0.027, height}, 400) < 1e-7);
  }
  for (const int sides : {3, 4, 6})
    for (const double slope : {0.005, 0.03, 0.2, -0.03}) {
      INFO(sides << ' ' << slope);
      SurfaceMesh s;
      s.vertices.push_back(Vec3::Zero());
      for (int k = 0; k < sides; ++k) {
        const double phi = 2 * std::numbers::pi * (k + 0.3) / sides;
        s.vertices.push_back({std::cos(phi), std::sin(phi), slope});
      }
      for (int k = 0; k < sides; ++k)
        s.faces.push_back({0, static_cast<std::uint32_t>(1 + k), static_cast<std::uint32_t>(1 + (k + 1) % sides)});
      const MeshShape shape = sheet_of(s);
      CHECK(largest_jump(shape, {-0.2, -0.021, 0.99 * kRadius}, {0.2, 0.033, 0.99 * kRadius}, 400) < 1e-7);
    }
}

TEST_CASE("the stiffness of a cone does not depend on the number of its facets") {
  const double height = std::sqrt(2) * 0.999 * kRadius;
  std::map<int, double> sum;
  for (const int facets : {8, 32, 128, 256, 512}) sum[facets] = weights(minima(sheet_of(cone(facets)), {0, 0, height}));
  CHECK(sum[8] == Approx(8).epsilon(0.01));
  CHECK(sum[32] < 32);
  CHECK(sum[256] == Approx(sum[512]).epsilon(0.03));
  CHECK(sum[128] == Approx(sum[512]).epsilon(0.05));
  // Moved aside, the sphere is pushed back.
  const MeshShape shape = sheet_of(cone(128));
  CHECK(force(shape, {0.001 * kRadius, 0, height}).x() < 0);
}

TEST_CASE("a thin plate acts on the side where the sphere is, and pushes out a centre that is in it") {
  const MeshShape plate(box({1, 1, 0.01}), {false, Sides::automatic, "/file"});
  auto found = minima(plate, {0.2, 0.1, 0.01 + 0.95 * kRadius});
  REQUIRE(found.size() == 1);
  CHECK(found[0].foot.distance == Approx(0.95 * kRadius));
  found = minima(plate, {0.2, 0.1, 0.004});
  REQUIRE(found.size() == 1);
  CHECK(found[0].foot.distance == Approx(-0.006));
  CHECK(found[0].foot.point.z() > 0);
}

TEST_CASE("gaps within the margin are minima too") {
  const MeshShape flat = sheet_of(sheet(4, 0, [](double, double) { return 0.0; }));
  CHECK(minima(flat, {0.1, 0.1, 1.02 * kRadius}).empty());
  const auto found = minima(flat, {0.1, 0.1, 1.02 * kRadius}, 0.05 * kRadius);
  REQUIRE(found.size() == 1);
  CHECK(found[0].weight == 1);
}
