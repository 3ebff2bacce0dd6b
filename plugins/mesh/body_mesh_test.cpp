// Capsules and rounded polyhedra on meshes: as on a half-space where flat, one energy at edges and corners that stand
// out, and what is refused.
#include "body_mesh.hpp"

#include <numbers>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "test_grains.hpp"
#include "test_meshes.hpp"

using namespace scree;
using namespace scree::mesh;
using namespace scree::mesh::test;

namespace {

constexpr double kRound = 0.05;

std::shared_ptr<const Shape> brick() { return std::make_shared<Brick>(Vec3(0.2, 0.15, 0.1), kRound); }
std::shared_ptr<const Shape> stick() { return std::make_shared<Stick>(0.2, kRound); }

/// On the half-space z < 0, under springs of stiffness 1.
Sum on_half_space(const Meet& m) {
  Sum s;
  for (const Vec3& v : facet<RoundVertices>(*m.grain)->centres()) {
    const Vec3 x = m.at + m.turn * v;
    const double overlap = kRound - x.z();
    if (overlap <= 0) continue;
    ++s.touching;
    s.energy += overlap * overlap / 2;
    s.force.z() += overlap;
    s.torque += (x - Vec3(0, 0, kRound - overlap / 2) - m.at).cross(overlap * Vec3::UnitZ());
  }
  return s;
}

/// Puts the grain so that its lowest corner has this overlap with the plane z = 0.
void lay(Meet& m, double overlap) {
  double lowest = 1e300;
  for (const Vec3& v : facet<RoundVertices>(*m.grain)->centres()) lowest = std::min(lowest, (m.turn * v).z());
  m.at.z() = kRound - overlap - lowest;
}

/// Moves the grain down from above until something overlaps by about this, less than its radius.
bool sink(Meet& m, double overlap) {
  m.at.z() = 1.2;
  for (int k = 0; k < 400; ++k) {
    const ContactBuffer c = m.contacts(1);
    double deepest = -1;
    for (std::size_t i = 0; i < c.size(); ++i) deepest = std::max(deepest, c.overlap()[i]);
    if (deepest >= overlap - 1e-9) return true;
    m.at.z() -= overlap - deepest > 1e-9 ? (overlap - deepest) * 0.999999 + 1e-10 : 0;
    if (m.at.z() < -2) return false;
  }
  return false;
}

/// Largest difference between forces and differences of the energy.
double gradient_error(const Meet& m) {
  const Sum s = m.sum();
  double worst = 0;
  const double h = 1e-7;
  for (int axis = 0; axis < 3; ++axis) {
    const auto moved = [&](double by) {
      Meet there = m;
      there.at[axis] += by;
      return there.sum().energy;
    };
    const auto turned = [&](double by) {
      Meet there = m;
      there.turn = Quat(Eigen::AngleAxisd(by, Vec3::Unit(axis))) * there.turn;
      return there.sum().energy;
    };
    worst = std::max({worst, std::abs(s.force[axis] + (moved(h) - moved(-h)) / (2 * h)),
                      std::abs(s.torque[axis] + (turned(h) - turned(-h)) / (2 * h))});
  }
  return worst;
}

/// Largest jump of force and torque over a way and a turn, over the largest force: halves the largest difference of
/// neighbouring samples until it is one place.
double largest_jump(const Meet& m, const Vec3& way, const Vec3& turn, int samples) {
  const auto seen = [&](double t) {
    Meet there = m;
    there.at += t * way;
    there.turn = Quat(Eigen::AngleAxisd(t * turn.norm(), (turn + Vec3(0, 0, 1e-300)).normalized())) * there.turn;
    const Sum s = there.sum();
    Eigen::Matrix<double, 6, 1> both;
    both << s.force, s.torque / 0.2;
    return both;
  };
  double worst = 0, size = 0;
  for (int k = 0; k < samples; ++k) {
    double a = double(k) / samples, b = double(k + 1) / samples;
    auto fa = seen(a), fb = seen(b);
    size = std::max(size, fa.norm());
    for (int n = 0; n < 40; ++n) {
      const double c = (a + b) / 2;
      const auto fc = seen(c);
      if ((fc - fa).norm() > (fb - fc).norm())
        b = c, fb = fc;
      else
        a = c, fa = fc;
    }
    worst = std::max(worst, (fb - fa).norm());
  }
  return worst / size;
}

const SurfaceMesh& flat_ground() {
  static const SurfaceMesh s = sheet(39, 0.4, [](double, double) { return 0.0; });  // 3042 triangles
  return s;
}

}  // namespace

