// The promise of same bits, kept by impulses: contacts are solved in an order of their own, from impulses kept by
// features, and colours are shared between threads.

#include "same_bits.hpp"

using namespace scree::test;

TEST_CASE("400 rigid angles and discs with friction: the same bits for 1, 2, 3 threads, and when stopped and resumed") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", R"({"dimension": 2, "gravity": [0, -9.81],
"materials": {"m": {"density": 1000}, "wall": {}},
"shapes": {
  "angle": {"type": "spheropolygon", "vertices": [[0, 0], [2, 0], [2, 0.8], [0.8, 0.8], [0.8, 2], [0, 2]],
            "scale": 0.006, "radius": 0.001, "position_of": "centre-of-mass"},
  "disc": {"type": "sphere", "radius": 0.008, "thickness": 0.001},
  "box": {"type": "box", "half_sizes": [0.23, 0.23], "inside": true}},
"bodies": [
  {"shape": ["angle", "disc"], "material": "m", "orientation": "random", "seed": 2, "velocity": [0.2, -2],
   "random_speed": 1, "packing": {"type": "lattice", "lower": [-0.214, -0.214], "counts": [20, 20], "spacing": 0.0225}},
  {"shape": "box", "material": "wall", "fixed": true}],
"interactions": [{"between": ["m", "*"], "law": {"type": "coulomb", "friction": 0.5, "restitution": 0.2}}],
"integrator": {"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-3, "max_sweeps": 50, "margin": 0.004,
               "max_unconverged_steps": 0},
"run": {"duration": 1}})");
  check_same_bits({(folder / "scene.json").string(), "", 60});
}

TEST_CASE("125 rigid tetrapods: the same bits for 1, 2, 3 threads, and when stopped and resumed") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", R"({"dimension": 3, "gravity": [0, 0, -9.81],
"materials": {"m": {"density": 1000}, "wall": {}},
"shapes": {"tetrapod": {"type": "clump", "template": "tetrapod", "scale": 0.01},
           "box": {"type": "box", "half_sizes": [0.06, 0.06, 0.06], "inside": true}},
"bodies": [
  {"shape": "tetrapod", "material": "m", "orientation": "random", "seed": 2, "velocity": [0.2, 0.1, -2],
   "random_speed": 1, "packing": {"type": "lattice", "lower": [-0.045, -0.045, -0.045], "counts": [5, 5, 5], "spacing": 0.0232}},
  {"shape": "box", "material": "wall", "fixed": true}],
"interactions": [{"between": ["m", "*"], "law": {"type": "coulomb", "friction": 0.5}}],
"integrator": {"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-3, "max_sweeps": 50, "margin": 0.004,
               "max_unconverged_steps": 0, "slop": 1e-6},
"run": {"duration": 1}})");
  check_same_bits({(folder / "scene.json").string(), "", 40});
}

TEST_CASE("crowds of more contacts than one thread visits: the same bits for 1, 2, 3 threads, and when resumed") {
  // From 1024 contacts on they are visited colour by colour, and threads share the large colours: packed from the
  // start.
  const TemporaryFolder folder;
  const std::string integrator =
      R"({"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-4, "max_sweeps": 60, "max_unconverged_steps": 0})";
  const auto scene = [&](int dimension, const char* gravity, const char* velocity, const char* walls,
                         const char* lattice) {
    return fmt::format(R"({{"dimension": {}, "gravity": {}, "materials": {{"m": {{"density": 1000}}, "wall": {{}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": 0.01, "thickness": 0.001}}, "box": {{"type": "box", "half_sizes": {}, "inside": true}}}},
"bodies": [{{"shape": "ball", "material": "m", "seed": 2, "velocity": {}, "random_speed": 0.2,
"packing": {{"type": "lattice", "spacing": 0.02, {}}}}},
{{"shape": "box", "material": "wall", "fixed": true}}],
"interactions": [{{"between": ["m", "*"], "law": {{"type": "coulomb", "friction": 0.5, "restitution": 0.2}}}}],
"integrator": {}, "run": {{"duration": 1}}}})",
                       dimension, gravity, walls, velocity, lattice, integrator);
  };
  spit(folder / "plane.json",
       scene(2, "[0, -9.81]", "[0.1, -0.5]", "[0.351, 0.351]", R"("lower": [-0.34, -0.34], "counts": [35, 35])"));
  spit(folder / "space.json", scene(3, "[0, 0, -9.81]", "[0.1, 0.2, -0.5]", "[0.111, 0.111, 0.111]",
                                    R"("lower": [-0.1, -0.1, -0.1], "counts": [11, 11, 11])"));
  for (const char* name : {"plane.json", "space.json"}) {
    const ShortRun run{(folder / name).string(), "", 8};
    CHECK(run_short(run, folder / "count", 8e-3, "")["contacts_mean"].get<double>() > 1100);  // those that push
    check_same_bits(run);
  }
}

TEST_CASE("chains of joints that fall on each other: the same bits for 1 to 8 threads, and when stopped and resumed") {
  const TemporaryFolder folder;
  std::string chains, bonds;
  for (int k = 0; k < 8; ++k) {
    const char* const comma = k == 0 ? "" : ", ";
    chains += fmt::format(R"({}{{"name": "chain {}", "shape": "ball", "material": "m", "random_speed": 0.5, "seed": {},
"packing": {{"type": "lattice", "lower": [0, {}, {}], "counts": [20, 1, 1], "spacing": 0.02}}}})",
                          comma, k, k + 1, 0.015 * (k % 2), 0.01 + 0.022 * k);
    bonds += fmt::format(R"({}{{"between": ["chain {}", "chain {}"], "pairs": "touching", "gap": 1e-6,
"self_contact": true, "law": {{"type": "ball-joint"}}}})",
                         comma, k, k);
  }
  spit(folder / "scene.json", fmt::format(R"({{"dimension": 3, "gravity": [0, 0, -9.81],
"materials": {{"m": {{"density": 1000}}, "wall": {{}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}, "floor": {{"type": "half-space"}}}},
"bodies": [{}, {{"shape": "floor", "material": "wall", "fixed": true}}],
"interactions": [{{"between": ["m", "*"], "law": {{"type": "coulomb", "friction": 0.5}}}}],
"bonds": [{}],
"integrator": {{"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-4, "max_sweeps": 50, "max_unconverged_steps": 0}},
"run": {{"duration": 1}}}})",
                                          chains, bonds));
  check_same_bits({(folder / "scene.json").string(), "", 60}, {2, 3, 5, 8});
}
