// The promise of same bits, kept by bodies of many sizes that share the tables of their shapes.

#include "same_bits.hpp"

using namespace scree::test;

TEST_CASE("400 stars of sizes from 1 to 8: the same bits for 1, 2, 3 threads, and when stopped and resumed") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", R"({"dimension": 2, "gravity": [0, -50],
"materials": {"m": {"density": 1000}, "wall": {}},
"shapes": {
  "cross": {"type": "star", "coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.01, "thickness": 0.003},
  "butterfly": {"type": "star", "coefficients": {"a0": 3, "sin": {"2": 1, "7": 1}}, "radius": 0.01, "thickness": 0.003},
  "box": {"type": "box", "half_sizes": [0.23, 0.4], "inside": true}},
"bodies": [
  {"shape": ["cross", "butterfly"], "material": "m", "orientation": "random", "seed": 2, "random_speed": 3,
   "scale": {"type": "uniform", "lower": 0.14, "upper": 1.12},
   "packing": {"type": "lattice", "lower": [-0.214, -0.214], "counts": [20, 20], "spacing": 0.0225}},
  {"shape": "box", "material": "wall", "fixed": true, "position": [0, 0.17]}],
"interactions": [
  {"between": ["m", "m"], "detector": "taubin", "law": {"type": "linear", "normal_stiffness": 3e3, "restitution": 0.5, "friction": 0.5}},
  {"between": ["m", "wall"], "law": {"type": "linear", "normal_stiffness": 3e3, "restitution": 0.5, "friction": 0.5}}],
"integrator": {"type": "velocity-verlet", "dt": 1e-5},
"run": {"duration": 1}})");
  check_same_bits({(folder / "scene.json").string(), "", 2000});
}
