#pragma once
/// \file A short run with fields: of each moment, over windows, and over all: spheres that fall in a box.

#include <string>

namespace scree::fields {

inline const std::string kFieldsRun = R"({
  "name": "fields", "dimension": 3, "gravity": [20, 10, -98.1],
  "materials": {"grain": {"density": 2500}, "wall": {}},
  "shapes": {
    "ball": {"type": "sphere", "radius": 0.002},
    "box": {"type": "box", "inside": true, "half_sizes": [0.02, 0.02, 0.02]}
  },
  "bodies": [
    {"name": "low", "shape": "ball", "material": "grain", "seed": 3,
     "packing": {"type": "lattice", "lower": [-0.0175, -0.0175, -0.0178], "counts": [8, 8, 4], "spacing": 0.0042, "jitter": 0.0001}},
    {"name": "high", "shape": "ball", "material": "grain", "seed": 4, "velocity": [0.1, 0, -0.4],
     "packing": {"type": "lattice", "lower": [-0.0175, -0.0175, 0], "counts": [8, 8, 2], "spacing": 0.0042, "jitter": 0.0001}},
    {"name": "box", "shape": "box", "material": "wall", "fixed": true}
  ],
  "interactions": [{"between": ["*", "*"],
    "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.05, "tangential": "spring",
            "tangential_stiffness": 500, "friction": 0.5}}],
  "hooks": [
    {"type": "fields", "name": "moment", "interval": 0.001, "lower": [-0.027, -0.027, -0.027], "upper": [0.027, 0.027, 0.027], "spacing": 0.004},
    {"type": "fields", "name": "window", "interval": 0.0002, "lower": [-0.02, -0.02, -0.02], "upper": [0.02, 0.02, 0.01],
     "spacing": 0.004, "width": 0.003, "bodies": ["high"], "average": {"start": 0.0004, "window": 0.002}},
    {"type": "fields", "name": "all", "interval": 0.0005, "lower": [-0.02, -0.02, -0.02], "upper": [0.02, 0.02, 0.02],
     "spacing": 0.005, "average": {"start": 0.001}, "fields": ["velocity", "pressure"]}
  ],
  "integrator": {"type": "velocity-verlet", "dt": 2e-5},
  "output": {"metrics_interval": 0.001, "checkpoint_interval": 0.001, "writers": []},
  "run": {"duration": 0.005}
})";

inline constexpr const char* kFieldFiles[] = {"moment.pvd", "moment/moment_000000.vti", "moment/moment_000005.vti",
                                              "window.pvd", "window/window_000000.vti", "window/window_000001.vti",
                                              "all.pvd",    "all/all_000000.vti",       "metrics.csv"};

}  // namespace scree::fields
