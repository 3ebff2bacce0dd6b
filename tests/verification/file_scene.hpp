#pragma once
/// \file A scene run in the test's process, for what no row of metrics.csv tells: the state of single bodies, to the
/// last bit.

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "scenes.hpp"
#include "series.hpp"

namespace scree::test {

/// What a file would say, of a scene that a test writes.
struct SceneText {
  std::string json;
};

/// A scene of tests/verification/scenes. Bodies go by their ids: 0, 1, ... as in the scene.
class FileScene : public Running {
 public:
  /// \param sets  values changed as by --set: "/integrator/dt=1e-3"
  explicit FileScene(const std::string& name, const std::vector<std::string>& sets = {})
      : FileScene(SceneText{slurp(fmt::format("{}/{}.json", SCREE_SCENES, name))}, sets) {}
  explicit FileScene(const SceneText& text, const std::vector<std::string>& sets = {}) : Running(text.json, sets) {
    prepared.methods.integrator->columns(world());
  }

  std::size_t row(Id id) { return world().row(id).value(); }
  double mass(Id id) { return world().mass.read()[row(id)]; }
  Vec3 position(Id id) { return world().position.read()[row(id)]; }
  Quat orientation(Id id) { return world().orientation.read()[row(id)]; }
  Vec3 velocity(Id id) { return world().velocity.read()[row(id)]; }
  Vec3 spin(Id id) { return world().angular_velocity.read()[row(id)]; }
  void until(double time) { steps(static_cast<std::uint64_t>(std::llround((time - world().time) / dt()))); }
};

/// A vector of the plane or of space as --set takes it.
inline std::string json(std::initializer_list<double> numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); }

}  // namespace scree::test
