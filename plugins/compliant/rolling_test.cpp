#include "rolling.hpp"

#include <numbers>

#include "batch_test.hpp"
#include "catch.hpp"

using namespace scree::compliant;
using namespace scree::compliant::test;

TEST_CASE("constant couple: mu_r R N against the spin, but no more than stops it in one step") {
  const V fast = constant_rolling(0.3, 2.0, 0.1, V{0, 5, 0}, 1e-4);
  CHECK(fast.y == Approx(-0.3).epsilon(1e-15));
  const V slow = constant_rolling(0.3, 2.0, 0.1, V{0, 1e-6, 0}, 1e-4);
  CHECK(slow.y == Approx(-0.4 * 2 * 0.01 * 1e-6 / 1e-4).epsilon(1e-14));
  CHECK(length(constant_rolling(0.3, 2.0, 0.1, V{0, 0, 0}, 1e-4)) == 0);
}

TEST_CASE("elastic-plastic rolling: slope k_r, a dashpot, and never more than mu_r R N") {
  const double k = 50, cap = 0.02, dt = 1e-4, c = 0.1, rate = 0.01;
  V elastic{0, 0, 0};
  for (int i = 1; i <= 1000; ++i) {
    const Rolling<double> m = elastic_plastic_rolling(k, c, cap, V{0, rate, 0}, elastic, dt);
    REQUIRE(m.moment.y == Approx(-std::min(k * rate * dt * i + c * rate, cap)).epsilon(1e-12));  // sums of 1000 steps
    REQUIRE(m.history.y == Approx(std::min(k * rate * dt * i, cap)).epsilon(1e-12));
    elastic = m.history;
  }
  // Even where the dashpot alone would be above the cap.
  CHECK(elastic_plastic_rolling(k, 100.0, cap, V{0, 5, 0}, V{0, 0, 0}, dt).moment.y == Approx(-cap).epsilon(1e-14));
}

TEST_CASE("rolling cycle: the loop's area is what the plastic part dissipates") {
  const double k = 50, cap = 0.02, limit = cap / k, amplitude = 4 * limit, dt = 1e-4;
  const int cycle = 40000;
  V elastic{0, 0, 0};
  double loop = 0;
  for (int i = 0; i < 2 * cycle; ++i) {
    const double w = 2 * std::numbers::pi / cycle, step = amplitude * (std::sin(w * (i + 1)) - std::sin(w * i));
    const Rolling<double> m = elastic_plastic_rolling(k, 0.0, cap, V{0, step / dt, 0}, elastic, dt);
    if (i >= cycle) loop -= m.moment.y * step;
    elastic = m.history;
  }
  CHECK(loop == Approx(4 * cap * (amplitude - limit)).epsilon(1e-3));  // O(1/steps per elastic branch)
}
