// The set of contacts that a solver of impulses is given where faces lie on faces, and what sliding over joints costs.

#include "rigid_scene.hpp"

using namespace scree;
using namespace scree::test;

TEST_CASE("a face on a face is one contact at each end with corner weight 3, and further ones nearby with 0 and 2") {
  const auto counts = [](int corner_weight, double shift, double tilt) {
    RigidScene s("box_stack",
                 {fmt::format("/interactions/0/detector/corner_weight={}", corner_weight),
                  fmt::format("/bodies/0/packing={{\"type\": \"list\", \"places\": [{{\"position\": [0, 0.05]}}, "
                              "{{\"position\": [{}, {}], \"orientation\": {}}}]}}",
                              shift, 0.15 + 0.045 * tilt, tilt)});
    std::size_t count = 0;
    for (const ConeContact& c : s.contacts()) count += c.a == s.row(0) && c.b == s.row(1);
    return count;
  };
  for (const double tilt : {0.0, 1e-3, -1e-3})
    for (const double shift : {0.0, 1e-9, -1e-9, 1e-4, 0.003, -0.003, 0.02}) {
      INFO("shift " << shift << " m, tilt " << tilt);
      CHECK(counts(3, shift, tilt) == 2);
      // Corners that pass each other are seen as such besides, within the margin: true constraints, but idle ones.
      const std::size_t more = std::abs(shift) > 0.01 || (shift == 0 && tilt == 0) ? 2 : 4;
      CHECK(counts(0, shift, tilt) == more);
      CHECK(counts(2, shift, tilt) == more);
    }
}

TEST_CASE("sliding from tile to tile costs a speed that vanishes with the way per step over the radius") {
  // A round corner ahead is a contact with a slanting normal; a step sees its tangent, which stands above it.
  double lost[2];
  for (const int finer : {0, 1}) {
    RigidScene s("tiles", {fmt::format("/integrator/dt={}", finer ? 1e-4 : 1e-3)});
    s.until(0.4);
    lost[finer] = 1 - s.velocity(0).x() / 0.5;
    fmt::print("block over a joint of tiles, way per step = {} radius: {:.1e} of its speed lost\n", finer ? 0.05 : 0.5,
               lost[finer]);
    CHECK(std::abs(s.spin(0).z()) < 1e-6);
  }
  CHECK(lost[0] < 0.02);
  CHECK(lost[1] < 2e-4);
}
