#include "linear_force.hpp"

#include <numbers>
#include <random>

#include "batch_test.hpp"
#include "catch.hpp"
#include "friction.hpp"
#include "restitution.hpp"

using namespace scree::compliant;
using namespace scree::compliant::test;

namespace {

constexpr double kStiffness = 1000, kTangential = 500, kFriction = 0.5;

double normal_force(double k, double c, double overlap, double separation_speed) {
  return linear_contact(k, c, overlap, separation_speed).force;
}

Friction<double> rubbed(double damping, double load, V slip_speed, V spring, double dt) {
  return spring_friction(kTangential, damping, kFriction * load, slip_speed, spring, dt);
}

struct Bounce {
  double restitution, duration, depth, dissipated;
};

/// Head-on collision of reduced mass m at speed v, velocity Verlet with `steps` steps per undamped contact.
Bounce bounce(double k, double c, double m, double v, int steps) {
  const double dt = std::numbers::pi * std::sqrt(m / k) / steps;
  double d = 0, rate = v, force = normal_force(k, c, d, -rate);
  Bounce result{0, 0, 0, 0};
  do {
    rate -= dt / 2 * force / m;
    d += dt * rate;
    force = normal_force(k, c, d, -rate);
    rate -= dt / 2 * force / m;
    result.duration += dt;
    result.depth = std::max(result.depth, d);
  } while (force > 0);
  result.restitution = -rate / v;
  return result;
}

}  // namespace

TEST_CASE("normal force: spring plus dashpot, never pulling, none across a gap") {
  CHECK(normal_force(1000, 2, 1e-3, 0.0) == 1.0);
  CHECK(normal_force(1000, 2, 1e-3, -0.25) == 1.5);
  CHECK(normal_force(1000, 2, 1e-3, 0.25) == 0.5);
  CHECK(normal_force(1000, 2, 1e-3, 1.0) == 0.0);
  CHECK(normal_force(1000, 2, -1e-3, -10.0) == 0.0);
}

TEST_CASE("elastic bounce: depth, duration and speed of the closed form") {
  const double m = 0.02, v = 0.3;
  const Bounce b = bounce(kStiffness, 0, m, v, 10000);
  CHECK(b.restitution == Approx(1).epsilon(1e-4));  // the last step overshoots the end of contact by up to dt
  CHECK(b.depth == Approx(v * std::sqrt(m / 1000)).epsilon(1e-6));            // O(dt^2)
  CHECK(b.duration == Approx(linear_duration(kStiffness, m)).epsilon(2e-4));  // one step
  CHECK(linear_duration(kStiffness, m) == Approx(std::numbers::pi * std::sqrt(m / 1000)).epsilon(1e-15));
}

TEST_CASE("damped head-on bounce: restitution of the exact solution with the force clipped at zero") {
  // Damping ratio and the restitution it gives if the force never pulls, which is our
  // convention; the first column is the ratio of the standard formula. 1e-3 as the table asks; the closed form to 2e-4,
  // dt being a 20,000th of the contact.
  const double m = 0.02, k = 1000,
               table[][2] = {{0.455950, 0.32486}, {0.279998, 0.47201}, {0.215454, 0.55028}, {0.160493, 0.63229},
                             {0.070850, 0.80810}, {0.033518, 0.90203}, {0.006431, 0.98008}};
  for (const auto& [ratio, expected] : table) {
    const double e = bounce(k, 2 * ratio * std::sqrt(k * m), m, 0.3, 20000).restitution;
    CAPTURE(ratio, e, expected);
    CHECK(e == Approx(expected).epsilon(1e-3));
    CHECK(e == Approx(clipped_restitution(ratio)).epsilon(2e-4));
  }
}

TEST_CASE("the damping ratio of a restitution gives that restitution") {
  // Last column of the same table: the ratio needed when clipped; it is given to five figures.
  const double m = 0.02, k = 1000, table[][2] = {{0.20, 0.73125}, {0.40, 0.35451}, {0.50, 0.25528}, {0.60, 0.18086},
                                                 {0.80, 0.07436}, {0.90, 0.03427}, {0.98, 0.00646}};
  for (const auto& [asked, expected] : table) {
    const double ratio = clipped_damping_ratio(asked);
    const double e = bounce(k, 2 * ratio * std::sqrt(k * m), m, 0.3, 20000).restitution;
    CAPTURE(asked, ratio, e);
    CHECK(ratio == Approx(expected).margin(1e-5));
    CHECK(e == Approx(asked).epsilon(1e-3));
    CHECK(clipped_restitution(ratio) == Approx(asked).epsilon(1e-13));  // bisection to rounding
  }
  CHECK(clipped_damping_ratio(1) == 0);
  CHECK(clipped_restitution(1) == Approx(std::exp(-2.0)).epsilon(1e-15));
  for (const double z : {1 - 1e-9, 1 + 1e-9}) CHECK(clipped_restitution(z) == Approx(std::exp(-2.0)).epsilon(1e-6));
  CHECK(clipped_restitution(clipped_damping_ratio(0.01)) == Approx(0.01).epsilon(1e-13));  // overdamped
}

TEST_CASE("friction never exceeds mu F_n, and without dashpot the spring rests at the cap while it slides") {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int trial = 0; trial < 1000; ++trial) {
    const V u{any(random), any(random), any(random)}, spring{any(random), any(random), any(random)};
    const double normal = 500 * (1 + any(random));
    const double cap = kFriction * normal;
    REQUIRE(length(rubbed(0.7, normal, u, spring, 0.01).force) <= cap * (1 + 1e-14));  // rounding
    const Friction<double> t = rubbed(0, normal, u, spring, 0.01);
    REQUIRE(length(t.force) <= cap * (1 + 1e-14));
    if (length(t.force) > cap * (1 - 1e-12)) REQUIRE(500 * length(t.history) == Approx(cap).epsilon(1e-12));
    REQUIRE(length(viscous_friction(kTangential, kFriction, normal, u, 0.01)) <= cap * (1 + 1e-14));
  }
  CHECK(length(rubbed(0, 0, V{1, 0, 0}, V{1, 0, 0}, 0.01).history) == 0);
}

