// A small grain between two large ones: it rolls off in the same time under every integrator, at forces of its weight.

#include <utility>

#include "neck.hpp"

namespace scree::test::neck_test {

TEST_CASE("a grain on the neck of two larger spheres leaves it, as soon under every integrator") {
  // Rigid friction alone may hold a grain much smaller than the spheres for ever; there rk4 is the reference, which has
  // velocities and contacts of one moment. 1 % is what bounces at the end make, and overlaps.
  const std::string verlet = R"("type": "velocity-verlet")", euler = R"("type": "symplectic-euler")",
                    rk4 = R"("type": "rk4")";
  for (const double ratio : {3.0, 20.0}) {
    const Neck neck{ratio};
    const double fine = neck.contact_time() / 12;
    const Left reference = ratio < 10 ? Left(neck, R"({"type": "coulomb", "friction": 0.5})",
                                             R"("type": "moreau-jean")", neck.time() / 1000)
                                      : Left(neck, neck.linear(), rk4, fine);
    REQUIRE(reference.time > 0);
    for (const auto& [name, options] : {std::pair("velocity-verlet", verlet), std::pair("symplectic-euler", euler),
                                        std::pair("rk4, exact springs", rk4 + R"(, "exact_springs": true)")}) {
      const Left left(neck, neck.linear(), options, fine);
      compare(fmt::format("neck, 1:{}, linear, {}", ratio, name), "leaves after [(height/g)^(1/2)]", reference.time,
              left.time, 0.01);
      compare("", "largest force, over that at the start", 1, left.largest, 0.1);
    }
  }
}

}  // namespace scree::test::neck_test
