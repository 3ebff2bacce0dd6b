#include "lennard_jones_force.hpp"

#include <numbers>

#include "batch_test.hpp"
#include "catch.hpp"
#include "elastic_law.hpp"

using namespace scree::compliant;

namespace {

constexpr LennardJones<double> kPotential{2e-3, 1e-3, 1.5e-3};

}  // namespace

TEST_CASE("lennard-jones: slope of the energy is the force, from the range to the held core") {
  for (double d = -1.6e-3; d < 1.2e-3; d += 1.7e-5) {
    const double h = 1e-10, slope = (kPotential.energy(d + h) - kPotential.energy(d - h)) / (2 * h);
    const double scale = std::max(std::abs(kPotential.force(d)), kPotential.depth / kPotential.distance);
    CHECK(std::abs(kPotential.force(d) - slope) < 2e-6 * scale);
  }
}

TEST_CASE("lennard-jones: the well, the shift and the end at the range") {
  const double e = kPotential.depth, x0 = kPotential.distance;
  const double s6 = std::pow(1 / 2.5, 6), force_at_end = 12 * e / (2.5 * x0) * (s6 * s6 - s6);
  CHECK(kPotential.force(0) == Approx(-force_at_end).epsilon(1e-12));
  CHECK(kPotential.force(0) < 0.02 * e / x0);  // the well is at touch but for the shift
  CHECK(kPotential.energy(0) == Approx(-e - e * (s6 * s6 - 2 * s6) - 1.5 * x0 * force_at_end).epsilon(1e-12));
  CHECK(kPotential.force(-1.5e-3) == 0);
  CHECK(kPotential.energy(-1.5e-3) == 0);
  CHECK(std::abs(kPotential.force(-1.49999e-3)) < 1e-5 * e / x0);
  CHECK(std::abs(kPotential.energy(-1.49999e-3)) < 1e-10 * e);
  CHECK(kPotential.force(-0.5e-3) < 0);
  CHECK(kPotential.force(0.2e-3) > 0);
  CHECK(kPotential.force(2e-3) == kPotential.force(0.75e-3));
  const double h = 1e-9;
  const double kinetic = 20 * e, turn = x0 * (1 - std::pow(1 + std::sqrt(1 + kinetic / e), -1.0 / 6));
  CHECK(kPotential.bare_energy(x0 - turn) == Approx(kinetic).epsilon(1e-10));
  CHECK(kPotential.stiffness_at_turn(kinetic) ==
        Approx((kPotential.force(turn + 1e-9) - kPotential.force(turn - 1e-9)) / 2e-9).epsilon(1e-4));
  CHECK(kPotential.stiffness() == Approx((kPotential.force(h) - kPotential.force(-h)) / (2 * h)).epsilon(1e-4));
}

TEST_CASE("lennard-jones: small swings in the well last as long as the law says, and keep their energy") {
  const LennardJonesLaw law({kPotential}, {TangentialParameters::Model::none, 0, 0, 0}, 3);
  CHECK(law.range() == 1.5e-3);
  CHECK(law.history_size() == 0);
  const double m = 1e-3, half = law.contact_duration(m, 1), dt = half / 2000;
  test::Batch one(1);
  double bottom = 0;  // of the shifted well
  for (int i = 0; i < 20; ++i) bottom -= kPotential.force(bottom) / kPotential.stiffness();
  double d = bottom + 1e-6, rate = 0, energy = 0, first = 0, time = 0;
  do {
    d += dt / 2 * rate;
    one.overlap[0] = d;
    one.evaluate(law);
    rate -= dt * one.force[0][0] / m;
    d += dt / 2 * rate;
    time += dt;
    one.overlap[0] = d;
    one.evaluate(law);
    energy = one.energy[0] + m * rate * rate / 2;
    if (first == 0) first = energy;
  } while (rate < 0);
  CHECK(time == Approx(half).epsilon(2e-2));
  CHECK(energy - first == Approx(0).margin(1e-5 * (kPotential.stiffness() * 1e-12)));
}