TEST_CASE("on 3042 flat triangles a capsule and a box feel what a half-space would do: one contact per corner") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-0.4, 0.4);
  for (const auto& grain : {brick(), stick()}) {
    Meet m(grain, flat_ground());
    for (int k = 0; k < 400; ++k) {
      m.turn = k % 4 == 0 ? Quat(Eigen::AngleAxisd(any(random), Vec3::UnitZ())) : random_turn(random);
      if (k % 4 == 1) m.turn = Quat(Eigen::AngleAxisd(1e-3, Vec3(1, 2, 0).normalized()));
      if (grain == stick()) m.turn = Quat(Eigen::AngleAxisd(any(random), Vec3::UnitX())) * m.turn;
      m.at = {any(random), any(random), 0};
      lay(m, 2e-3);
      const Sum is = m.sum(), expected = on_half_space(m);
      REQUIRE(is.touching == expected.touching);
      CHECK((is.force - expected.force).norm() < 1e-9 * expected.force.norm());
      CHECK((is.torque - expected.torque).norm() < 1e-9 * 0.3 * expected.force.norm());
    }
  }
}

TEST_CASE("forces are the gradient of one energy at ridges, corners and rims") {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> any(-0.6, 0.6);
  const SurfaceMesh wedge{
      {{-0.4, -0.4, -0.3}, {0.4, -0.4, -0.3}, {0.4, 0.4, -0.3}, {-0.4, 0.4, -0.3}, {0.1, 0.05, 0.3}},
      {{3, 2, 1, 0}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}};
  for (const auto& grain : {brick(), stick()})
    for (const SurfaceMesh& s :
         {box({0.3, 0.3, 0.3}), wedge, sheet(1, 0, [](double, double) { return 0.0; }), fold(-0.5)}) {
      int used = 0;
      double worst = 0;
      for (int k = 0; k < 400 && used < 100; ++k) {
        Meet m(grain, s);
        m.turn = random_turn(random);
        m.at = {1.6 * any(random), 1.6 * any(random), 0};
        if (!sink(m, 0.004)) continue;
        ++used;
        worst = std::max(worst, gradient_error(m) / 0.004);
      }
      CHECK(used >= 50);
      CHECK(worst < 2e-4);  // differences of 1e-7 where springs begin
    }
}

TEST_CASE("forces and torques do not jump as grains slide and turn over edges of triangles, flat, hollow or not") {
  const double pi = std::numbers::pi;
  for (const auto& grain : {brick(), stick()}) {
    Meet flat(grain, flat_ground());
    flat.turn = Quat(Eigen::AngleAxisd(0.4, Vec3(0.01, 0.02, 1).normalized()));
    flat.at = {-0.2, -0.1, 0};
    if (grain->bounding_radius() < 0.26) flat.turn = flat.turn * Quat(Eigen::AngleAxisd(pi / 2, Vec3::UnitX()));
    lay(flat, 2e-3);
    CHECK(largest_jump(flat, {0.3, 0.2, 0}, {0, 0, 0.5}, 60) < 1e-7);
    for (const double angle : {0.02, 0.2, 0.7, -0.02, -0.2, -0.7}) {
      Meet m(grain, fold(angle));
      m.turn = Quat(Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()));
      const double way = std::min(0.12, 0.02 / std::abs(std::sin(angle)));
      m.at = {-way / 2, 0.05, 0};
      REQUIRE(sink(m, 2e-3));
      CHECK(largest_jump(m, {way, 0.03, 0}, {0.02, -0.01, 0.05}, 60) < 1e-7);
    }
    Meet corner(grain, box({0.3, 0.3, 0.3}));
    corner.turn = Quat(Eigen::AngleAxisd(0.9, Vec3(1, 2, -1).normalized()));
    corner.at = {0.25, 0.28, 0};
    REQUIRE(sink(corner, 4e-3));
    CHECK(largest_jump(corner, {0.08, 0.06, 1e-3}, {0.1, -0.1, 0.2}, 60) < 1e-7);
  }
}

TEST_CASE("edges that cross touch once, whatever they are cut into, and edges over a hollow do not") {
  const double pi = std::numbers::pi;
  // An edge of a brick and a capsule, each along x, on a ridge along y.
  Meet bar(brick(), fold(-0.6));
  bar.turn = Quat(Eigen::AngleAxisd(std::atan2(0.15, 0.1) + pi / 2, Vec3::UnitX()));
  Meet rod(stick(), fold(-0.6));
  rod.turn = Quat(Eigen::AngleAxisd(pi / 2, Vec3::UnitY()));
  for (Meet* m : {&bar, &rod}) {
    REQUIRE(sink(*m, 2e-3));
    const Sum s = m->sum();
    CHECK(s.touching == 1);
    CHECK(s.energy == Approx(2e-6).epsilon(1e-6));
    CHECK(s.force.z() == Approx(2e-3).epsilon(1e-6));
  }
  // The ridge in five pieces, whose ends count for nothing: also where the grain crosses at one of them.
  SurfaceMesh cut;
  const double c = std::cos(0.6), d = std::sin(0.6);
  for (int k = 0; k <= 5; ++k)
    for (const double x : {-1.0, 0.0, 1.0}) cut.vertices.push_back({x * c, -1 + 0.4 * k, -std::abs(x) * d});
  for (std::uint32_t k = 0; k < 5; ++k)
    for (const std::uint32_t at : {3 * k, 3 * k + 1}) cut.faces.push_back({at, at + 1, at + 4, at + 3});
  for (const double y : {0.0, 0.2, 0.2 + 1e-12, 0.21, 0.37})
    for (const Meet* whole : {&bar, &rod}) {
      Meet m(whole->grain, cut), expected = *whole;
      m.turn = expected.turn = Quat(Eigen::AngleAxisd(0.3, Vec3::UnitZ())) * whole->turn;
      m.at = expected.at = whole->at + Vec3(0, y, 0);
      CHECK(m.sum().energy == Approx(expected.sum().energy).epsilon(1e-12));
      CHECK((m.sum().torque - expected.sum().torque).norm() < 1e-12);
    }
  // From below the same fold is a groove: ends touch, and the middle counts for nothing.
  Meet below(rod.grain, fold(0.2));
  below.turn = rod.turn;
  REQUIRE(sink(below, 2e-3));
  CHECK(below.sum().touching == 2);
}

