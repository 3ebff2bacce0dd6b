// A pile at rest under rigid contact: it creeps by what the solver's tolerance leaves, and rest needs slop.

#include "catch.hpp"
#include "one_thread.hpp"
#include "pile.hpp"

using namespace scree;
using namespace scree::test;

TEST_CASE(
    "the contact of a ball that rolls down an incline does not slip, that of one that slides does as Coulomb has it") {
  const OneThread one;
  constexpr double kDt = 1e-3, kAngle = 0.35, kGravity = 9.81;
  constexpr int kSteps = 100;
  const double along = kGravity * std::sin(kAngle), down = kGravity * std::cos(kAngle), time = kSteps * kDt;
  for (const double friction : {0.5, 0.05}) {  // it rolls from tan(angle) = 7/2 mu on: 0.104
    Running running(fmt::format(R"({{"dimension": 3, "gravity": [{}, 0, {}], "materials": {{"m": {{"density": 2500}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": 0.05}}, "floor": {{"type": "half-space", "extent": 1}}}},
"bodies": [{{"shape": "ball", "material": "m", "position": [0, 0, 0.05]}},
           {{"shape": "floor", "material": "m", "fixed": true}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "coulomb", "friction": {}}}}}],
"integrator": {{"type": "moreau-jean", "dt": {}, "tolerance": 1e-10}}, "output": {{"writers": []}},
"run": {{"duration": 1}}}})",
                                along, -down, friction, kDt));
    World& world = running.world();
    running.prepared.methods.integrator->columns(world);
    ImpulseProblem& cones = ability<ImpulseProblem>(mechanics_of(running.prepared));
    ContactSlip slip(kDt, 0, 0.2, 1e-6);
    for (int s = 0; s < kSteps; ++s) {
      slip.before(world, cones.contacts(kDt));
      running.steps(1);
      slip.after(world, cones.contacts(kDt));
    }
    // Both speed up evenly; the sum over ends of steps is that of time from rest, and half a step more.
    const double mean = 0.5 * (1 + 1.0 / kSteps) * time;
    const double moved = world.position.read()[*world.row(0)][0] / time;
    const Spread sticking = slip.sticking(time), limit = slip.at_the_limit(time);
    if (friction > 0.104) {
      CHECK(moved == Approx(5. / 7 * along * mean).epsilon(1e-6));
      REQUIRE(sticking.count == 1);
      CHECK(sticking.largest < 1e-9 * moved);
      CHECK(limit.count == 0);
    } else {
      REQUIRE(limit.count == 1);
      CHECK(limit.largest == Approx((along - 3.5 * friction * down) * mean).epsilon(1e-6));
      CHECK(sticking.count == 0);
    }
  }
}

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
    const Effort cold = pile.cold_step({tolerance, kSlop, 1000});
    WARN(fmt::format(
        "tolerance {:.0e}: creep {:.1e} m/s (median), {:.1e} (nine of ten), {:.1e} (largest); of {} contacts that "
        "stick "
        "{:.1e}, {:.1e}, {:.1e}; {:.1f} sweeps warm, {:.0f} cold",
        tolerance, creep.beads.median, creep.beads.nine_of_ten, creep.beads.largest, creep.sticking.count,
        creep.sticking.median, creep.sticking.nine_of_ten, creep.sticking.largest, warm.sweeps, cold.sweeps));
    CHECK(warm.unconverged == 0);
    // An error of 1 would let a bead fall freely: g dt = 5 mm/s.
    CHECK(creep.beads.median < 9.81 * Pile::kStep * 10 * tolerance);
    CHECK(cold.sweeps > 3 * warm.sweeps);
    CHECK(creep.sticking.count > 500);
    CHECK(creep.sticking.median < 9.81 * Pile::kStep * 10 * tolerance);
    if (tolerance == 1e-8) {
      CHECK(creep.beads.nine_of_ten < 1e-9);
      CHECK(creep.sticking.nine_of_ten < 2e-10);
      CHECK(creep.sticking.largest < 1e-9);
    }
  }
  // The same pile, where every gap of a millionth of a radius has to close.
  pile.ask({1e-8, 0});
  const Effort without = pile.run(20 * Pile::kStep);
  WARN("without slop: " << without.sweeps << " sweeps per step, " << without.unconverged << " of 20 steps missed");
  CHECK(without.unconverged >= 10);
}
