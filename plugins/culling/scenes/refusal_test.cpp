/// \file Scenes that granular-culling cannot work with are refused before the first step, by name.

#include "scenes_of_granules.hpp"
#include "scree/base/error.hpp"

using namespace scree;
using namespace scree::culling::test;
using scree::test::Running;

namespace {

std::string fault(const GranularScene& scene, const std::vector<std::string>& sets = {}) {
  try {
    Running run(scene.text(), sets);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

const std::string kTwo = R"({"type": "lattice", "lower": [0, 0, 0], "counts": [2, 1, 1], "spacing": 0.02})";
const std::string kBlock = R"(, {"name": "blocks", "shape": "block", "material": "g", "position": [0, 0, 1]})";

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a moving body whose shape is no set of spheres is refused by the shape's name") {
  const std::string text = fault({kTwo, kBlock});
  INFO(text);
  CHECK(says(text, "shape \"block\" of body 2 has no facet SphereSet/1"));
  CHECK(says(text, "name their entries in \"bodies\""));
}

TEST_CASE("bodies that no entry is called are refused, with those there are") {
  const std::string text = fault({kTwo, "", R"(, "bodies": ["grain"])"});
  INFO(text);
  CHECK(says(text, "/bodies/0: there is no entry \"grain\" of bodies"));
  CHECK(says(text, "There are: grains"));
}

TEST_CASE("thresholds out of range are refused with their place in the scene") {
  for (const char* const option : {R"(, "voxel": 0.5)", R"(, "depth_out": 1.9)", R"(, "velocity_tolerance": 0)",
                                   R"(, "depth_in": 0.5)", R"(, "window": 0)", R"(, "band": 3)"}) {
    const std::string text = fault({kTwo, "", option});
    INFO(text);
    CHECK(says(text, "test.json:"));
    CHECK(says(text, "/hooks/0/"));
  }
}

TEST_CASE("a scene without granules at the start is refused") {
  GranularScene scene{kTwo, "", R"(, "bodies": ["floor"])"};
  scene.more_bodies = R"(, {"name": "floor", "shape": "floor", "material": "w", "fixed": true})";
  CHECK(says(fault(scene), "has no granules at the start"));
}
