// 64 cows between walls: their energy spreads evenly over translation and rotation.

#include "cow_gas.hpp"
#include "catch.hpp"
#include "one_thread.hpp"
#include "verify.hpp"

using namespace scree::test;

TEST_CASE("64 cows that start without spin come to equipartition and to the microcanonical law") {
  const OneThread quick;
  // At 1 m/s the mean ratio of 160 s scatters by 0.03 from seed to seed. At 3 m/s there are three times the encounters.
  const Equilibrium gas = equilibrium({8, 41.2, 1e5, 5e-4, 3}, 20, 200);
  verify("rotational over translational energy", 0.5, gas.ratio, 0.1);
  verify("distance from the distribution Beta(3/2, 3 (N - 1)/2)", 0, gas.distance, 0.06);
  verify("energy error", 0, gas.worst_energy, 2e-2);  // a random walk of encounters, see cow_equilibrium_test.cpp
  CHECK(gas.steps_per_rebuild >= 20);
}
