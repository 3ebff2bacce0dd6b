#include "linear_force.hpp"

#include <numbers>
#include <random>

#include "catch.hpp"

using namespace scree::linear;
using V = Triple<double>;

namespace {

constexpr Parameters<double> kSpring{1000, 0, 500, 0, 0.5};

double length(V v) { return std::sqrt(dot(v, v)); }

struct Bounce {
  double restitution, duration, depth, dissipated;
};

/// Head-on collision of reduced mass m at speed v, velocity Verlet with `steps` steps per undamped contact.
Bounce bounce(const Parameters<double>& p, double m, double v, int steps) {
  const double dt = std::numbers::pi * std::sqrt(m / p.normal_stiffness) / steps;
  double d = 0, rate = v, force = normal_force(p, d, -rate);
  Bounce result{0, 0, 0, 0};
  do {
    rate -= dt / 2 * force / m;
    d += dt * rate;
    force = normal_force(p, d, -rate);
    rate -= dt / 2 * force / m;
    result.duration += dt;
    result.depth = std::max(result.depth, d);
  } while (force > 0);
  result.restitution = -rate / v;
  return result;
}

/// Restitution of the spring and dashpot whose force is clipped at zero, damping ratio z < 1/sqrt(2).
/// Schwager and Poeschel, Granular Matter 9 (2007) 465, eq. 12.
double clipped_restitution(double z) {
  const double w = std::sqrt(1 - z * z);
  return std::exp(-z / w * (std::numbers::pi - std::atan(2 * z * w / (1 - 2 * z * z))));
}

}  // namespace

TEST_CASE("normal force: spring plus dashpot, never pulling, none across a gap") {
  const Parameters<double> p{1000, 2, 0, 0, 0};
  CHECK(normal_force(p, 1e-3, 0.0) == 1.0);
  CHECK(normal_force(p, 1e-3, -0.25) == 1.5);
  CHECK(normal_force(p, 1e-3, 0.25) == 0.5);
  CHECK(normal_force(p, 1e-3, 1.0) == 0.0);
  CHECK(normal_force(p, -1e-3, -10.0) == 0.0);
}

TEST_CASE("elastic bounce: depth, duration and speed of the closed form") {
  const double m = 0.02, v = 0.3;
  const Bounce b = bounce(kSpring, m, v, 10000);
  CHECK(b.restitution == Approx(1).epsilon(1e-4));  // the last step overshoots the end of contact by up to dt
  CHECK(b.depth == Approx(v * std::sqrt(m / 1000)).epsilon(1e-6));          // O(dt^2)
  CHECK(b.duration == Approx(contact_duration(kSpring, m)).epsilon(2e-4));  // one step
  CHECK(contact_duration(kSpring, m) == Approx(std::numbers::pi * std::sqrt(m / 1000)).epsilon(1e-15));
}

TEST_CASE("damped head-on bounce: restitution of the exact solution with the force clipped at zero") {
  // specs/verification.md section 1: damping ratio and the restitution it gives if the force never pulls. Ours is this
  // convention. 1e-3 as the table asks; the closed form to 2e-4, dt being a 20,000th of the contact.
  const double m = 0.02, k = 1000,
               table[][2] = {{0.455950, 0.32486}, {0.279998, 0.47201}, {0.215454, 0.55028}, {0.160493, 0.63229},
                             {0.070850, 0.80810}, {0.033518, 0.90203}, {0.006431, 0.98008}};
  for (const auto& [ratio, expected] : table) {
    const Parameters<double> p{k, 2 * ratio * std::sqrt(k * m), 0, 0, 0};
    const double e = bounce(p, m, 0.3, 20000).restitution;
    CAPTURE(ratio, e, expected);
    CHECK(e == Approx(expected).epsilon(1e-3));
    CHECK(e == Approx(clipped_restitution(ratio)).epsilon(2e-4));
  }
}

TEST_CASE("contact duration: longer when damped, the fastest time constant when overdamped") {
  const double m = 0.02, k = 1000, critical = 2 * std::sqrt(k * m);
  const Parameters<double> damped{k, 0.6 * critical, 0, 0, 0}, over{k, 5 * critical, 0, 0, 0};
  const double undamped = std::numbers::pi * std::sqrt(m / k);
  CHECK(contact_duration(damped, m) == Approx(undamped / 0.8).epsilon(1e-14));
  CHECK(contact_duration(over, m) == Approx(undamped / (5 + std::sqrt(24.0))).epsilon(1e-14));
}

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

