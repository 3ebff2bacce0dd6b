// A pile at rest under rigid contact: it creeps by what the solver's tolerance leaves, and rest needs slop.

#include "catch.hpp"
#include "one_thread.hpp"
#include "pile.hpp"

using namespace scree;
using namespace scree::test;

TEST_CASE("a pile at rest creeps in proportion to the tolerance, below 1e-9 m/s at 1e-8, in a few sweeps per step") {
  const OneThread one;
  constexpr double kSlop = 1e-4, kTime = 0.1;
  Pile pile({6, 6, 8});
  pile.settle(0.4, kSlop);
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    pile.ask({tolerance, kSlop});
    pile.run(kTime / 2);
    Effort warm;
    const Creep creep = pile.creep(kTime, warm);
    pile.ask({tolerance, kSlop, false, 1000});
    const Effort cold = pile.run(Pile::kStep);
    WARN(fmt::format(
        "tolerance {:.0e}: creep {:.1e} m/s (median), {:.1e} (nine of ten), {:.1e} (largest); {:.1f} sweeps "
        "warm, {:.0f} cold",
        tolerance, creep.beads.median, creep.beads.nine_of_ten, creep.beads.largest, warm.sweeps, cold.sweeps));
    CHECK(warm.unconverged == 0);
    // An error of 1 would let a bead fall freely: g dt = 5 mm/s.
    CHECK(creep.beads.median < 9.81 * Pile::kStep * 10 * tolerance);
    CHECK(cold.sweeps > 3 * warm.sweeps);
    if (tolerance == 1e-8) CHECK(creep.beads.nine_of_ten < 1e-9);
  }
  // The same pile, where every gap of a millionth of a radius has to close.
  pile.ask({1e-8, 0});
  const Effort without = pile.run(20 * Pile::kStep);
  WARN("without slop: " << without.sweeps << " sweeps per step, " << without.unconverged << " of 20 steps missed");
  CHECK(without.unconverged >= 10);
}
