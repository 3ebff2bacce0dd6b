#pragma once
/// \file Scenes of some hundred bodies and more blocks of pairs than ranks, which touch from the first steps on.

#include <string>

namespace scree::test {

inline const std::string kSpheres = R"({
  "name": "spheres", "dimension": 3, "gravity": [20, 10, -98.1],
  "materials": {"grain": {"density": 2500}, "wall": {}},
  "shapes": {
    "ball": {"type": "sphere", "radius": 0.002},
    "box": {"type": "box", "inside": true, "half_sizes": [0.03, 0.03, 0.03]}
  },
  "bodies": [
    {"name": "grains", "shape": "ball", "material": "grain", "seed": 3,
     "packing": {"type": "lattice", "lower": [-0.0275, -0.0275, -0.0278], "counts": [14, 14, 8], "spacing": 0.0042, "jitter": 0.0001}},
    {"name": "box", "shape": "box", "material": "wall", "fixed": true}
  ],
  "interactions": [{"between": ["*", "*"],
    "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.05, "tangential": "spring",
            "tangential_stiffness": 500, "friction": 0.5}}],
  "integrator": {"type": "velocity-verlet", "dt": 2e-5},
  "output": {"interval": 0.002, "metrics_interval": 0.0004, "checkpoint_interval": 0.002, "energy_ledger": true},
  "run": {"duration": 0.006}
})";

inline const std::string kClumps = R"({
  "name": "clumps", "dimension": 3, "gravity": [50, 20, -400],
  "materials": {"grain": {"density": 2500, "youngs_modulus": 1e6, "poisson_ratio": 0.3}, "wall": {"youngs_modulus": 1e6, "poisson_ratio": 0.3}},
  "shapes": {
    "rod": {"type": "clump", "spheres": [{"position": [-0.002, 0, 0], "radius": 0.002}, {"position": [0.002, 0, 0], "radius": 0.0015}]},
    "box": {"type": "box", "inside": true, "half_sizes": [0.04, 0.04, 0.03]}
  },
  "bodies": [
    {"name": "grains", "shape": "rod", "material": "grain", "seed": 5, "orientation": "random",
     "packing": {"type": "lattice", "lower": [-0.036, -0.036, -0.026], "counts": [10, 10, 6], "spacing": 0.008}},
    {"name": "box", "shape": "box", "material": "wall", "fixed": true}
  ],
  "interactions": [{"between": ["*", "*"],
    "law": {"type": "hertz-mindlin", "restitution": 0.6, "friction": 0.4}}],
  "integrator": {"type": "symplectic-euler", "dt": 2e-5},
  "output": {"metrics_interval": 0.001, "checkpoint_interval": 0.01},
  "run": {"duration": 0.01}
})";

inline const std::string kStars = R"({
  "name": "stars", "dimension": 2, "gravity": [50, -400],
  "periodic": {"x": [0, 0.48]},
  "materials": {"grain": {"density": 1180}, "wall": {}},
  "shapes": {
    "cross": {"type": "star", "coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.004, "thickness": 0.003},
    "floor": {"type": "half-plane", "normal": [0, 1]}
  },
  "bodies": [
    {"name": "grains", "shape": "cross", "material": "grain", "seed": 7, "orientation": "random", "velocity": [0.5, 0],
     "packing": {"type": "lattice", "lower": [0.005, 0.005], "counts": [54, 16], "spacing": 0.0085}},
    {"name": "floor", "shape": "floor", "material": "wall", "fixed": true}
  ],
  "interactions": [{"between": ["*", "*"],
    "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.05, "friction": 0.5}}],
  "integrator": {"type": "velocity-verlet", "dt": 2e-5},
  "output": {"metrics_interval": 0.001, "checkpoint_interval": 0.01},
  "run": {"duration": 0.01}
})";

inline const std::string kStream = R"({
  "name": "stream", "dimension": 3, "gravity": [0, 0, -98.1],
  "materials": {"grain": {"density": 2500}, "wall": {}},
  "shapes": {
    "ball": {"type": "sphere", "radius": 0.002},
    "box": {"type": "box", "inside": true, "half_sizes": [0.03, 0.03, 0.03]}
  },
  "bodies": [
    {"name": "grains", "shape": "ball", "material": "grain",
     "packing": {"type": "lattice", "lower": [-0.0275, -0.0275, -0.0278], "counts": [14, 14, 5], "spacing": 0.0042, "jitter": 0.0001}},
    {"name": "box", "shape": "box", "material": "wall", "fixed": true}
  ],
  "hooks": [
    {"type": "emitter", "name": "rain", "interval": 0.0002, "shape": "ball", "material": "grain",
     "scale": {"type": "lognormal", "sigma": 0.2, "cutoff": 2, "by": "mass"}, "number_rate": 20000,
     "region": {"type": "cylinder", "centre": [0, 0, 0.01], "radius": 0.016, "length": 0.01}, "velocity": [0, 0, -2], "random_speed": 0.2},
    {"type": "outlet", "name": "drain", "interval": 0.0004,
     "region": {"type": "box", "lower": [-0.03, -0.03, -0.03], "upper": [0.03, -0.02, -0.026]}}
  ],
  "interactions": [{"between": ["*", "*"],
    "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.05, "tangential": "spring",
            "tangential_stiffness": 500, "friction": 0.5}}],
  "integrator": {"type": "velocity-verlet", "dt": 2e-5},
  "output": {"metrics_interval": 0.001, "checkpoint_interval": 0.008},
  "run": {"duration": 0.008}
})";

}  // namespace scree::test
