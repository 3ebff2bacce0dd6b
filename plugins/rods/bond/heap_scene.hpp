#pragma once
/// \file A heap of fibres, for tests.

#include <string>

namespace scree::rods::test {

/// A heap of curved fibres, thrown together at 1 m/s.
inline const std::string kHeap = R"({
  "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"nylon": {"density": 1150, "youngs_modulus": 2e7, "poisson_ratio": 0.4}, "wall": {}},
  "shapes": {"segment": {"type": "capsule", "length": 0.005, "radius": 0.001, "mass_of": "cylinder"},
             "box": {"type": "box", "half_sizes": [0.03, 0.03, 0.1], "inside": true}},
  "bodies": [
    {"name": "fibres", "shape": "segment", "material": "nylon", "velocity": [0, 0, -1], "seed": 1,
     "packing": {"type": "strands", "segments": 6, "curvature": [60], "twist": 30,
                 "roots": {"count": 40, "centre": [0, 0.01, 0.005], "normal": [0, 0, 1], "radius": 0.018}}},
    {"name": "box", "shape": "box", "material": "wall", "fixed": true, "position": [0, 0, 0.1]}],
  "bonds": [{"between": ["fibres", "fibres"], "law": {"type": "elastic-rod"}}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", "friction": 0.4}}],
  "integrator": {"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-3, "slop": 1e-6}, "run": {"duration": 1}})";

}  // namespace scree::rods::test
