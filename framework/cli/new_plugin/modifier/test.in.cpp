// One of two spheres is below the height.

#include <scree/run/simulation.hpp>

#include "@name@.hpp"
#include "expect.hpp"

int main(int, char** argv) {
  // The plugin lies beside this program.
  const std::string program = argv[0], folder = program.substr(0, program.find_last_of('/'));
  scree::Simulation simulation = scree::Simulation::from_text(R"({
    "dimension": 3, "materials": {"m": {"density": 1000}},
    "shapes": {"s": {"type": "sphere", "radius": 0.01}},
    "bodies": [{"name": "low", "shape": "s", "material": "m", "position": [0, 0, 0.1]},
               {"name": "high", "shape": "s", "material": "m", "position": [0, 0, 0.3]}],
    "interactions": [{"between": ["m", "m"], "law": {"type": "linear", "normal_stiffness": 1000}}],
    "integrator": {"type": "symplectic-euler", "dt": 1e-3},
    "hooks": [{"type": "@name@", "height": 0.2, "interval": 0.001}], "run": {"duration": 1}})",
                                                              {.plugin_paths = {folder}});
  simulation.step(2);
  expect("bodies left", static_cast<double>(simulation.world().size()), 1);
  expect("removed", simulation.world().metric("@name@_removed"), 1);
  return failures;
}
