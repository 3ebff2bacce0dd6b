#include "hertz_force.hpp"

#include <numbers>

#include "batch_test.hpp"
#include "catch.hpp"
#include "friction.hpp"
#include "restitution.hpp"

using namespace scree::compliant;
using namespace scree::compliant::test;

namespace {

struct HertzBounce {
  double restitution, duration, depth, force;
};

/// Head-on collision at speed v, classical Runge-Kutta, `steps` steps per elastic contact.
HertzBounce bounce(double modulus, double damping_ratio, double m, double r, double v, int steps) {
  const double dt = hertz_duration(modulus, m, r, v) / steps;
  const auto force = [&](double d, double rate) { return hertz_contact(modulus, damping_ratio, m, r, d, -rate).force; };
  double d = 0, rate = v, f = 0;
  HertzBounce b{0, 0, 0, 0};
  do {
    const double v1 = rate, a1 = -force(d, v1) / m;
    const double v2 = rate + dt / 2 * a1, a2 = -force(d + dt / 2 * v1, v2) / m;
    const double v3 = rate + dt / 2 * a2, a3 = -force(d + dt / 2 * v2, v3) / m;
    const double v4 = rate + dt * a3, a4 = -force(d + dt * v3, v4) / m;
    d += dt / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    rate += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    f = force(d, rate);
    b.duration += dt;
    b.depth = std::max(b.depth, d);
    b.force = std::max(b.force, f);
  } while (f > 0);
  b.restitution = -rate / v;
  return b;
}

}  // namespace

TEST_CASE("elastic Hertz impact: depth, force and duration of Chung and Ooi's tests 1 and 2") {
  // Reference values of head-on collisions; masses from radius and density. Rigid walls add no compliance.
  const double rigid = std::numeric_limits<double>::infinity();
  const struct {
    const char* name;
    double e, nu, other_e, other_nu, m, r, v, modulus, depth, force, duration;
  } table[] = {
      {"T1 glass", 48e9, 0.2, 48e9, 0.2, 5.86431e-3, 0.005, 20, 2.5e10, 274.113e-6, 10696.9, 40.3395e-6},
      {"T1 limestone", 20e9, 0.25, 20e9, 0.25, 5.23599e-3, 0.005, 20, 1.06667e10, 368.304e-6, 7108.24, 54.2010e-6},
      {"T2 Al alloy", 70e9, 0.3, rigid, 0, 11.3055, 0.1, 0.2, 7.69231e10, 49.7172e-6, 11369.9, 731.657e-6},
      {"T2 Mg alloy", 40e9, 0.35, rigid, 0, 7.53982, 0.1, 0.2, 4.55840e10, 52.1233e-6, 7232.68, 767.066e-6},
  };
  for (const auto& t : table) {
    const double modulus = elasticity(t.e, t.nu, t.other_e, t.other_nu).normal;
    const HertzBounce b = bounce(modulus, 0, t.m, t.r, t.v, 2000);
    CAPTURE(t.name, modulus, b.depth, b.force, b.duration, b.restitution);
    CHECK(modulus == Approx(t.modulus).epsilon(1e-5));      // figures of the table
    CHECK(b.depth == Approx(t.depth).epsilon(1e-5));        // its figures
    CHECK(b.force == Approx(t.force).epsilon(1e-5));        // likewise
    CHECK(b.duration == Approx(t.duration).epsilon(1e-3));  // one step of 2000, and the gate
    CHECK(hertz_duration(modulus, t.m, t.r, t.v) == Approx(t.duration).epsilon(1e-5));
    CHECK(b.restitution == Approx(1).epsilon(1e-5));
  }
}

