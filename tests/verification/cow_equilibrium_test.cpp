// 400 cows between walls: equipartition and the microcanonical law to a percent.

#include "catch.hpp"
#include "cow_gas.hpp"
#include "one_thread.hpp"

using namespace scree::test;

// The ratio of 400 cows fluctuates by 0.04 and forgets itself within some 10 s: its mean over 520 s is known to 0.007.
TEST_CASE("400 cows: time mean of E_rot/E_lin 0.5, energies distributed as Beta(3/2, 3 (N - 1)/2)") {
  const OneThread quick;
  const Equilibrium gas = equilibrium({20, 103.006, 2e4, 1e-3}, 80, 600);
  CHECK(gas.ratio == Approx(0.5).margin(0.02));
  CHECK(gas.distance < 0.02);
  CHECK(gas.worst_energy < 5e-3);
  CHECK(gas.steps_per_rebuild >= 20);
}

// Each contact begins and ends with a kink in the force, an energy error of (omega dt)^2 with a sign by chance: they
// add up to a random walk. At 1e-3 s the largest error in 200 s is 0.6e-3 to 1.7e-3 with six seeds, here a quarter of
// that.
TEST_CASE("400 cows: energy is kept to 1e-3 over 200 s with a step of 5e-4 s") {
  const OneThread quick;
  CHECK(equilibrium({20, 103.006, 2e4, 5e-4}, 80, 200).worst_energy < 1e-3);
}
