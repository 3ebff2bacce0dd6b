#pragma once
/// \file Scenes of some hundred bodies and more blocks of pairs than ranks, which touch from the first steps on.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
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

/// Where energy is accounted for, rows are not divided between ranks.
inline std::string without_ledger(const std::string& text) {
  nlohmann::json scene = nlohmann::json::parse(text);
  scene["output"]["energy_ledger"] = false;
  return scene.dump();
}

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

/// Radii from 1 to 8 mm: grains have many neighbours, and lie on several levels of the search for pairs.
inline const std::string kSizes = R"({
  "name": "sizes", "dimension": 3, "gravity": [60, 30, -400],
  "materials": {"grain": {"density": 2500}, "wall": {}},
  "shapes": {
    "large": {"type": "sphere", "radius": 0.008}, "middle": {"type": "sphere", "radius": 0.003}, "small": {"type": "sphere", "radius": 0.001},
    "box": {"type": "box", "inside": true, "half_sizes": [0.026, 0.026, 0.02]}
  },
  "bodies": [
    {"name": "large", "shape": "large", "material": "grain",
     "packing": {"type": "lattice", "lower": [-0.0165, -0.0165, -0.0118], "counts": [3, 3, 1], "spacing": 0.0165}},
    {"name": "small", "shape": ["middle", "small"], "material": "grain", "seed": 4,
     "packing": {"type": "fill", "region": {"type": "box", "lower": [-0.026, -0.026, -0.02], "upper": [0.026, 0.026, 0.002]},
                 "number": 1000, "shares": [0.03, 0.97]}},
    {"name": "box", "shape": "box", "material": "wall", "fixed": true}
  ],
  "interactions": [{"between": ["*", "*"],
    "law": {"type": "linear", "normal_stiffness": 500, "restitution": 0.5, "friction": 0.5}}],
  "integrator": {"type": "symplectic-euler", "dt": 1e-5},
  "output": {"metrics_interval": 0.0005, "checkpoint_interval": 0.003},
  "run": {"duration": 0.003}
})";

/// Capsules and spheres that stick, on a floor of fixed spheres, in a cell that repeats along x.
inline const std::string kStickyCapsules = R"({
  "name": "capsules", "dimension": 3, "gravity": [100, 0, -400], "periodic": {"x": [-0.04, 0.04]},
  "materials": {"grain": {"density": 2500, "youngs_modulus": 1e6, "poisson_ratio": 0.3}, "wall": {"youngs_modulus": 1e6, "poisson_ratio": 0.3}},
  "shapes": {
    "ball": {"type": "sphere", "radius": 0.002},
    "capsule": {"type": "capsule", "length": 0.006, "radius": 0.0012},
    "box": {"type": "box", "inside": true, "half_sizes": [0.2, 0.032, 0.03]}
  },
  "bodies": [
    {"name": "floor", "shape": "ball", "material": "wall", "fixed": true,
     "packing": {"type": "lattice", "lower": [-0.038, -0.030, -0.028], "counts": [20, 16, 1], "spacing": 0.004}},
    {"name": "grains", "shape": "ball", "material": "grain", "seed": 5, "velocity": [0, 0, -1],
     "packing": {"type": "lattice", "lower": [-0.038, -0.030, -0.0238], "counts": [16, 12, 2], "spacing": 0.005, "jitter": 0.0001}},
    {"name": "capsules", "shape": "capsule", "material": "grain", "seed": 6, "orientation": "random", "velocity": [0, 0, -2],
     "packing": {"type": "lattice", "lower": [-0.034, -0.026, -0.009], "counts": [7, 6, 4], "spacing": 0.0095}},
    {"name": "box", "shape": "box", "material": "wall", "fixed": true}
  ],
  "interactions": [{"between": ["*", "*"],
    "law": {"type": "hertz-mindlin", "restitution": 0.5, "friction": 0.4, "cohesion": {"model": "jkr", "work_of_adhesion": 0.01}}}],
  "integrator": {"type": "velocity-verlet", "dt": 1e-5},
  "output": {"metrics_interval": 0.0005, "checkpoint_interval": 0.003},
  "run": {"duration": 0.003}
})";