TEST_CASE("friction never exceeds mu F_n, and the spring rests at the cap while it slides") {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> any(-1, 1);
  Parameters<double> p = kSpring;
  p.tangential_damping = 0.7;
  for (int trial = 0; trial < 1000; ++trial) {
    const V u{any(random), any(random), any(random)}, spring{any(random), any(random), any(random)};
    const double normal = 500 * (1 + any(random));
    const SpringFriction<double> t = spring_friction(p, normal, u, spring, 0.01);
    const double cap = p.friction * normal;
    REQUIRE(length(t.force) <= cap * (1 + 1e-14));  // rounding
    if (length(t.force) > cap * (1 - 1e-12)) REQUIRE(500 * length(t.spring) == Approx(cap).epsilon(1e-12));
    REQUIRE(length(viscous_friction(p, normal, u, 0.01)) <= cap * (1 + 1e-14));
  }
  CHECK(length(spring_friction(p, 0.0, V{1, 0, 0}, V{1, 0, 0}, 0.01).spring) == 0);
}

TEST_CASE("sticking: the spring's work is its energy") {
  // u_t constant; F = -k_t s; work against it after many small steps is k_t s^2/2 up to the last step's half.
  V spring{0, 0, 0};
  const double dt = 1e-5, speed = 0.01;
  double work = 0;
  for (int i = 0; i < 1000; ++i) {
    const SpringFriction<double> t = spring_friction(kSpring, 10.0, V{speed, 0, 0}, spring, dt);
    work -= (t.force.x + 500 * speed * dt / 2) * speed * dt;  // mean force of the step: F is linear in time
    spring = t.spring;
  }
  CHECK(work == Approx(elastic_energy(kSpring, 0.0, spring)).epsilon(1e-12));  // rounding
}

TEST_CASE("stick-slip loop: its area is what Coulomb friction dissipates") {
  // Slip displacement A sin(wt), A beyond the elastic limit s = mu F_n / k_t. In a closed cycle of the
  // elastic-perfectly-plastic spring the dissipated energy is 4 mu F_n (A - s).
  const double normal = 1, cap = 0.5 * normal, limit = cap / 500, amplitude = 3 * limit, dt = 1e-5;
  const int cycle = 100000;  // steps
  V spring{0, 0, 0};
  double loop = 0, dissipated = 0;
  for (int i = 0; i < 2 * cycle; ++i) {
    const double w = 2 * std::numbers::pi / cycle;
    const double step = amplitude * (std::sin(w * (i + 1)) - std::sin(w * i));
    const SpringFriction<double> t = spring_friction(kSpring, normal, V{step / dt, 0, 0}, spring, dt);
    if (i >= cycle) {
      loop -= t.force.x * step;
      const double slip = step - (t.spring.x - spring.x);
      dissipated -= t.force.x * slip;
    }
    spring = t.spring;
  }
  CHECK(loop == Approx(4 * cap * (amplitude - limit)).epsilon(1e-3));  // O(1/steps per elastic branch)
  CHECK(loop == Approx(dissipated).epsilon(1e-3));                     // likewise: force taken at the step's end
}

TEST_CASE("viscous friction is the dashpot k_t dt below the cap and nothing at rest") {
  const double dt = 1e-4;
  CHECK(viscous_friction(kSpring, 10.0, V{0.2, 0, 0}, dt).x == Approx(-500 * 0.2 * dt).epsilon(1e-15));
  CHECK(viscous_friction(kSpring, 1e-6, V{0.2, 0, 0}, dt).x == Approx(-0.5e-6).epsilon(1e-15));
  CHECK(length(viscous_friction(kSpring, 10.0, V{0, 0, 0}, dt)) == 0);
}

TEST_CASE("energy gradient is the elastic force") {
  const double h = 1e-6, d = 1e-3;
  const double slope =
      (elastic_energy(kSpring, d + h, V{0, 0, 0}) - elastic_energy(kSpring, d - h, V{0, 0, 0})) / (2 * h);
  CHECK(slope == Approx(normal_force(kSpring, d, 0.0)).epsilon(1e-9));  // central difference, exact for a square
  CHECK(elastic_energy(kSpring, -d, V{0, 0, 0}) == 0);
}
