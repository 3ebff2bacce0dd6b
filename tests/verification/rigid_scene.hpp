#pragma once
/// \file Scenes of rigid contact, run in the test's process to the last bit of the state.

#include <numbers>
#include <vector>

#include "file_scene.hpp"
#include "scree/integrate/impulse_problem.hpp"

namespace scree::test {

inline constexpr double kG = 9.81;  ///< [m/s^2] in all scenes
inline constexpr double kDegree = std::numbers::pi / 180;

/// Bodies go by their ids: 0, 1, ... as in the scene.
class RigidScene : public FileScene {
 public:
  using FileScene::FileScene;

  double inertia(Id id) { return world().inertia.read()[row(id)].z(); }

  /// The contacts of the state as it is, with the impulses of the last step.
  std::vector<ConeContact> contacts() {
    const auto all = ability<ImpulseProblem>(mechanics_of(prepared)).contacts(dt());
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

}  // namespace scree::test
