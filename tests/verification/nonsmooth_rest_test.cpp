// Rigid contact over long times and wide ranges: stacks that do not creep, light bodies under heavy ones, floors of
// tiles without bumps.

#include <algorithm>
#include <cmath>

#include "rigid_scene.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr const char* kBox = R"({"type": "spheropolygon", "radius": 0.01,
  "vertices": [[-0.24, -0.24], [0.24, -0.24], [0.24, 0.24], [-0.24, 0.24]]})";

/// Boxes of 0.5 m on each other on a floor. \param densities  from below [kg/m^3]
SceneText stack(const std::vector<double>& densities, double dt) {
  std::string materials, bodies;
  for (std::size_t k = 0; k < densities.size(); ++k) {
    materials += fmt::format(R"("m{}": {{"density": {}}}, )", k, densities[k]);
    bodies += fmt::format(R"({{"name": "b{0}", "shape": "box", "material": "m{0}", "position": [0, {1}]}}, )", k,
                          0.25 + 0.5 * static_cast<double>(k));
  }
  return {fmt::format(R"({{"dimension": 2, "gravity": [0, -9.81], "materials": {{{0} "f": {{}}}},
    "shapes": {{"box": {1}, "floor": {{"type": "half-plane"}}}},
    "bodies": [{2} {{"name": "floor", "shape": "floor", "material": "f", "fixed": true}}],
    "interactions": [
      {{"between": ["*", "*"], "detector": {{"type": "vertex-edge", "corner_weight": 3}},
        "law": {{"type": "coulomb", "friction": 0.5}}}},
      {{"between": ["*", "f"], "law": {{"type": "coulomb", "friction": 0.5}}}}],
    "integrator": {{"type": "moreau-jean", "dt": {3}}},
    "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                      materials, kBox, bodies, dt)};
}

/// A block or a ball on 20 flush tiles 50 mm long, the first of which ends at x = 0.025.
/// \param wall  adds a tile that stands on them at x = 0.7
SceneText tiles(int dimension, double speed, bool wall) {
  const bool flat = dimension == 2;
  const std::string shapes = flat ? R"("b": {"type": "spheropolygon", "radius": 0.002,
      "vertices": [[-0.018, -0.008], [0.018, -0.008], [0.018, 0.008], [-0.018, 0.008]]},
    "tile": {"type": "spheropolygon", "radius": 0, "vertices": [[-0.025, -0.02], [0.025, -0.02], [0.025, 0.02], [-0.025, 0.02]]})"
                                  : R"("b": {"type": "sphere", "radius": 0.01},
    "tile": {"type": "box", "half_sizes": [0.025, 0.2, 0.02]})";
  const std::string low = flat ? "-0.02" : "0, -0.02", high = flat ? "0.02" : "0, 0.02";
  std::string places;
  for (int k = 0; k < 20; ++k)
    places += fmt::format(R"({}{{"position": [{}, {}]}})", k == 0 ? "" : ", ", 0.05 * k, low);
  if (wall) places += fmt::format(R"(, {{"position": [0.7, {}]}})", high);
  return {fmt::format(R"({{"dimension": {}, "gravity": [0, {}], "materials": {{"b": {{"density": 1000}}, "f": {{}}}},
    "shapes": {{{}}},
    "bodies": [{{"name": "b", "shape": "b", "material": "b", "position": [0, {}0.01], "velocity": [{}, 0{}]{}}},
      {{"name": "tiles", "shape": "tile", "material": "f", "fixed": true, "packing": {{"type": "list", "places": [{}]}}}}],
    "interactions": [{{"between": ["b", "f"], {} "law": {{"type": "coulomb", "friction": {}}}}},
      {{"between": ["b", "b"], "law": "none"}}],
    "integrator": {{"type": "moreau-jean", "dt": 0.001}}, "domain": {{"lower": [-9, -9{}], "upper": [9, 9{}]}},
    "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                      dimension, flat ? "-9.81" : "0, -9.81", shapes, flat ? "" : "0, ", speed, flat ? "" : ", 0",
                      flat ? "" : fmt::format(R"(, "angular_velocity": [0, {}, 0])", 100 * speed), places,
                      flat ? R"("detector": {"type": "vertex-edge", "corner_weight": 3},)" : "", flat ? 0 : 0.5,
                      flat ? "" : ", -9", flat ? "" : ", 9")};
}

}  // namespace

