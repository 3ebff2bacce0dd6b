#include "contact/segment_distance.hpp"

#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "test_random.hpp"

using namespace scree;
using namespace scree::rods;
using namespace scree::rods::test;

namespace {

/// Two segments near each other; every third pair is parallel up to `tilt`.
SegmentPair any_pair(Random& r, int k) {
  SegmentPair p{r.vector(1), r.direction(), r.direction(), r.in(0.1, 1), r.in(0.1, 1)};
  const double tilt = std::array{0.0, 1e-9, 1e-4}[static_cast<std::size_t>(k / 3 % 3)];
  if (k % 3 == 0) p.axis_b = ((k % 2 ? 1.0 : -1.0) * p.axis_a + tilt * r.direction()).normalized();
  return p;
}

/// Nearest by looking: many points of a, each with its foot on b.
double least_distance(const SegmentPair& p) {
  double least = 1e300;
  for (int k = 0; k <= 4000; ++k) least = std::min(least, foot_on_b(p, p.half_a * (k / 2000.0 - 1)).square);
  return std::sqrt(least);
}

constexpr double kReach = 1;

/// Energy of a unit spring on each contact: what laws make of overlaps.
double energy(const SegmentPair& p) {
  const auto v = [](const SegmentPoints& x) {
    const double overlap = std::max(0.0, kReach - std::sqrt(x.square));
    return overlap * overlap / 2;
  };
  const SegmentContacts c = contacts_of(p);
  return v(c.nearest) + v(c.far);
}

SegmentPair moved(SegmentPair p, const Vec3& shift, const Vec3& turn) {
  p.between += shift;
  p.axis_b = exponential(turn) * p.axis_b;
  return p;
}

}  // namespace

TEST_CASE("nearest points of two segments are those found by looking") {
  Random r(7);
  for (int k = 0; k < 3000; ++k) {
    const SegmentPair p = any_pair(r, k);
    const SegmentPoints found = nearest_points(p);
    INFO("pair " << k);
    CHECK(std::abs(found.s) <= p.half_a);
    CHECK(std::abs(found.t) <= p.half_b);
    CHECK((points_at(p, found.s, found.t).way - found.way).norm() == 0);
    const double least = least_distance(p);
    CHECK(std::sqrt(found.square) <= least + 1e-12);
    CHECK(std::sqrt(found.square) >= least - 1e-3);  // a point in 1/2000 of the length
    CHECK(std::abs(contacts_of(p).nearest.square - found.square) <= 1e-11);
  }
}

TEST_CASE("segments whose lines are apart are apart") {
  Random r(8);
  int apart = 0;
  for (int k = 0; k < 3000; ++k) {
    const SegmentPair p = any_pair(r, k);
    if (!lines_apart(p, 0.5)) continue;
    ++apart;
    CHECK(nearest_points(p).square > 0.25 * (1 - 1e-12));
  }
  CHECK(apart > 300);
}

TEST_CASE("segments beside the line of another are apart") {
  int found = 0;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  for (int trial = 0; trial < 20000; ++trial) {
    const Vec3 axis = vector().normalized();
    const SegmentPair p{2 * vector(), axis, (axis + 0.3 * vector()).normalized(), 1, 1 + number(random)};
    if (!beside(p, 0.5)) continue;
    ++found;
    REQUIRE(std::sqrt(nearest_points(p).square) > 0.5);
  }
  CHECK(found > 3000);
}

TEST_CASE("segments that lie along each other touch at both ends of their common stretch") {
  // a from -1 to 1, b from 0.2 to 1.8, turned about.
  for (const double sign : {1.0, -1.0}) {
    const SegmentPair p{Vec3(0, 0.1, 1), Vec3::UnitZ(), sign * Vec3::UnitZ(), 1, 0.8};
    const SegmentContacts c = contacts_of(p);
    const auto [low, high] = std::minmax(c.nearest.s, c.far.s);
    CHECK(low == Approx(0.2).margin(1e-14));
    CHECK(high == Approx(1).margin(1e-14));
    CHECK(!c.one);
    CHECK(c.nearest_place + c.far_place == 3);
  }
  // End to end: one place, that of two ends.
  const SegmentContacts beyond = contacts_of({Vec3(0, 0.1, 1.9), Vec3::UnitZ(), Vec3::UnitZ(), 1, 0.8});
  CHECK(beyond.one);
  CHECK(beyond.nearest.s == 1);
  CHECK(beyond.nearest.t == -0.8);
  // Across: the ends are far.
  const SegmentContacts across = contacts_of({Vec3(0, 0.5, 0.3), Vec3::UnitZ(), Vec3::UnitX(), 1, 0.8});
  CHECK(across.nearest_place == SegmentContacts::crossing);
  CHECK(across.nearest.square == Approx(0.25));
  CHECK(across.far.square > 0.7);
}

TEST_CASE("the energy of two segments changes continuously however they move") {
  Random r(7);
  // Small steps change it by the step times force, no more: two overlaps of at most 1, levers of at most 1.
  constexpr double kStep = 1e-7, kSteepest = 2 * (1 + 1);
  for (int k = 0; k < 20000; ++k) {
    const SegmentPair p = any_pair(r, k);
    const SegmentPair q = moved(p, kStep * r.direction(), kStep * r.direction());
    INFO("pair " << k);
    CHECK(std::abs(energy(q) - energy(p)) < kSteepest * kStep);
  }
}

TEST_CASE("the forces of two segments are the gradient of their energy") {
  Random r(7);
  constexpr double kStep = 1e-6;
  int compared = 0;
  for (int k = 0; k < 3000; ++k) {
    const SegmentPair p = any_pair(r, 3 * k + 1);
    const SegmentContacts c = contacts_of(p);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    const auto add = [&](const SegmentPoints& x) {
      const double d = std::sqrt(x.square), push = std::max(0.0, kReach - d);
      force += push * x.way / d;
      torque += (x.t * p.axis_b).cross(Vec3(push * x.way / d));
    };
    add(c.nearest);
    add(c.far);
    const Vec3 shift = r.direction(), turn = r.direction();
    const double change =
        (energy(moved(p, kStep * shift, kStep * turn)) - energy(moved(p, -kStep * shift, -kStep * turn))) / (2 * kStep);
    // Where a point passes an end within the step, second differences do not vanish; few do.
    const double curved =
        energy(moved(p, kStep * shift, kStep * turn)) + energy(moved(p, -kStep * shift, -kStep * turn)) - 2 * energy(p);
    if (std::abs(curved) > 1e-9) continue;
    ++compared;
    INFO("pair " << 3 * k + 1);
    CHECK(-change == Approx(force.dot(shift) + torque.dot(turn)).margin(1e-8));
  }
  CHECK(compared > 2000);
}