TEST_CASE("Tsuji's dashpot gives the restitution asked for, at every speed") {
  for (const double asked : {0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 0.98}) {
    const double ratio = clipped_damping_ratio(asked);
    for (const double v : {0.01, 0.3, 20.0}) {
      const double e = bounce(2.5e10, ratio, 5.86e-3, 0.005, v, 2000).restitution;
      CAPTURE(asked, v, e);
      CHECK(e == Approx(asked).epsilon(1e-3));  // dt; the map to the linear oscillator is exact
    }
  }
  // The standard formula, whose restitution holds if the contact may pull: what it gives here (second table column).
  const double table[][2] = {{0.455950, 0.32486}, {0.215454, 0.55028}, {0.070850, 0.80810}};
  for (const auto& [ratio, expected] : table)
    CHECK(bounce(2.5e10, ratio, 5.86e-3, 0.005, 1, 2000).restitution == Approx(expected).epsilon(1e-3));
}

TEST_CASE("elastic Hertz: velocity Verlet's energy error falls by four when dt is halved") {
  const double modulus = 1e7, m = 0.01, r = 0.005, v = 0.5;
  const auto error = [&](int steps) {
    const double dt = hertz_duration(modulus, m, r, v) / steps;
    double d = 0, rate = v, f = 0, worst = 0;
    for (int i = 0; i < steps; ++i) {
      rate -= dt / 2 * f / m;
      d += dt * rate;
      f = hertz_contact(modulus, 0.0, m, r, d, -rate).force;
      rate -= dt / 2 * f / m;
      worst = std::max(worst, std::abs(m * rate * rate / 2 + hertz_energy(modulus, r, d) - m * v * v / 2));
    }
    return worst;
  };
  for (const int steps : {100, 200, 400}) {
    const double ratio = error(steps) / error(2 * steps);
    CHECK(ratio > 3.5);  // 4 but for the d^1.5 at first touch
    CHECK(ratio < 4.5);
  }
}

TEST_CASE("Hertz: the gradient of the energy is the force, that of the force the stiffness") {
  const double modulus = 3e7, r = 0.004, h = 1e-9;
  for (const double d : {1e-6, 1e-5, 1e-4}) {
    const auto at = [&](double depth) { return hertz_contact(modulus, 0.0, 1.0, r, depth, 0.0); };
    const double slope = (hertz_energy(modulus, r, d + h) - hertz_energy(modulus, r, d - h)) / (2 * h);
    CHECK(slope == Approx(at(d).force).epsilon(1e-6));  // rounding of the difference, and h^2
    CHECK((at(d + h).force - at(d - h).force) / (2 * h) == Approx(at(d).stiffness).epsilon(1e-6));
    CHECK(at(d).force == Approx(4.0 / 3 * modulus * std::sqrt(r) * std::pow(d, 1.5)).epsilon(1e-14));
    CHECK(hertz_contact(modulus, 0.0, 1.0, -r, d, 0.0).force == at(d).force);  // hollow: the size counts
  }
  CHECK(hertz_contact(modulus, 0.5, 1.0, r, -1e-5, -3.0).force == 0);
  CHECK(hertz_contact(modulus, 0.5, 1.0, r, 1e-5, 1e3).force == 0);  // never pulls
  CHECK(hertz_energy(modulus, r, -1e-5) == 0);
}

TEST_CASE("like materials: k_t/k_n = 2 (1 - nu)/(2 - nu), and a rigid side adds nothing") {
  for (const double nu : {0.0, 0.2, 0.5}) {
    const Elasticity<double> pair = elasticity(7e10, nu, 7e10, nu);
    CHECK(4 * pair.tangential / pair.normal == Approx(2 * (1 - nu) / (2 - nu)).epsilon(1e-14));  // Mindlin 1949
    const Elasticity<double> wall = elasticity(7e10, nu, std::numeric_limits<double>::infinity(), 0.0);
    CHECK(wall.normal == Approx(7e10 / (1 - nu * nu)).epsilon(1e-14));
    CHECK(wall.tangential == Approx(2 * pair.tangential).epsilon(1e-14));
  }
}

