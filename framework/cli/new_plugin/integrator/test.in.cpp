// A sphere that falls freely: the method is exact but for g t dt/2.

#include <scree/run/simulation.hpp>

#include "@name@.hpp"
#include "expect.hpp"

int main(int, char** argv) {
  // The plugin lies beside this program.
  const std::string program = argv[0], folder = program.substr(0, program.find_last_of('/'));
  scree::Simulation simulation = scree::Simulation::from_text(R"({
    "dimension": 3, "gravity": [0, 0, -10], "materials": {"m": {"density": 1000}},
    "shapes": {"s": {"type": "sphere", "radius": 0.01}},
    "bodies": [{"name": "b", "shape": "s", "material": "m"}],
    "interactions": [{"between": ["m", "m"], "law": {"type": "linear", "normal_stiffness": 1000}}],
    "integrator": {"type": "@name@", "dt": 1e-3}, "run": {"duration": 1}})",
                                                              {.plugin_paths = {folder}});
  simulation.step(100);
  expect("velocity [m/s]", simulation.world().velocity.read()[0].z(), -10 * 0.1, 1e-9);
  expect("place [m]", simulation.world().position.read()[0].z(), -0.5 * 10 * 0.1 * 0.101, 1e-9);
  return failures;
}
