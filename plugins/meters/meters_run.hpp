#pragma once
/// \file A short run with every meter: spheres that fall in a box, and a load that shakes some.

#include <string>

namespace scree::meters {

inline const std::string kMetersRun = R"({
  "name": "meters", "dimension": 3, "gravity": [20, 10, -98.1],
  "materials": {"grain": {"density": 2500}, "wall": {}},
  "shapes": {
    "ball": {"type": "sphere", "radius": 0.002},
    "box": {"type": "box", "inside": true, "half_sizes": [0.02, 0.02, 0.02]}
  },
  "bodies": [
    {"name": "low", "shape": "ball", "material": "grain", "seed": 3,
     "packing": {"type": "lattice", "lower": [-0.0175, -0.0175, -0.0178], "counts": [8, 8, 4], "spacing": 0.0042, "jitter": 0.0001}},
    {"name": "high", "shape": "ball", "material": "grain", "seed": 4, "velocity": [0.1, 0, -0.4],
     "packing": {"type": "lattice", "lower": [-0.0175, -0.0175, 0], "counts": [8, 8, 3], "spacing": 0.0042, "jitter": 0.0001}},
    {"name": "box", "shape": "box", "material": "wall", "fixed": true}
  ],
  "interactions": [{"between": ["*", "*"],
    "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.05, "tangential": "spring",
            "tangential_stiffness": 500, "friction": 0.5}}],
  "hooks": [
    {"type": "external-load", "name": "shake", "bodies": ["high"], "force_amplitude": [1e-3, 0, 0], "torque": [0, 0, 1e-7],
     "frequency": 100, "interval": 4e-5},
    {"type": "profile-meter", "name": "slabs", "interval": 0.0005, "entries": true, "average": {"start": 0.001},
     "region": {"type": "box", "lower": [-0.021, -0.021, -0.021], "upper": [0.021, 0.021, 0.021]},
     "bins": {"along": [0, 0, 1], "from": -0.021, "to": 0.021, "number": 21}},
    {"type": "profile-meter", "name": "oblique", "interval": 0.0005, "section": 0.001,
     "bins": {"along": [1, 2, 2], "from": -0.05, "to": 0.05, "number": 9}},
    {"type": "profile-meter", "name": "shells", "interval": 0.0005, "section": 0.04, "average": {"start": 0, "window": 0.002},
     "bins": {"about": [0, 0, 1], "to": 0.04, "number": 8}},
    {"type": "region-meter", "name": "whole", "interval": 0.0005,
     "region": {"type": "box", "lower": [-0.021, -0.021, -0.021], "upper": [0.021, 0.021, 0.021]}},
    {"type": "body-meter", "name": "some", "interval": 0.0005, "bodies": ["box"], "ids": [5, 300]},
    {"type": "body-meter", "name": "all", "interval": 0.0005, "bodies": ["low"], "together": true, "point": [0, 0, 0], "average": {"start": 0}},
    {"type": "heap-meter", "name": "heap", "interval": 0.0005, "floor": -0.02, "average": {"start": 0.001}},
    {"type": "mixing-meter", "name": "mixing", "interval": 0.0005, "bodies": ["low", "high"], "cell_size": 0.01, "average": {"start": 0.001}},
    {"type": "track", "name": "paths", "interval": 0.0005, "ids": [0, 100, 400]}
  ],
  "integrator": {"type": "velocity-verlet", "dt": 2e-5},
  "output": {"metrics_interval": 0.0005, "checkpoint_interval": 0.002, "writers": []},
  "run": {"duration": 0.005}
})";

inline constexpr const char* kMeterFiles[] = {"slabs.csv", "oblique.csv", "shells.csv", "some.csv",  "all.csv",
                                              "heap.csv",  "mixing.csv",  "whole.csv",  "paths.vtp", "metrics.csv"};

}  // namespace scree::meters
