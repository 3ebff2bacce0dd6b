#include "scree/setup/fast_bodies.hpp"

#include "catch.hpp"
#include "disc_world.hpp"

using namespace scree;
using namespace scree::test;

TEST_CASE("a body that goes farther than its diameter in one step is found, the fastest of several") {
  World world(2);
  world.add_shape("disc", std::make_shared<Disc>(0.5));
  world.add_material({"m", 1.0});
  std::vector<BodySpec> bodies(4);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].position = {5.0 * static_cast<double>(i), 0, 0};
  bodies[1].velocity = {0, -99, 0};
  bodies[2].scale = 0.1;
  bodies[2].velocity = {9, 0, 0};
  bodies[3].owner = 0;
  bodies[3].velocity = {1e4, 0, 0};
  world.add(bodies);
  CHECK(!find_fast_body(world, 0.01));  // 0.99 and 0.9 diameters
  CHECK(find_fast_body(world, 0.0105)->id == 1);
  world.velocity.write()[2] = {12, 0, 0};
  const auto found = find_fast_body(world, 0.0105);
  REQUIRE(found);
  CHECK(found->id == 2);
  CHECK(found->way == Approx(12 * 0.0105));
  CHECK(found->diameter == Approx(0.1));
}
