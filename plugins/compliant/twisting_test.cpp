// The couple against twist: a sphere that spins on a plane about the vertical.

#include "twisting.hpp"

#include "batch_test.hpp"
#include "catch.hpp"
#include "termed_law.hpp"

using namespace scree;
using namespace scree::compliant;
using namespace scree::compliant::test;

namespace {

constexpr double kTwistMu = 0.4, kTwistDepth = 1e-5, kTwistRadius = 2e-3;

TermedLaw<LinearLaw> twisting_law(double damping, const RollingParameters& rolling = {}) {
  return {LinearLaw({1e4, 0, -1}, {TangentialParameters::Model::spring, 5e3, damping, 0.5}, 3, rolling),
          Terms{{}, 0, {}, kTwistMu}};
}

}  // namespace

TEST_CASE("twist: the sphere stops after (2/5 m R^2) w/(2/3 mu a N), and then stays") {
  const double mass = 4. / 3 * std::numbers::pi * std::pow(kTwistRadius, 3) * 2500;
  const double inertia = 0.4 * mass * kTwistRadius * kTwistRadius, a = std::sqrt(kTwistRadius * kTwistDepth);
  const double load = 1e4 * kTwistDepth, cap = 2. / 3 * kTwistMu * a * load;
  const TermedLaw<LinearLaw> law = twisting_law(1);
  REQUIRE(law.needs().moment);
  REQUIRE(law.history_size() == 5);
  Batch batch(1, law.history_size());
  batch.overlap[0] = kTwistDepth, batch.radius[0] = kTwistRadius, batch.dt = 1e-6;
  double spin = 500, time = 0;
  const double expected = inertia * spin / cap;
  while (spin > 0 && time < 2 * expected) {
    batch.set(batch.spin, 0, {spin, 0, 0});
    batch.evaluate(law);
    REQUIRE(std::abs(batch.moment[0][0]) <= cap * (1 + 1e-12));
    spin += batch.dt * batch.moment[0][0] / inertia, time += batch.dt;
  }
  CHECK(time == Approx(expected).epsilon(2e-2));  // the couple grows and ends as a spring
  CHECK(batch.energy[0] ==
        Approx(1e4 * kTwistDepth * kTwistDepth / 2 + std::pow(batch.history[3][0], 2) / (5e3 * a * a)).epsilon(1e-12));
  for (int k = 0; k < 400000; ++k) {
    batch.set(batch.spin, 0, {spin, 0, 0});
    batch.evaluate(law);
    spin += batch.dt * batch.moment[0][0] / inertia;
  }
  CHECK(std::abs(spin) < 0.5);
}

TEST_CASE("twist: it adds to rolling, shrinks with the area, and a gap has none") {
  const RollingParameters rolling{RollingParameters::Model::elastic_plastic, 0.1, 2.25, 0.3};
  const TermedLaw<LinearLaw> both = twisting_law(0, rolling);
  const LinearLaw plain({1e4, 0, -1}, {TangentialParameters::Model::spring, 5e3, 0, 0.5}, 3, rolling);
  Batch wound(1, both.history_size()), rolled(1, plain.history_size());
  for (Batch* batch : {&wound, &rolled}) {
    batch->overlap[0] = kTwistDepth, batch->radius[0] = kTwistRadius, batch->dt = 1e-6;
    batch->set(batch->spin, 0, {3, 4, 0});
  }
  wound.evaluate(both), rolled.evaluate(plain);
  CHECK(wound.moment[1][0] == rolled.moment[1][0]);
  const double k = 5e3 * kTwistRadius * kTwistDepth / 2;
  CHECK(wound.moment[0][0] - rolled.moment[0][0] == Approx(-k * 3e-6).epsilon(1e-12));
  wound.set(wound.spin, 0, {0, 0, 0});
  wound.overlap[0] = kTwistDepth / 2;
  wound.evaluate(both);
  CHECK(wound.moment[0][0] == Approx(-k / 2 * 3e-6).epsilon(1e-12));
  wound.overlap[0] = -kTwistDepth;
  wound.evaluate(both);
  CHECK(wound.moment[0][0] == 0);
  CHECK(wound.history[6][0] == 0);
}