TEST_CASE("while it slides, spring and dashpot together carry the cap: the spring nears it within c/k") {
  const double damping = 0.7, dt = 1e-6, normal = 10, cap = kFriction * normal;
  V spring{0, 0, 0};
  for (int i = 1; i <= 5000; ++i) {
    spring = rubbed(damping, normal, V{100, 0, 0}, spring, dt).history;  // c u = 70 N, far beyond the cap
    const double share = 1 - std::exp(-kTangential * i * dt / damping);
    REQUIRE(kTangential * spring.x == Approx(cap * share).epsilon(1e-3));  // O(dt k/c)
  }
}

TEST_CASE("friction with a dashpot never gives energy back that it has not stored") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  const double dt = 1e-4;
  V spring{0, 0, 0};
  for (int i = 0; i < 10000; ++i) {
    const V u{any(random), any(random), 0}, old = spring;
    const Friction<double> t = rubbed(0.7, 2 + 2 * any(random), u, spring, dt);
    spring = t.history;
    const double stored = kTangential * (dot(spring, spring) - dot(old, old)) / 2;
    const V change = spring - old;
    const double late = kTangential * dot(change, change) / 2;  // the force is that of the end of the step
    REQUIRE(-dt * dot(t.force, u) - stored >= -late - 1e-18);
  }
}

TEST_CASE("an oblique impact converges with the step, and a weak dashpot changes little") {
  // Two equal spheres: m is the reduced mass, 2/7 of it counts across. With 2/7 of k_n across they would stick from the
  // start below u = mu k_n/k_t v_n; 1.2 m/s slides at first.
  const double m = 0.02, vn = 1, k = 1000;
  const auto rebound = [&](double damping, double vt, int steps) {
    const double dt = std::numbers::pi * std::sqrt(m / k) / steps;
    double d = 0, rate = vn, slip = vt;
    V spring{0, 0, 0};
    while (d >= 0) {
      d += dt * rate;
      const double load = normal_force(k, 0, d, 0);
      const Friction<double> t = rubbed(damping, load, V{slip, 0, 0}, spring, dt);
      spring = t.history;
      rate -= dt * load / m, slip += dt * t.force.x / (2 * m / 7);
    }
    return slip / vt;
  };
  const double critical = 2 * std::sqrt(kTangential * 2 * m / 7);
  for (const double vt : {0.3, 0.6, 1.2})
    for (const double ratio : {0.01, 0.1, 0.3}) {
      CAPTURE(vt, ratio);
      const double fine = rebound(ratio * critical, vt, 200000);
      CHECK(rebound(ratio * critical, vt, 200) == Approx(fine).margin(0.02));        // O(dt)
      CHECK(rebound(ratio * critical, vt, 2000) == Approx(fine).margin(0.002));      // a tenth of that
      if (ratio < 0.05) CHECK(fine == Approx(rebound(0, vt, 200000)).margin(0.06));  // 2 pi times the ratio at most
    }
}

TEST_CASE("sticking: the spring's work is its energy") {
  // u_t constant; F = -k_t s; work against it after many small steps is k_t s^2/2 up to the last step's half.
  V spring{0, 0, 0};
  const double dt = 1e-5, speed = 0.01;
  double work = 0;
  for (int i = 0; i < 1000; ++i) {
    const Friction<double> t = rubbed(0, 10, V{speed, 0, 0}, spring, dt);
    work -= (t.force.x + 500 * speed * dt / 2) * speed * dt;  // mean force of the step: F is linear in time
    spring = t.history;
  }
  CHECK(work == Approx(kTangential * dot(spring, spring) / 2).epsilon(1e-12));  // rounding
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
    const Friction<double> t = rubbed(0, normal, V{step / dt, 0, 0}, spring, dt);
    if (i >= cycle) {
      loop -= t.force.x * step;
      const double slip = step - (t.history.x - spring.x);
      dissipated -= t.force.x * slip;
    }
    spring = t.history;
  }
  CHECK(loop == Approx(4 * cap * (amplitude - limit)).epsilon(1e-3));  // O(1/steps per elastic branch)
  CHECK(loop == Approx(dissipated).epsilon(1e-3));                     // likewise: force taken at the step's end
}

TEST_CASE("viscous friction is the dashpot k_t dt below the cap and nothing at rest") {
  const double dt = 1e-4;
  CHECK(viscous_friction(kTangential, kFriction, 10.0, V{0.2, 0, 0}, dt).x == Approx(-500 * 0.2 * dt).epsilon(1e-15));
  CHECK(viscous_friction(kTangential, kFriction, 1e-6, V{0.2, 0, 0}, dt).x == Approx(-0.5e-6).epsilon(1e-15));
  CHECK(length(viscous_friction(kTangential, kFriction, 10.0, V{0, 0, 0}, dt)) == 0);
}

TEST_CASE("energy gradient is the elastic force") {
  const double h = 1e-6, d = 1e-3;
  const double slope = (linear_energy(kStiffness, d + h) - linear_energy(kStiffness, d - h)) / (2 * h);
  CHECK(slope == Approx(normal_force(kStiffness, 0, d, 0)).epsilon(1e-9));  // central difference, exact for a square
  CHECK(linear_energy(kStiffness, -d) == 0);
}
