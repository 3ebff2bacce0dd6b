// A small grain between two large ones: it rolls off in the same time under every integrator, at forces of its weight.

#include "neck.hpp"

using namespace scree;
using namespace scree::test;

TEST_CASE("a grain on the neck of two spheres twenty times as large leaves it, as soon under every integrator") {
  const Neck neck{20};
  // Where friction could hold the grain all the same, impulses of the step before would squeeze it for ever.
  const double fine = neck.contact_time() / 12, coarse = neck.time() / 1000;
  const Left rigid(neck, R"({"type": "coulomb", "friction": 0.5})", R"("type": "moreau-jean", "warm_start": false)",
                   coarse);
  REQUIRE(rigid.time > 0);
  const struct {
    std::string name, options;
  } integrators[] = {{"velocity-verlet", R"("type": "velocity-verlet")"},
                     {"symplectic-euler", R"("type": "symplectic-euler")"},
                     {"rk4", R"("type": "rk4", "exact_springs": true)"}};
  for (const auto& [name, options] : integrators) {
    const Left left(neck, neck.linear(), options, fine);
    // Rolling without stiffness and its overlaps; 1 % is what bounces at the end make.
    compare(fmt::format("neck, 1:20, linear, {}", name), "leaves after [(height/g)^(1/2)]", rigid.time, left.time,
            0.03);
    compare("", "largest force, over that at the start", 1, left.largest, 0.1);
  }
}