/// Two lumps of grains, of which the inside is stored at once. A ball hits the one, and some of it comes back. An
/// outlet takes from the other, and a meter looks into it.
inline const std::string kCulled = R"({
  "name": "culled", "dimension": 3, "gravity": [0, 0, 0],
  "materials": {"grain": {"density": 2500}, "ball": {"density": 7800}},
  "shapes": {"grain": {"type": "sphere", "radius": 0.005}, "ball": {"type": "sphere", "radius": 0.015}},
  "bodies": [
    {"name": "left", "shape": "grain", "material": "grain",
     "packing": {"type": "random-close", "centre": [-0.08, 0, 0], "semi_axes": [0.06, 0.06, 0.06], "diameter": 0.01}},
    {"name": "right", "shape": "grain", "material": "grain", "velocity": [0, 0, 1],
     "packing": {"type": "random-close", "centre": [0.08, 0, 0], "semi_axes": [0.06, 0.06, 0.06], "diameter": 0.01}},
    {"name": "ball", "shape": "ball", "material": "ball", "position": [-0.08, 0, 0.0825], "velocity": [0, 0, -5]}
  ],
  "hooks": [
    {"type": "granular-culling", "bodies": ["left", "right"], "window": 0.0008, "interval": 0.0001, "cull_every": 2},
    {"type": "outlet", "name": "drain", "interval": 0.0016, "region": {"type": "sphere", "centre": [0.08, 0, 0.004], "radius": 0.006}},
    {"type": "region-meter", "name": "core", "interval": 0.0016,
     "region": {"type": "sphere", "centre": [0.08, 0, 0], "radius": 0.04}}
  ],
  "interactions": [{"between": ["*", "*"],
    "law": {"type": "linear", "normal_stiffness": 40000, "restitution": 0.4, "tangential": "spring",
            "tangential_stiffness": 20000, "friction": 0.5}}],
  "integrator": {"type": "velocity-verlet", "dt": 2e-5},
  "output": {"metrics_interval": 0.0008, "checkpoint_interval": 0.002},
  "run": {"duration": 0.006}
})";

/// Grains in a drum that turns with its lifters.
inline std::string drum_with_lifters() {
  nlohmann::json scene = nlohmann::json::parse(R"({
    "name": "drum", "dimension": 3, "gravity": [0, 0, -400],
    "materials": {"grain": {"density": 2500}, "steel": {}},
    "shapes": {
      "ball": {"type": "sphere", "radius": 0.002},
      "drum": {"type": "cylinder", "radius": 0.04, "length": 0.036, "inside": true},
      "lifter": {"type": "box", "half_sizes": [0.001, 0.018, 0.003]}
    },
    "bodies": [
      {"name": "grains", "shape": "ball", "material": "grain", "seed": 6, "velocity": [0, 0, -3],
       "packing": {"type": "lattice", "lower": [-0.0147, -0.0155, -0.028], "counts": [8, 8, 12], "spacing": 0.0042, "jitter": 0.0001}},
      {"name": "drum", "shape": "drum", "material": "steel", "orientation": [0.7071067811865476, 0.7071067811865476, 0, 0],
       "motion": {"angular_velocity": [0, 40, 0]}}
    ],
    "interactions": [{"between": ["*", "*"],
      "law": {"type": "linear", "normal_stiffness": 2000, "restitution": 0.4, "friction": 0.5}}],
    "integrator": {"type": "velocity-verlet", "dt": 2e-5},
    "output": {"metrics_interval": 0.001, "checkpoint_interval": 0.006},
    "run": {"duration": 0.006}
  })");
  for (int k = 0; k < 8; ++k) {
    const double angle = k * std::numbers::pi / 4, half = angle / 2;
    scene["bodies"].push_back({{"name", fmt::format("lifter{}", k)},
                               {"shape", "lifter"},
                               {"material", "steel"},
                               {"position", {0.037 * std::sin(angle), 0.0, -0.037 * std::cos(angle)}},
                               {"orientation", {std::cos(half), 0.0, -std::sin(half), 0.0}},
                               {"motion", {{"angular_velocity", {0, 40, 0}}, {"centre", {0, 0, 0}}}}});
  }
  return scene.dump();
}

