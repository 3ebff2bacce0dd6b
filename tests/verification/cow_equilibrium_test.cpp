// 400 cows between walls: equipartition and the microcanonical law to a percent.

#include "catch.hpp"
#include "cow_gas.hpp"
#include "one_thread.hpp"

using namespace scree::test;

TEST_CASE("400 cows: time mean of E_rot/E_lin 0.5, energies distributed as Beta(3/2, 3 (N - 1)/2)") {
  const OneThread quick;
  const Equilibrium gas = equilibrium({20, 103.006, 2e4, 1e-3}, 80, 200);
  CHECK(gas.ratio == Approx(0.5).margin(0.02));
  CHECK(gas.distance < 0.02);
  CHECK(gas.worst_energy < 1e-3);
  CHECK(gas.steps_per_rebuild >= 20);
}
