#pragma once
/// \file Scenes with granular-culling, and how they are looked at.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "catch.hpp"
#include "scenes.hpp"
#include "scree/world/world.hpp"

namespace scree::culling::test {

using scree::test::Running;

inline constexpr double kDiameter = 0.01;  // [m]
inline constexpr double kStep = 5e-5;      // [s]; contacts of these springs take 1.5e-3 s

struct GranularScene {
  std::string packing;  ///< packing of the granules
  std::string more_bodies = "";
  std::string culling = "";  ///< options besides the window
  std::string gravity = "[0, 0, -9.81]";
  std::string granule = R"({"type": "sphere", "radius": 0.005})";
  std::string law = R"({"type": "linear", "normal_stiffness": 3000, "restitution": 0.3, "friction": 0.5,
 "tangential": "spring", "tangential_stiffness": 1500})";
  std::string integrator = R"({"type": "velocity-verlet", "dt": 5e-5})";

  std::string text() const {
    return fmt::format(R"({{"dimension": 3, "gravity": {},
"materials": {{"g": {{"density": 2500, "youngs_modulus": 5e6, "poisson_ratio": 0.25}}, "w": {{"youngs_modulus": "rigid"}}}},
"shapes": {{"grain": {}, "floor": {{"type": "half-space", "normal": [0, 0, 1]}},
 "tube": {{"type": "cylinder", "radius": 0.04, "inside": true}}, "ball": {{"type": "sphere", "radius": 0.02}},
 "block": {{"type": "box", "half_sizes": [0.01, 0.01, 0.01]}}}},
"bodies": [{{"name": "grains", "shape": "grain", "material": "g", "packing": {}}}{}],
"interactions": [{{"between": ["*", "*"], "law": {}}}],
"hooks": [{{"type": "granular-culling", "window": 0.01, "interval": 0.001{}}}],
"integrator": {}, "output": {{"writers": []}}, "run": {{"duration": 100}}}})",
                       gravity, granule, packing, more_bodies, law, culling, integrator);
  }
};

/// A ball of some radius, in diameters.
inline std::string lump(double radius, const Vec3& centre = Vec3::Zero()) {
  const double r = radius * kDiameter;
  return fmt::format(
      R"({{"type": "random-close", "centre": [{}, {}, {}], "semi_axes": [{}, {}, {}], "diameter": 0.01}})", centre.x(),
      centre.y(), centre.z(), r, r, r);
}

inline double figure(Running& run, const std::string& name) { return run.world().metrics().at("culling_" + name); }

inline std::map<Id, Pose> poses(const World& world) {
  std::map<Id, Pose> all;
  for (std::size_t i = 0; i < world.size(); ++i)
    all[world.id.read()[i]] = {world.position.read()[i], world.orientation.read()[i]};
  return all;
}

/// The ledger's invariants (README, "What is kept"), as figures keep their worst so far.
inline void check_invariants(Running& run, std::size_t granules) {
  CHECK(figure(run, "active") + figure(run, "stored") == static_cast<double>(granules));
  CHECK(figure(run, "mass_error") <= 1e-14);
  CHECK(figure(run, "momentum_error") <= 1e-12);
  CHECK(figure(run, "angular_momentum_error") <= 1e-12);
  CHECK(figure(run, "centre_error_d") <= 1e-12);
  CHECK(figure(run, "energy_error") <= 1e-12);
}

/// So many steps as make a time [s].
inline void run_for(Running& run, double time) {
  run.steps(static_cast<std::uint64_t>(std::llround(time / run.scene.dt)));
}

}  // namespace scree::culling::test