/// A brick of spheres that are bonded, thrown into loose grains and onto a floor. It breaks from about step 60 on.
inline const std::string kBrick = R"({
  "name": "brick", "dimension": 3, "gravity": [0, 0, -98.1],
  "materials": {"brick": {"density": 1800}, "grain": {"density": 2500}, "wall": {}},
  "shapes": {
    "ball": {"type": "sphere", "radius": 0.002},
    "box": {"type": "box", "inside": true, "half_sizes": [0.03, 0.03, 0.03]}
  },
  "bodies": [
    {"name": "brick", "shape": "ball", "material": "brick", "velocity": [4, 1, -8],
     "packing": {"type": "lattice", "lower": [-0.020, -0.018, -0.0236], "counts": [10, 10, 7], "spacing": 0.004}},
    {"name": "grains", "shape": "ball", "material": "grain", "seed": 3,
     "packing": {"type": "lattice", "lower": [0.0202, -0.027, -0.027], "counts": [2, 14, 10], "spacing": 0.0042, "jitter": 0.0001}},
    {"name": "box", "shape": "box", "material": "wall", "fixed": true}
  ],
  "bonds": [{"between": ["brick", "brick"], "pairs": "touching", "gap": 1e-5,
    "law": {"type": "bonded-beam", "youngs_modulus": 1e7, "tensile_strength": 1.5e5, "shear_strength": 1.5e5}}],
  "interactions": [{"between": ["*", "*"],
    "law": {"type": "linear", "normal_stiffness": 20000, "normal_damping": 0.1, "tangential": "spring",
            "tangential_stiffness": 10000, "friction": 0.5}}],
  "integrator": {"type": "velocity-verlet", "dt": 1e-5},
  "output": {"interval": 0.0005, "metrics_interval": 0.0002, "checkpoint_interval": 0.001},
  "run": {"duration": 0.003}
})";

/// The same with bodies moved after their bonds have acted.
inline std::string brick_by_euler() {
  nlohmann::json scene = nlohmann::json::parse(kBrick);
  scene["integrator"]["type"] = "symplectic-euler";
  return scene.dump();
}

/// Fibres, which are capsules that elastic rods join, fall on a large block that moves freely.
inline const std::string kFibres = R"({
  "name": "fibres", "dimension": 3, "gravity": [0, 0, -98.1],
  "materials": {"nylon": {"density": 1150, "youngs_modulus": 2e7, "poisson_ratio": 0.4}, "wood": {"density": 400}, "wall": {}},
  "shapes": {
    "segment": {"type": "capsule", "length": 0.005, "radius": 0.001, "mass_of": "cylinder"},
    "block": {"type": "box", "half_sizes": [0.03, 0.03, 0.008]},
    "box": {"type": "box", "half_sizes": [0.04, 0.04, 0.1], "inside": true}
  },
  "bodies": [
    {"name": "fibres", "shape": "segment", "material": "nylon", "velocity": [0, 0, -2],
     "packing": {"type": "strands", "segments": 8, "curvature": [60], "twist": 30,
                 "roots": {"count": 60, "centre": [0, 0.01, 0.0205], "normal": [0, 0, 1], "radius": 0.022}}},
    {"name": "block", "shape": "block", "material": "wood", "position": [0, 0, 0.0095], "angular_velocity": [4, 3, 0]},
    {"name": "box", "shape": "box", "material": "wall", "fixed": true, "position": [0, 0, 0.1]}
  ],
  "bonds": [{"between": ["fibres", "fibres"], "law": {"type": "elastic-rod"}}],
  "interactions": [
    {"between": ["wood", "wall"], "law": "none"},
    {"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 2000, "normal_damping": 0.05, "friction": 0.4}}
  ],
  "integrator": {"type": "velocity-verlet", "dt": 1e-5},
  "output": {"metrics_interval": 0.0005, "checkpoint_interval": 0.002},
  "run": {"duration": 0.004}
})";

/// Grains in a box, and a beam that turns among them.
inline std::string stirred_bed() {
  nlohmann::json scene = nlohmann::json::parse(kSpheres);
  scene["name"] = "stirred-bed";
  scene["gravity"] = {0, 0, -98.1};
  scene["shapes"]["beam"] = {{"type", "box"}, {"half_sizes", {0.028, 0.002, 0.006}}};
  scene["bodies"][0]["packing"]["counts"] = {14, 14, 4};
  scene["bodies"][0]["packing"]["lower"][2] = -0.014;
  scene["bodies"].push_back({{"name", "beam"},
                             {"shape", "beam"},
                             {"material", "wall"},
                             {"position", {0.0, 0.0, -0.0235}},
                             {"motion", {{"angular_velocity", {0, 0, 30}}}}});
  scene["output"]["energy_ledger"] = false;
  return scene.dump();
}

}  // namespace scree::test