TEST_CASE("five boxes at rest do not creep") {
  RigidScene s(stack({1000, 1000, 1000, 1000, 1000}, 0.005));
  s.until(2);
  std::vector<Vec3> before;
  for (Id id = 0; id < 5; ++id) before.push_back(s.position(id));
  s.until(22);
  double moved = 0;
  for (Id id = 0; id < 5; ++id) moved = std::max(moved, std::abs((s.position(id) - before[id]).x()));
  compare("five boxes, 20 s", "moved sideways [m]", 0, moved, 1e-7);
}

TEST_CASE("a light box carries one of up to a million times its mass") {
  for (const double ratio : {1e2, 1e4, 1e6}) {
    RigidScene s(stack({100, 100 * ratio}, 0.001));
    s.until(1);
    const std::string name = fmt::format("mass ratio {:g}", ratio);
    compare(name, "speed of the heavy box [m/s]", 0, s.velocity(1).norm(), 3e-4);  // 3 % of g dt
    compare("", "height [m]", 0.75, s.position(1).y(), 1e-4);                      // 1 % of the corners' radius
  }
}

TEST_CASE("seams of flush tiles do not slow down what slides or rolls over them") {
  for (const int dimension : {2, 3}) {
    for (const double speed : {0.8, 4.0}) {
      RigidScene s(tiles(dimension, speed, false));
      const double height = s.position(0)[dimension - 1];
      double hop = 0;
      while (s.position(0).x() < 0.83) {
        s.steps(1);
        hop = std::max(hop, s.position(0)[dimension - 1] - height);
      }
      const std::string name = fmt::format("{} at {} m/s", dimension == 2 ? "block" : "ball", speed);
      compare(name, "speed over 16 seams", 1, s.velocity(0).x() / speed, 1e-6);
      compare("", "highest hop [m]", 0, hop, 1e-9);
    }
  }
}

TEST_CASE("a wall on the tiles stops what slides or rolls") {
  for (const int dimension : {2, 3}) {
    RigidScene s(tiles(dimension, 0.8, true));
    s.until(1);
    const std::string name = fmt::format("wall, {}D", dimension);
    const double reach = dimension == 2 ? 0.02 : 0.01;
    compare(name, "place [m]", 0.675 - reach, s.position(0).x(), 1e-5);
  }
}

TEST_CASE("a servo wall on rigid contacts is refused") {
  const SceneText pressed{R"({"dimension": 3, "gravity": [0, 0, -9.81], "materials": {"m": {"density": 2500}, "w": {}},
    "shapes": {"s": {"type": "sphere", "radius": 0.01}, "floor": {"type": "half-space"},
      "lid": {"type": "half-space", "normal": [0, 0, -1]}},
    "bodies": [{"name": "b", "shape": "s", "material": "m", "position": [0, 0, 0.01]},
      {"name": "floor", "shape": "floor", "material": "w", "fixed": true},
      {"name": "lid", "shape": "lid", "material": "w", "position": [0, 0, 0.0201], "motion": {}}],
    "hooks": [{"type": "servo-wall", "bodies": "lid", "direction": [0, 0, -1], "force": 1, "max_speed": 0.05,
      "interval": 0.001, "gain": 0.05}],
    "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb"}}],
    "integrator": {"type": "moreau-jean", "dt": 0.001}, "output": {"writers": []}, "run": {"duration": 0.5}})"};
  CHECK_THROWS_WITH(RigidScene(pressed), Catch::Matchers::Contains("contacts of this integrator have no stiffness"));
}