TEST_CASE("a face lies on the corners of what is below it, and a box on an equal one at four places") {
  Meet m(brick(), box({0.1, 0.05, 0.3}));
  REQUIRE(sink(m, 2e-3));
  CHECK(m.sum().touching == 4);
  CHECK(m.sum().energy == Approx(4 * 2e-6).epsilon(1e-6));
  Meet equal(brick(), box({0.2, 0.15, 0.3}));
  REQUIRE(sink(equal, 2e-3));
  CHECK(equal.sum().touching == 4);
  CHECK(std::abs(equal.sum().torque.norm()) < 1e-12);
}

TEST_CASE("a sheet acts on both sides alike") {
  std::mt19937 random(8);
  for (const auto& grain : {brick(), stick()}) {
    Meet above(grain, sheet(3, 0.3, [](double, double) { return 0.0; })), below = above;
    for (int k = 0; k < 50; ++k) {
      above.turn = random_turn(random);
      above.at = {0.95, 0.02 * k, 0};
      if (!sink(above, 2e-3)) continue;
      // The same, mirrored at z = 0: a box and a capsule are their own mirror images.
      below.at = {above.at.x(), above.at.y(), -above.at.z()};
      below.turn = Quat(above.turn.w(), -above.turn.x(), -above.turn.y(), above.turn.z());
      CHECK(below.sum().energy == Approx(above.sum().energy).epsilon(1e-9));
      CHECK(below.sum().force.z() == Approx(-above.sum().force.z()).epsilon(1e-9));
    }
  }
}

TEST_CASE("contacts do not depend on the age of lists, on which body comes first, or on sizes and places") {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  Meet m(brick(), box({0.3, 0.3, 0.3}));
  m.turn = random_turn(random);
  m.at = {0.2, 0.25, 0};
  REQUIRE(sink(m, 4e-3));
  PairCache cache;
  const Vec3 begin = m.at;
  for (int k = 0; k < 300; ++k) {
    m.at = begin + 0.003 * Vec3(std::sin(0.1 * k), std::cos(0.07 * k), 0.3 + std::sin(0.05 * k));
    m.turn = Quat(Eigen::AngleAxisd(0.002, Vec3(normal(random), normal(random), normal(random)).normalized())) * m.turn;
    const ContactBuffer old = m.contacts(cache, 1e-3), fresh = m.contacts(1e-3), swapped = m.contacts(1e-3, true);
    REQUIRE(old.size() == fresh.size());
    REQUIRE(swapped.size() == fresh.size());
    for (std::size_t c = 0; c < old.size(); ++c) {
      CHECK(old.overlap()[c] == fresh.overlap()[c]);
      CHECK(old.normal_at(c) == fresh.normal_at(c));
      CHECK(old.feature()[c] == fresh.feature()[c]);
      CHECK(swapped.normal_at(c) == -fresh.normal_at(c));
    }
  }
  Meet moved = m;
  const Quat turn = random_turn(random);
  moved.scale[0] = moved.scale[1] = 3;
  moved.wall_turn = turn;
  moved.wall_at = turn * (3 * m.wall_at) + Vec3(1, 2, 3);
  moved.at = turn * (3 * m.at) + Vec3(1, 2, 3);
  moved.turn = turn * m.turn;
  CHECK((moved.sum().force - 3 * (turn * m.sum().force)).norm() < 1e-12);
}

TEST_CASE("cores that come too near a mesh, or pass through it, end the run with both bodies named") {
  Meet near(brick(), flat_ground());
  near.at.z() = 0.1 + 0.005;
  CHECK_THROWS_WITH(near.contacts(), Catch::Contains("body 0: its core, which is the shape without its rounding, is "
                                                     "0.005 m from the mesh, body 1, nearer than 0.2 of its radius"));
  near.at.z() = 0.05;
  CHECK_THROWS_WITH(near.contacts(),
                    Catch::Contains("body 0: an edge of its core passes through a triangle of the mesh, body 1."));
  Meet spiked(brick(), {{{0, 0, 1}, {0.01, 0, -1}, {0, 0.01, -1}, {-0.01, -0.01, -1}},
                        {{1, 2, 3}, {0, 2, 1}, {0, 3, 2}, {0, 1, 3}}});
  CHECK_THROWS_WITH(spiked.contacts(), Catch::Contains("body 0: its core is cut by an edge of the mesh, body 1."));
}
