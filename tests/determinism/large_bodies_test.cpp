// Large bodies that move and turn among grains: same bits for any number of threads, and when resumed on the way.

#include "catch.hpp"
#include "large_scene.hpp"
#include "same_bits.hpp"

using namespace scree::test;
using Json = nlohmann::json;

TEST_CASE("a ball and bars of 1 m among grains of 1 mm: same bits for 1, 2, 3 threads, and when resumed") {
  const TemporaryFolder folder;
  const std::string file = (folder / "scene.json").string();
  Json scene = Json::parse(large_scene());
  spit(file, scene.dump());
  for (const char* const integrator : {"velocity-verlet", "symplectic-euler"})
    check_same_bits({file, fmt::format("--set /integrator/type={}", integrator), 2400});

  // Both bars meet the grains in their images only. The ball is wider than the cell, and so has to stand still.
  scene["periodic"]["y"] = {-0.02, 1.06};
  scene["bodies"][3]["position"][1] = 1;
  scene["bodies"][4]["position"][1] = 0.78;
  scene["bodies"][4]["motion"]["centre"][1] = 0.78;
  for (const char* const key : {"velocity", "angular_velocity"}) scene["bodies"][2].erase(key);
  scene["bodies"][2]["fixed"] = true;
  spit(file, scene.dump());
  check_same_bits({file, "", 2400});
}
