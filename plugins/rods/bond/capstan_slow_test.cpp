// A cable of many links over a drum.

#include "capstan_scene.hpp"
#include "catch.hpp"

using namespace scree;
using namespace scree::rods::test;

TEST_CASE("a cable of 36 links slips where the capstan's law for links says, to 0.3 percent") {
  // exp(mu pi R/(R + r)) = 2.55671 for a smooth cable, 2.55255 for this one.
  const double below = sinks(36, 2.55255, 0.997), above = sinks(36, 2.55255, 1.003);
  INFO("speeds " << below << ", " << above << " m/s");
  CHECK(std::abs(below) < 5e-6);
  CHECK(above > 1e-4);
}
