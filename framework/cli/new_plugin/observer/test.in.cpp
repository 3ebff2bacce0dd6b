// Two spheres, at 0.1 and 0.3 m.

#include <scree/run/simulation.hpp>

#include "@name@.hpp"
#include "expect.hpp"

int main() {
  const scree::Simulation simulation = scree::Simulation::from_text(R"({
    "dimension": 3, "materials": {"m": {"density": 1000}},
    "shapes": {"s": {"type": "sphere", "radius": 0.01}},
    "bodies": [{"name": "low", "shape": "s", "material": "m", "position": [0, 0, 0.1]},
               {"name": "high", "shape": "s", "material": "m", "position": [0, 0, 0.3]}],
    "interactions": [{"between": ["m", "m"], "law": {"type": "linear", "normal_stiffness": 1000}}],
    "integrator": {"type": "symplectic-euler", "dt": 1e-3}, "run": {"duration": 1}})");
  expect("mean height [m]", @name@::mean_height(simulation.world()), 0.2);
  return failures;
}
