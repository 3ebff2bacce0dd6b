#include "power_force.hpp"

#include "batch_test.hpp"
#include "catch.hpp"
#include "elastic_law.hpp"
#include "linear_force.hpp"

using namespace scree::compliant;

TEST_CASE("power law: slope of the energy is the force, slope of the force the stiffness, p = 2 is the linear spring") {
  for (const double p : {1.5, 2.0, 2.5, 3.0})
    for (const double d : {1e-4, 1e-3, 0.2}) {
      const double h = 1e-6 * d;
      const auto at = [&](double overlap) { return power_contact(1e5, p, 0.0, overlap, 0.0); };
      const double slope = (power_energy(1e5, p, d + h) - power_energy(1e5, p, d - h)) / (2 * h);
      CHECK(at(d).force == Approx(slope).epsilon(1e-8));
      CHECK(at(d).force == Approx(1e5 * std::pow(d, p - 1)).epsilon(1e-13));
      CHECK(at(d).stiffness == Approx((at(d + h).force - at(d - h).force) / (2 * h)).epsilon(1e-8));
      CHECK(at(d).load == at(d).force);
      CHECK(at(-d).force == 0);
      CHECK(power_energy(1e5, p, -d) == 0);
    }
  CHECK(power_contact(1000.0, 2.0, 2.0, 1e-3, 0.25).force == linear_contact(1000.0, 2.0, 1e-3, 0.25).force);
  CHECK(power_contact(1000.0, 2.5, 2.0, 1e-3, 1.0).force == 0);
}

TEST_CASE("power law: a bounce lasts as long as the closed form says") {
  const double m = 0.02, v = 0.3, k = 1e4;
  CHECK(power_duration(k, 2, m, v) == Approx(linear_duration(k, m)).epsilon(1e-12));
  for (const double p : {1.5, 2.0, 2.5, 4.0}) {
    const double expected = power_duration(k, p, m, v), dt = expected / 20000;
    double d = 0, rate = v, duration = 0;
    do {
      d += dt / 2 * rate;
      rate -= dt * power_contact(k, p, 0.0, d, 0.0).force / m;
      d += dt / 2 * rate;
      duration += dt;
    } while (d > 0);
    CHECK(duration == Approx(expected).epsilon(1e-3));
    CHECK(rate == Approx(-v).epsilon(1e-6));
  }
}

TEST_CASE("power law with friction: the cap follows the power, and bits do not depend on the place in a batch") {
  const PowerLaw law({1e5, 2.5, 0.1, 1}, {TangentialParameters::Model::spring, 1e6, 0, 0.5}, 2);
  test::Batch whole(203, law.history_size());
  whole.randomize(1e-3, 1, 10, true);
  for (auto* group : {&whole.normal, &whole.velocity})
    for (double& x : (*group)[2]) x = 0;
  test::Batch part = whole;
  whole.evaluate(law);
  part.evaluate(law, 5);
  for (std::size_t i = 5; i < 203; ++i) {
    const test::V f = test::Batch::at(whole.force, i), n = test::Batch::at(whole.normal, i);
    REQUIRE(part.force[0][i] == whole.force[0][i]);
    REQUIRE(part.force[1][i] == whole.force[1][i]);
    const double along = dot(f, n), across = test::length(f - along * n);
    const double expected =
        power_contact(1e5, 2.5, 0.1, whole.overlap[i],
                      test::damped_speed(whole.overlap[i], dot(n, test::Batch::at(whole.velocity, i)), whole.dt))
            .force;
    REQUIRE(along == Approx(expected).margin(1e-12));
    REQUIRE(across <= 0.5 * expected * (1 + 1e-12) + 1e-300);
  }
}
