#pragma once
/// \file Scenes with emitters and outlets, and what stands in them.

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "catch.hpp"
#include "scree/run/simulation.hpp"

namespace scree::insertion::test {

/// Mass of a bead [kg].
constexpr double kBead = 4. / 3 * std::numbers::pi * 1e-9 * 2500;

inline const std::string kFloor = R"({"name": "floor", "shape": "floor", "material": "w", "fixed": true})";

/// Spheres of 1 and 2 mm, clumps, these bodies and these hooks. \param more  further keys, each after a comma
inline std::string scene3(const std::string& hooks, const std::string& more = "", const std::string& bodies = kFloor) {
  return fmt::format(R"({{
    "dimension": 3, "gravity": [0, 0, -9.81],
    "materials": {{"g": {{"density": 2500}}, "w": {{}}}},
    "shapes": {{"bead": {{"type": "sphere", "radius": 0.001}}, "large": {{"type": "sphere", "radius": 0.002}},
                "pair": {{"type": "clump", "spheres": [{{"position": [0, 0, 0], "radius": 0.001}},
                                                        {{"position": [0.001, 0, 0], "radius": 0.001}}]}},
                "floor": {{"type": "half-space", "normal": [0, 0, 1]}}}},
    "bodies": [{}],
    "interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 150, "restitution": 0.5,
                       "tangential": "spring", "tangential_stiffness": 75, "friction": 0.3}}}}],
    "integrator": {{"type": "velocity-verlet", "dt": 2e-5}}, "output": {{"writers": []}}, "run": {{"duration": 1}},
    "hooks": [{}] {}
  }})",
                     bodies, hooks, more);
}

/// Discs, stars and polygons above a floor.
inline std::string scene2(const std::string& hooks) {
  return fmt::format(R"({{
    "dimension": 2, "gravity": [0, -9.81],
    "materials": {{"g": {{"density": 2500}}, "w": {{}}}},
    "shapes": {{"disc": {{"type": "sphere", "radius": 0.001}},
                "star": {{"type": "star", "coefficients": {{"a0": 2, "sin": {{"4": 1}}}}, "radius": 0.001}},
                "tile": {{"type": "spheropolygon", "vertices": [[0, 0], [0.002, 0], [0, 0.001]], "radius": 0.0003}},
                "floor": {{"type": "half-plane"}}}},
    "bodies": [{{"name": "floor", "shape": "floor", "material": "w", "fixed": true}}],
    "interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 1000000, "normal_damping": 10,
                       "tangential": "spring", "tangential_stiffness": 500000, "friction": 0.3}}}}],
    "integrator": {{"type": "velocity-verlet", "dt": 1e-5}}, "output": {{"writers": []}}, "run": {{"duration": 1}},
    "hooks": [{}]
  }})",
                     hooks);
}

inline double figure(Simulation& run, const std::string& name) { return run.world().metrics().at(name); }

/// Census of bodies that move freely: number, mass, by shape.
struct Census {
  std::size_t bodies = 0;
  double mass = 0;
  std::map<std::string, std::size_t> of_shape;
  std::map<std::string, double> mass_of_shape;
};
inline Census census(Simulation& run) {
  Census c;
  const World& world = run.world();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (world.inverse_mass.read()[i] == 0) continue;
    const std::string& name = world.shapes()[world.shape.read()[i]].name;
    ++c.bodies, ++c.of_shape[name];
    c.mass += world.mass.read()[i], c.mass_of_shape[name] += world.mass.read()[i];
  }
  return c;
}

/// The largest overlap of the bounding spheres of two bodies, and how far one reaches below z = 0 [radii].
inline double deepest(Simulation& run) {
  const World& world = run.world();
  const auto x = world.position.read();
  const auto r = world.radius.read(), free = world.inverse_mass.read();
  double most = -1;
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (free[i] == 0) continue;
    most = std::max(most, (r[i] - x[i][world.dimension() - 1]) / r[i]);
    for (std::size_t k = 0; k < i; ++k)
      if (free[k] > 0) most = std::max(most, (r[i] + r[k] - (x[i] - x[k]).norm()) / std::min(r[i], r[k]));
  }
  return most;
}

}  // namespace scree::insertion::test
