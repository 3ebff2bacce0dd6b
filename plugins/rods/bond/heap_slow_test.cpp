// A larger heap of fibres with rigid contact and implicit bonds.

#include "catch.hpp"
#include "heap_scene.hpp"
#include "test_scene.hpp"

using namespace scree;
using namespace scree::rods::test;

TEST_CASE("a hundred fibres that were dropped come to rest, in few iterations from then on") {
  Simulation s =
      made(kHeap, {"/bodies/0/packing/roots/count=100", "/bodies/0/packing/roots/radius=0.028",
                   "/bodies/0/packing/roots/centre=[0, 0.01, 0.005]", "/shapes/box/half_sizes=[0.045, 0.045, 0.1]"});
  s.run_until(0.25);
  const double solved_late = figures(s, {"solver_unconverged_steps_total"});
  double deepest = 0, before = HUGE_VAL, iterations = 0;
  for (int k = 0; k < 250; ++k) {
    s.step(1);
    deepest = std::max(deepest, figures(s, {"max_overlap_m"}));
    iterations += figures(s, {"solver_sweeps", "split_admm_iterations"}) / 250;
    if (k % 50 != 49) continue;
    const double energy = figures(s, {"kinetic_energy_J", "potential_energy_J", "elastic_energy_J"});
    CHECK(energy <= before * (1 + 1e-4));
    before = energy;
  }
  INFO("overlap " << deepest << " m, " << iterations << " sweeps or iterations per step, speed " << largest_speed(s));
  CHECK(figures(s, {"solver_unconverged_steps_total"}) == solved_late);
  CHECK(deepest < 1e-4);
  CHECK(iterations < 60);  // of two Newton iterates: 30 each
  CHECK(largest_speed(s) < 5e-3);
}
