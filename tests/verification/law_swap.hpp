#pragma once
/// \file Crosses on springs and by rigid contact: the two laws, runs of a seed, where the crosses are, and means over
/// seeds.

#include <cmath>
#include <string>
#include <vector>

#include "file_scene.hpp"

namespace scree::test {

inline constexpr double kR = 0.00437;  ///< of a cross, in the scenes [m]

/// What the rigid runs change in the scene: law and integrator; friction and restitution stay.
inline std::vector<std::string> rigid_contact() {
  return {R"(/interactions/0/law={"type": "coulomb", "friction": 0.5, "restitution": 0.4})",
          R"(/integrator={"type": "moreau-jean", "dt": 2e-4, "tolerance": 1e-3, "max_sweeps": 300, )"
          R"("slop": 4e-7, "margin": 1e-4, "max_unconverged_steps": 0})"};
}

/// A scene of tests/verification/scenes with these changes. \param seed  of its first entry of bodies
inline FileScene run_of_seed(const std::string& name, std::vector<std::string> changes, int seed) {
  changes.push_back(fmt::format("/bodies/0/seed={}", seed));
  return FileScene(name, changes);
}

struct Cross {
  Id id;
  double x, y, angle;  ///< [m], [m], [rad]
};

inline std::vector<Cross> crosses(const World& world) {
  std::vector<Cross> all;
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (world.kind.read()[i] != static_cast<std::uint32_t>(BodyKind::dynamic)) continue;
    const Vec3 x = world.position.read()[i];
    const Quat q = world.orientation.read()[i];
    all.push_back({world.id.read()[i], x.x(), x.y(), 2 * std::atan2(q.z(), q.w())});
  }
  return all;
}

inline double mean(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

/// Standard deviation of the values, not of their mean.
inline double deviation(const std::vector<double>& x) {
  const double m = mean(x);
  double sum = 0;
  for (const double v : x) sum += (v - m) * (v - m);
  return std::sqrt(sum / static_cast<double>(x.size() - 1));
}

/// Standard error of the difference of two means.
inline double error_of_difference(const std::vector<double>& a, const std::vector<double>& b) {
  return std::sqrt(std::pow(deviation(a), 2) / static_cast<double>(a.size()) +
                   std::pow(deviation(b), 2) / static_cast<double>(b.size()));
}

}  // namespace scree::test
