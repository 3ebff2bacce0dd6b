#pragma once
/// \file A small grain on the neck between two large spheres that are held: it rolls on both at once, round the neck,
/// and falls off. It spins about both normals as it rolls, so that friction's springs at its contacts see slip where a
/// method takes velocities of one moment and normals of another. They then wedge the grain in, and it never leaves.
/// \source D. R. Vyas et al., Comput. Phys. Commun. 310 (2025) 109524; example sync_verlet of LAMMPS

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "file_scene.hpp"
#include "one_thread.hpp"

namespace scree::test {

/// Of one scene: lengths, forces and times are said in those of the grain.
struct Neck {
  static constexpr double kLarge = 5e-3, kDensity = 2500, kG = 9.81, kStart = 20 * std::numbers::pi / 180;

  double ratio;         ///< of the radii
  double depth = 1e-5;  ///< of either contact at the start, over the grain's radius
  double friction = 0.5;

  double small() const { return kLarge / ratio; }
  double weight() const { return kDensity * 4 / 3 * std::numbers::pi * std::pow(small(), 3) * kG; }
  /// From the line of the large centres to that of the grain, where it touches both.
  double height() const { return std::sqrt(small() * (small() + 2 * kLarge)); }
  /// In which it would fall by half the height.
  double time() const { return std::sqrt(height() / kG); }
  double overlap() const { return depth * small(); }
  /// Along the normal of either contact, at the start.
  double push() const { return weight() * std::cos(kStart) * (kLarge + small()) / (2 * height()); }
  double stiffness() const { return push() / overlap(); }
  double contact_time() const { return std::numbers::pi * std::sqrt(weight() / kG / stiffness()); }

  /// F = k d. \param more  further options, with a comma in front
  std::string linear(const std::string& more = "") const {
    return fmt::format(R"({{"type": "linear", "normal_stiffness": {}, "restitution": 0.5, "friction": {}{}}})",
                       stiffness(), friction, more);
  }
  /// F = 4/3 E* sqrt(b) d^1.5; of like materials with nu = 0.3, E* = E/(2 (1 - nu^2)).
  std::string hertz(const std::string& more = "") const {
    const double reduced = small() * kLarge / (small() + kLarge);
    const double modulus = 3 * push() / (4 * std::sqrt(reduced) * std::pow(overlap(), 1.5));
    return fmt::format(R"({{"type": "hertz-mindlin", "youngs_modulus": {}, "poisson_ratio": 0.3, "restitution": 0.5,
                           "friction": {}{}}})",
                       2 * (1 - 0.09) * modulus, friction, more);
  }
  std::string power() const {
    return fmt::format(R"({{"type": "power-law", "stiffness": {}, "exponent": 2.5, "normal_damping": {},
                           "tangential_stiffness": {}, "friction": {}}})",
                       push() / std::pow(overlap(), 1.5), 0.2 * std::sqrt(weight() / kG * stiffness()), stiffness(),
                       friction);
  }
  /// It pulls with a twentieth of the weight at most, 2.7 well depths over the distance.
  std::string lennard_jones() const {
    const double distance = 50 * overlap();
    return fmt::format(R"({{"type": "lennard-jones", "well_depth": {}, "distance": {}, "tangential_stiffness": {},
                           "friction": {}}})",
                       0.05 * weight() * distance / 2.7, distance, 0.1 * stiffness(), friction);
  }

  std::string scene(const std::string& law, const std::string& integrator, double dt) const {
    const double way = height() - overlap() * (kLarge + small()) / height();
    return fmt::format(R"({{"dimension": 3, "gravity": [0, 0, -{}], "materials": {{"m": {{"density": {}}}}},
"shapes": {{"large": {{"type": "sphere", "radius": {}}}, "small": {{"type": "sphere", "radius": {}}}}},
"bodies": [{{"shape": "small", "material": "m", "position": [0, {}, {}]}},
           {{"shape": "large", "material": "m", "fixed": true, "position": [{}, 0, 0]}},
           {{"shape": "large", "material": "m", "fixed": true, "position": [-{}, 0, 0]}}],
"interactions": [{{"between": ["*", "*"], "law": {}}}], "integrator": {{{}, "dt": {}}},
"output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                       kG, kDensity, kLarge, small(), way * std::sin(kStart), way * std::cos(kStart), kLarge, kLarge,
                       law, integrator, dt);
  }
};

/// What became of the grain.
struct Left {
  double time = 0;     ///< when it left, over Neck::time(); 0: not within ten of them
  double largest = 0;  ///< force on one of the large spheres until then, over Neck::push()

  Left(const Neck& neck, const std::string& law, const std::string& integrator, double dt) {
    const OneThread one;
    FileScene s(SceneText{neck.scene(law, integrator, dt)});
    const double apart = Neck::kLarge + 1.02 * neck.small();
    const auto force = s.world().column<Vec3>("force");
    while (s.world().time < 10 * neck.time()) {
      s.steps(1);
      largest = std::max(largest, force.read()[s.row(1)].norm() / neck.push());
      if ((s.position(0) - s.position(1)).norm() < apart) continue;
      time = s.world().time / neck.time();
      return;
    }
  }
};

}  // namespace scree::test
