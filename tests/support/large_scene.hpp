#pragma once
/// \file Large bodies among grains of 1 mm.

#include <fmt/format.h>

#include <string>

namespace scree::test {

/// Grains on a floor in three layers. A ball of 1 m radius rolls on them. A bar of 1 m length, which moves freely,
/// slides and turns on them, and one is turned through them; the grains are in the bounding spheres of both.
inline std::string large_scene() {
  return R"({
  "name": "large", "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"grain": {"density": 2500}, "foam": {"density": 0.002}, "wood": {"density": 100}, "wall": {}},
  "shapes": {"grain": {"type": "sphere", "radius": 0.001}, "ball": {"type": "sphere", "radius": 1},
             "bar": {"type": "box", "half_sizes": [0.002, 0.5, 0.001]}, "floor": {"type": "half-space", "normal": [0, 0, 1]}},
  "bodies": [
    {"name": "grains", "shape": "grain", "material": "grain",
     "packing": {"type": "lattice", "lower": [-0.02, -0.02, 0.000995], "counts": [20, 20, 2], "spacing": 0.00203}},
    {"name": "beside", "shape": "grain", "material": "grain",
     "packing": {"type": "lattice", "lower": [0.06, -0.02, 0.000995], "counts": [10, 20, 1], "spacing": 0.0021}},
    {"name": "ball", "shape": "ball", "material": "foam", "position": [0, 0, 1.004015], "velocity": [0.05, 0, 0],
     "angular_velocity": [0, 0.05, 0]},
    {"name": "bar", "shape": "bar", "material": "wood", "position": [0.07, 0, 0.002985], "velocity": [0.05, 0, 0],
     "angular_velocity": [0, 0, 0.5]},
    {"name": "stirrer", "shape": "bar", "material": "wall", "position": [0.0825, -0.3, 0.0012],
     "motion": {"angular_velocity": [0, 0, 0.5], "centre": [0.0825, -0.3, 0]}},
    {"name": "floor", "shape": "floor", "material": "wall", "fixed": true}
  ],
  "interactions": [
    {"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 200, "normal_damping": 0.02,
     "tangential": "spring", "tangential_stiffness": 100, "friction": 0.4}},
    {"between": ["foam", "wood"], "law": "none"}, {"between": ["foam", "wall"], "law": "none"},
    {"between": ["wood", "wood"], "law": "none"}, {"between": ["wood", "wall"], "law": "none"}
  ],
  "integrator": {"type": "velocity-verlet", "dt": 1e-5},
  "output": {"interval": 0, "metrics_interval": 0, "writers": []},
  "run": {"duration": 0.03}
})";
}

}  // namespace scree::test
