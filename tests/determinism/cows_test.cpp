// The promise of same bits, kept by spheropolygons: contacts of many features, whose springs go from one to another.

#include "same_bits.hpp"

using namespace scree::test;

TEST_CASE("1600 cows with friction: the same bits for 1, 2, 3 threads, and when stopped half-way and resumed") {
  const TemporaryFolder folder;
  fs::copy_file(SCREE_COW, folder / "cow.json");
  const std::string law =
      R"({"type": "linear", "normal_stiffness": 1e5, "friction": 0.5, "tangential_stiffness": 1e4})";
  // 3300 pairs, enough for several chunks; at 3 m/s cows reach those of the next place at once.
  spit(folder / "scene.json",
       fmt::format(R"({{"dimension": 2, "gravity": [0, -10], "materials": {{"cow": {{"density": 1}}, "wall": {{}}}},
"shapes": {{"cow": {{"type": "spheropolygon", "file": "cow.json", "radius": 0.1, "position_of": "centre-of-mass"}},
"walls": {{"type": "box", "half_sizes": [84, 84], "inside": true}}}},
"bodies": [{{"shape": "cow", "material": "cow", "orientation": "random", "random_speed": 3, "seed": 5,
"packing": {{"type": "lattice", "lower": [-81.9, -81.9], "counts": [40, 40], "spacing": 4.2}}}},
{{"shape": "walls", "material": "wall", "fixed": true, "position": [0, 0]}}],
"interactions": [{{"between": ["cow", "*"], "law": {}}}],
"integrator": {{"type": "velocity-verlet", "dt": 5e-4}}, "run": {{"duration": 1}}}})",
                   law));
  check_same_bits({(folder / "scene.json").string(), "", 1200});
}