TEST_CASE("Mindlin's increments: slope k_t, plateau mu F_n, and the loop's area is what slides away") {
  const double k = 500, cap = 0.5, limit = cap / k, amplitude = 3 * limit, dt = 1e-5;
  const int cycle = 100000;
  V elastic{0, 0, 0};
  double loop = 0, dissipated = 0, largest = 0;
  for (int i = 0; i < 2 * cycle; ++i) {
    const double w = 2 * std::numbers::pi / cycle;
    const double step = amplitude * (std::sin(w * (i + 1)) - std::sin(w * i));
    const Friction<double> t = mindlin_friction(k, 0.0, cap, V{step / dt, 0, 0}, elastic, 1e-3, 1e-3, dt);
    if (i == 0) CHECK(t.force.x == Approx(-k * step).epsilon(1e-14));
    if (i >= cycle) {
      loop -= t.force.x * step;
      dissipated -= t.force.x * (step - (t.history.x - elastic.x) / k);
    }
    largest = std::max(largest, length(t.force));
    elastic = t.history;
  }
  CHECK(largest == Approx(cap).epsilon(1e-14));
  CHECK(loop == Approx(4 * cap * (amplitude - limit)).epsilon(1e-3));  // O(1/steps per elastic branch)
  CHECK(loop == Approx(dissipated).epsilon(1e-3));
}

TEST_CASE("press, shear, release, shear back: Mindlin's increments gain no energy") {
  // k_t follows the radius of the contact area. Work done on the shear spring, summed over closed cycles of slip and
  // radius, is never negative; force on the way by the trapezoidal rule, exact between changes of the radius.
  const double per_radius = 1e6, dt = 1e-4, slip = 1e-6, narrow = 0.5e-3, wide = 1e-3;
  const int n = 1000;
  V elastic{0, 0, 0};
  double work = 0, last = narrow;
  const auto move = [&](double step, double radius) {
    const double before = elastic.x * smaller(radius / last, 1.0);
    elastic = mindlin_friction(per_radius * radius, 0.0, 1e9, V{step / dt, 0, 0}, elastic, radius, last, dt).history;
    work += (before + elastic.x) / 2 * step;
    last = radius;
  };
  const auto cycle = [&](double first, double second) {
    for (int i = 0; i < n; ++i) move(slip / n, first);
    for (int i = 1; i <= n; ++i) move(0, first + (second - first) * i / n);
    for (int i = 0; i < n; ++i) move(-slip / n, second);
    for (int i = 1; i <= n; ++i) move(0, second + (first - second) * i / n);
  };
  for (int round = 0; round < 3; ++round) {
    cycle(narrow, wide);  // press between shear and back
    CHECK(work > -1e-20);
  }
  work = 0, elastic = {0, 0, 0};
  for (int i = 0; i < n; ++i) move(slip / n, wide);
  for (int i = 1; i <= n; ++i) move(0, wide + (narrow - wide) * i / n);
  CHECK(elastic.x == Approx(per_radius * narrow * slip).epsilon(1e-12));  // released: as if sheared when narrow
  for (int i = 0; i < n; ++i) move(-slip / n, narrow);
  CHECK(elastic.x == Approx(0).margin(1e-12 * per_radius * wide * slip));
  CHECK(work == Approx(per_radius * (wide - narrow) * slip * slip / 2).epsilon(1e-9));  // what the release lost
}

TEST_CASE("while it slides, Mindlin's spring and dashpot together carry the cap: the force nears it within c/k") {
  const double k = 500, damping = 0.7, dt = 1e-6, cap = 5;
  V elastic{0, 0, 0};
  for (int i = 1; i <= 5000; ++i) {
    const Friction<double> t = mindlin_friction(k, damping, cap, V{100, 0, 0}, elastic, 1e-3, 1e-3, dt);
    REQUIRE(t.force.x == Approx(-cap).epsilon(1e-12));
    elastic = t.history;
    REQUIRE(elastic.x == Approx(cap * (1 - std::exp(-k * i * dt / damping))).epsilon(1e-3));  // O(dt k/c)
  }
}
