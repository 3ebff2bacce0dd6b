#include "triple.hpp"

#include <numbers>
#include <random>

#include "batch_test.hpp"
#include "catch.hpp"
#include "models.hpp"

using namespace scree::compliant;
using namespace scree::compliant::test;

namespace {

/// A unit vector of any direction.
template <class Random>
V direction(Random& random) {
  std::normal_distribution<double> any;
  const V v{any(random), any(random), any(random)};
  return (1 / length(v)) * v;
}

}  // namespace

TEST_CASE("the spring turns with the contact plane and keeps its length") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int trial = 0; trial < 1000; ++trial) {
    V n{any(random), any(random), any(random)};
    n = (1 / length(n)) * n;
    const V spring{any(random), any(random), any(random)};
    const V turned = turned_into_plane(spring, n);
    REQUIRE(length(turned) == Approx(length(spring)).epsilon(1e-12));  // cancellation in the projection
    REQUIRE(std::abs(dot(turned, n)) < 1e-12 * length(spring) / std::abs(length(tangential(spring, n)) + 1e-3));
  }
  CHECK(length(turned_into_plane(V{0, 0, 0}, V{0, 1, 0})) == 0);
  CHECK(length(turned_into_plane(V{0, 2, 0}, V{0, 1, 0})) == 0);
}

TEST_CASE("a plane that turns once in small steps brings the spring back") {
  V spring{1, 0, 0};
  const int steps = 1000;
  for (int i = 1; i <= steps; ++i) {
    const double a = 2 * std::numbers::pi * i / steps;
    spring = turned_into_plane(spring, {std::sin(a), std::cos(a), 0});
  }
  CHECK(spring.x == Approx(1).epsilon(1e-12));  // in a plane the turn is exact
  CHECK(std::abs(spring.y) < 1e-12);
}

TEST_CASE("a vector is turned by an angle, exact to rounding") {
  std::mt19937 random(4);
  for (const double angle : {0.0, 1e-9, 1e-4, 0.03, 0.1, 0.5}) {
    const V axis = direction(random), across = tangential(direction(random), axis), along = 0.7 * axis;
    const V expected = along + std::cos(angle) * across + std::sin(angle) * cross(axis, across);
    const V turned = rotated(along + across, angle * axis);
    CHECK(length(turned - expected) < (angle <= 0.1 ? 1e-15 : 2e-11));  // a few roundings; the next term
  }
}

TEST_CASE("a stuck pair that turns as one by 360 degrees about any axis carries its spring around") {
  std::mt19937 random(5);
  const int steps = 1000;
  for (int trial = 0; trial < 20; ++trial) {
    const V start = direction(random);  // the normal
    // About any axis, about the normal (twist alone), about an axis across it.
    V axis = trial == 0 ? start : direction(random);
    if (trial == 1) axis = tangential(axis, start), axis = (1 / length(axis)) * axis;
    const V first = 1e-3 * tangential(direction(random), start);
    V spring = first;
    for (int i = 1; i <= steps; ++i) {
      const double dt = 1e-3, rate = 2 * std::numbers::pi / (steps * dt), now = rate * dt * i;
      const auto turned = [&](V v) {
        const V along = dot(v, axis) * axis;
        return along + std::cos(now) * (v - along) + std::sin(now) * cross(axis, v);
      };
      const V turn = rate * axis;
      const double* columns[3] = {&turn.x, &turn.y, &turn.z};
      spring = carried<Carry::frame>(spring, turned(start), In(columns), 0, dt);
      REQUIRE(length(spring - turned(first)) < 1e-10 * length(first));  // the bound asked for; rounding gives 1e-13
    }
    CHECK(length(spring) == Approx(length(first)).epsilon(1e-12));
  }
}
