#pragma once
/// \file Stars under the extremal depth law: scenes whose energy is to be followed.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "scenes.hpp"

namespace scree::test {

struct EnergyStar {
  const char* name;
  const char* coefficients;
  double radius;
};
inline constexpr EnergyStar kEnergyStars[] = {{"circle", R"({"a0": 1})", 0.00309},
                                              {"cross", R"({"a0": 2, "sin": {"4": 1}})", 0.00437},
                                              {"butterfly", R"({"a0": 3, "sin": {"2": 1, "7": 1}})", 0.00486}};

/// \param rest  members of the scene from "bodies" to "run", without what all scenes here share
inline std::string energy_scene(const EnergyStar& star, int nodes, const std::string& rest) {
  return fmt::format(R"({{"dimension": 2, "materials": {{"m": {{"density": 1180}}}},
"shapes": {{"s": {{"type": "star", "coefficients": {}, "radius": {}, "thickness": 0.003, "nodes": {}}},
           "box": {{"type": "box", "inside": true, "half_sizes": [0.02, 0.025]}}}},
{}, "output": {{"writers": []}}, "run": {{"duration": 1, "accept_long_dt": true}}}})",
                     star.coefficients, star.radius, nodes, rest);
}

struct HitErrors {
  int hits = 0;
  double mean = 0, worst = 0;  ///< of |dE|/E
  double gain = 0;             ///< mean of dE/E
};

/// Relative change of kinetic energy over two-body hits at 0.5 m/s, k = 1e3 N/m, no damping, no friction: `count` hits
/// side by side in one scene, far enough apart.
/// \param detector  a name, or an object with options
inline HitErrors hit_errors(const EnergyStar& star, int nodes, int count, double dt,
                            const std::string& detector = "extremal") {
  constexpr double pitch = 0.1;
  std::mt19937 engine(11);
  std::uniform_real_distribution<double> u(-1, 1);
  std::string bodies;
  for (int i = 0; i < count; ++i) {
    const double x = pitch * (i % 20), y = pitch * (i / 20), offset = 0.003 * u(engine);
    for (const double side : {-1.0, 1.0})
      bodies += fmt::format(
          R"({}{{"shape": "s", "material": "m", "position": [{}, {}], "velocity": [{}, 0], "orientation": {}, "angular_velocity": {}}})",
          bodies.empty() ? "" : ",\n", x + 0.0055 * side, y + (side < 0 ? offset : 0), -0.25 * side,
          std::numbers::pi * u(engine), 20 * u(engine));
  }
  Running run(energy_scene(star, nodes,
                           fmt::format(R"("bodies": [{}], "interactions": [{{"between": ["m", "m"], "detector": {},
 "law": {{"type": "linear", "normal_stiffness": 1000, "tangential": "none"}}}}],
 "integrator": {{"type": "velocity-verlet", "dt": {}}})",
                                       bodies, detector.starts_with('{') ? detector : '"' + detector + '"', dt)));
  World& world = run.world();
  const auto kinetic = [&](Id id) {
    const std::size_t row = *world.row(id);
    return 0.5 * world.mass.read()[row] * world.velocity.read()[row].squaredNorm() +
           0.5 * world.inertia.read()[row].z() * std::pow(world.angular_velocity.read()[row].z(), 2);
  };
  const auto pair_energy = [&](int i) { return kinetic(static_cast<Id>(2 * i)) + kinetic(static_cast<Id>(2 * i + 1)); };
  std::vector<double> before;
  std::vector<Vec3> velocity;
  for (int i = 0; i < count; ++i) {
    before.push_back(pair_energy(i));
    velocity.push_back(world.velocity.read()[*world.row(static_cast<Id>(2 * i))]);
  }
  run.steps(static_cast<std::uint64_t>(std::llround(0.03 / dt)));
  HitErrors result;
  for (int i = 0; i < count; ++i) {
    const std::size_t a = *world.row(static_cast<Id>(2 * i)), b = *world.row(static_cast<Id>(2 * i + 1));
    if ((world.position.read()[a] - world.position.read()[b]).norm() < 2.02 * star.radius) continue;  // not yet apart
    if (world.velocity.read()[a] == velocity[static_cast<std::size_t>(i)]) continue;                  // missed
    const double change = pair_energy(i) / before[static_cast<std::size_t>(i)] - 1, error = std::abs(change);
    ++result.hits;
    result.gain += change;
    result.mean += error;
    result.worst = std::max(result.worst, error);
  }
  result.mean /= std::max(result.hits, 1);
  result.gain /= std::max(result.hits, 1);
  return result;
}

}  // namespace scree::test
