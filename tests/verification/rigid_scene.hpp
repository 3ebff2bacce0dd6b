#pragma once
/// \file Scenes of rigid contact, run in the test's process to the last bit of the state.

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "scenes.hpp"
#include "scree/integrate/cones.hpp"
#include "series.hpp"

namespace scree::test {

inline constexpr double kG = 9.81;  ///< [m/s^2] in all scenes
inline constexpr double kDegree = std::numbers::pi / 180;

/// A scene of tests/verification/scenes. Bodies go by their ids: 0, 1, ... as in the scene.
class RigidScene : public Running {
 public:
  /// \param sets  values changed as by --set: "/integrator/dt=1e-3"
  explicit RigidScene(const std::string& name, const std::vector<std::string>& sets = {})
      : Running(slurp(fmt::format("{}/{}.json", SCREE_SCENES, name)), sets) {
    prepared.methods.integrator->columns(world());
  }

  std::size_t row(Id id) { return world().row(id).value(); }
  double mass(Id id) { return world().mass.read()[row(id)]; }
  double inertia(Id id) { return world().inertia.read()[row(id)].z(); }
  Vec3 position(Id id) { return world().position.read()[row(id)]; }
  Vec3 velocity(Id id) { return world().velocity.read()[row(id)]; }
  Vec3 spin(Id id) { return world().angular_velocity.read()[row(id)]; }
  double dt() const { return scene.dt; }
  void until(double time) { steps(static_cast<std::uint64_t>(std::llround((time - world().time) / dt()))); }

  /// The contacts of the state as it is, with the impulses of the last step.
  std::vector<ConeContact> contacts() {
    const auto all = ability<Cones>(*prepared.mechanics).contacts(dt());
    return {all.begin(), all.end()};
  }
  /// On the second of two bodies, in the last step, all their contacts together [N s].
  Vec3 impulse_between(Id first, Id second) {
    const std::size_t a = row(first), b = row(second);
    Vec3 sum = Vec3::Zero();
    for (const ConeContact& c : contacts()) {
      if (c.a == a && c.b == b) sum += c.impulse;
      if (c.a == b && c.b == a) sum -= c.impulse;
    }
    return sum;
  }
};

/// A vector of the plane or of space as --set takes it.
inline std::string json(std::initializer_list<double> numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); }

}  // namespace scree::test
