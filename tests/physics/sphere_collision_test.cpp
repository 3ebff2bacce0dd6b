/// \file Spheres and clumps through whole steps: pipeline, law and integrator.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "scenes.hpp"
#include "scree/shape/facets.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// Two bodies of a shape that fly at each other, off centre.
std::string collision(int dimension, const std::string& shape, const char* friction) {
  return fmt::format(R"({{"dimension": {0}, "materials": {{"m": {{"density": 1000}}}}, "shapes": {{"s": {1}}},
    "bodies": [
      {{"shape": "s", "material": "m", "position": {2}, "velocity": {3}, "angular_velocity": {4}}},
      {{"shape": "s", "material": "m", "position": {5}, "orientation": {6}}}],
    "interactions": [{{"between": ["m", "m"], "law": {{"type": "linear", "normal_stiffness": 1e5,
      "tangential": "spring", "tangential_stiffness": 5e4, "friction": {7}}}}}],
    "integrator": {{"type": "velocity-verlet", "dt": 1e-6}}, "run": {{"duration": 1}}}})",
                     dimension, shape, dimension == 2 ? "[-0.25, 0.03]" : "[-0.25, 0.03, 0.02]",
                     dimension == 2 ? "[1, 0]" : "[1, 0, 0]", dimension == 2 ? "3" : "[1, 2, 3]",
                     dimension == 2 ? "[0, 0]" : "[0, 0, 0]", dimension == 2 ? "0.7" : "[0.9, 0.1, 0.4, 0.2]",
                     friction);
}

/// A scene with one sphere (or disc) and one obstacle.
std::string on_wall(int dimension, const std::string& wall, const std::string& wall_body, const char* start) {
  return fmt::format(R"({{"dimension": {}, "materials": {{"m": {{"density": 1000}}, "w": {{}}}},
    "shapes": {{"s": {{"type": "sphere", "radius": 0.1, "thickness": 0.001}}, "wall": {}}},
    "bodies": [{{"shape": "s", "material": "m", "position": {}}}, {{"shape": "wall", "material": "w", {}}}],
    "interactions": [{{"between": ["m", "w"], "law": {{"type": "linear", "normal_stiffness": 1e6, "normal_damping": 200,
      "tangential": "spring", "tangential_stiffness": 1e6, "friction": 0.5}}}}],
    "integrator": {{"type": "symplectic-euler", "dt": 1e-5}}, "run": {{"duration": 1}}}})",
                     dimension, wall, start, wall_body);
}

}  // namespace

TEST_CASE("colliding clumps keep momentum and angular momentum, and without friction energy") {
  const std::pair<int, std::string> cases[] = {
      {2, R"({"type": "sphere", "radius": 0.1, "thickness": 0.001})"},
      {3, R"({"type": "sphere", "radius": 0.1})"},
      {2, R"({"type": "clump", "template": "cross-9", "scale": 0.12, "thickness": 0.001})"},
      {3, R"({"type": "clump", "template": "tetrapod", "scale": 0.12})"},
      {3, R"({"type": "clump", "template": "cross-17", "scale": 0.12})"}};
  for (const auto& [dimension, shape] : cases) {
    for (const char* friction : {"0", "0.5"}) {
      Running run(collision(dimension, shape, friction));
      const Totals before = totals(run.world(), Vec3::Zero());
      const Vec3 moving = run.world().velocity.read()[*run.world().row(1)];
      run.steps(200000);
      const Totals after = totals(run.world(), Vec3::Zero());
      INFO(dimension << "D " << shape << ", friction " << friction);
      CHECK((run.world().velocity.read()[*run.world().row(1)] - moving).norm() > 0.01);  // they have met
      // Rounding of 200,000 steps; the angular momentum is about an origin that the bodies leave.
      CHECK((after.momentum - before.momentum).norm() < 1e-13 * before.momentum.norm());
      CHECK((after.angular_momentum - before.angular_momentum).norm() < 1e-10 * before.angular_momentum.norm());
      // A contact lasts about 1000 steps: the integrator's error is below 1e-5.
      if (std::string(friction) == "0") CHECK(after.kinetic() == Approx(before.kinetic()).epsilon(1e-5));
    }
  }
}

TEST_CASE("a sphere meets a wall that moves: it leaves with the wall's speed and what restitution adds") {
  const std::string motion = R"("position": [0, 0, 0], "motion": {"velocity": [0, 0, 1]})";
  Running run(on_wall(3, R"({"type": "half-space"})", motion, "[0, 0, 0.101]"));
  run.steps(2000);
  const double speed = run.world().velocity.read()[*run.world().row(0)][2];
  // A damped oscillator that parts where the force, never pulling, has fallen to 0: T. Schwager, T. Poschel, Granular
  // Matter 9 (2007) 465, eq. (21). The integrator's error is of first order, 1e-5 s in a contact of 6.4e-3 s.
  const double mass = 1000 * 4 * std::numbers::pi / 3 * 1e-3, decay = 200 / (2 * mass),
               frequency = std::sqrt(1e6 / mass - decay * decay);
  const double parts = std::numbers::pi - std::atan2(2 * decay * frequency, frequency * frequency - decay * decay);
  CHECK(speed == Approx(1 + std::exp(-decay / frequency * parts)).epsilon(1e-3));
}

TEST_CASE("a belt under a sphere drives it on, a drum turns it: surface velocity and rotation act at the contact") {
  const char* gravity = R"("gravity": [0, 0, -9.81], )";
  std::string belt = on_wall(3, R"({"type": "half-space"})",
                             R"("position": [0, 0, 0], "fixed": true, "surface_velocity": [1, 0, 0])", "[0, 0, 0.1]");
  belt.insert(belt.find("\"materials\""), gravity);
  Running run(belt);
  run.steps(50000);  // 0.5 s: slips at 0.5 g until 2/7 of the belt's speed is reached, then rolls
  // The undamped tangential spring keeps swinging, by mu m g / sqrt(k_t 2m/7) 2/7 = 0.0054 m/s.
  CHECK(run.world().velocity.read()[*run.world().row(0)][0] == Approx(2.0 / 7).margin(0.006));

  std::string drum = on_wall(3, R"({"type": "cylinder", "radius": 1, "length": 1, "inside": true})",
                             R"("position": [0, 0, 0], "orientation": [0.70710678, 0.70710678, 0, 0],
                                "motion": {"angular_velocity": [0, 1, 0]})",
                             "[0, 0, -0.9]");
  drum.insert(drum.find("\"materials\""), gravity);
  Running turning(drum);
  turning.steps(5000);
  // The drum's lowest point moves along -x (omega x r = (0,1,0) x (0,0,-1) = (-1,0,0)): so does the sphere.
  CHECK(turning.world().velocity.read()[*turning.world().row(0)][0] < -0.05);
}

TEST_CASE("in the corner of a box container a sphere comes to rest on three walls") {
  std::string scene = on_wall(3, R"({"type": "box", "half_sizes": [0.5, 0.5, 0.5], "inside": true})",
                              R"("position": [0, 0, 0], "fixed": true)", "[0.39, 0.39, -0.39]");
  scene.insert(scene.find("\"materials\""), R"("gravity": [5, 5, -5], )");
  scene.insert(scene.find("\"integrator\""), R"("damping": {"linear": 50, "angular": 0.05}, )");
  Running run(scene);
  run.steps(50000);
  CHECK(mechanics_of(run.prepared).pipeline().counts().contacts == 3);
  const double m = 1000 * 4 * 3.141592653589793 / 3 * 1e-3, sunk = m * 5 / 1e6;
  const Vec3 x = run.world().position.read()[*run.world().row(0)];
  // Friction springs on the three walls carry part of the load.
  for (int k = 0; k < 3; ++k) CHECK(std::abs(std::abs(x[k]) - 0.4) < sunk * 1.01);
}

TEST_CASE("one name in both dimensions: sphere is a disc in 2D, box a cuboid in 3D") {
  Running plane(on_wall(2, R"({"type": "box", "half_sizes": [0.5, 0.5], "inside": true})",
                        R"("position": [0, 0], "fixed": true)", "[0.405, -0.405]"));
  plane.steps(1);
  CHECK(mechanics_of(plane.prepared).pipeline().counts().contacts == 2);
  try {
    Running wrong(on_wall(3, R"({"type": "box", "half_sizes": [0.5, 0.5], "inside": true})",
                          R"("position": [0, 0, 0], "fixed": true)", "[0, 0, 0]"));
    CHECK(false);
  } catch (const InputError& e) {
    CHECK_THAT(e.what(), Catch::Matchers::ContainsSubstring(
                             "/shapes/wall/half_sizes: has 2 numbers; the scene has dimension 3. Give [x, y, "
                             "z]."));
  }
  try {
    Running wrong(on_wall(3, R"({"type": "half-plane"})", R"("position": [0, 0, 0], "fixed": true)", "[0, 0, 0]"));
    CHECK(false);
  } catch (const InputError& e) {
    CHECK_THAT(e.what(), Catch::Matchers::ContainsSubstring(
                             "a half-plane is a shape of 2 dimensions; the scene's /dimension is 3."));
  }
}

TEST_CASE("a clump stands where and how the scene says, whatever its principal axes") {
  Running run(R"({"dimension": 3, "materials": {"m": {"density": 1000}},
    "shapes": {"s": {"type": "clump", "spheres": [{"position": [0, 0, 0], "radius": 0.1},
      {"position": [0.1, 0.05, 0], "radius": 0.05}, {"position": [0, 0.1, 0.1], "radius": 0.05}]}},
    "bodies": [{"shape": "s", "material": "m", "position": [1, 2, 3], "orientation": [0.70710678118654752, 0, 0, 0.70710678118654752]}],
    "integrator": {"type": "symplectic-euler", "dt": 1e-5}, "run": {"duration": 1}})");
  const World& world = run.world();
  const auto& set = *facet<SphereSet>(*world.shapes()[0].shape);
  // A quarter turn about z: (x, y, z) -> (-y, x, z).
  const Vec3 expected[] = {{1, 2, 3}, {0.95, 2.1, 3}, {0.9, 2, 3.1}};
  for (std::size_t k = 0; k < 3; ++k)
    CHECK((world.position.read()[0] + world.orientation.read()[0] * set.centres()[k] - expected[k]).norm() < 1e-12);
}

TEST_CASE("spheres against stars: the star's nodes meet the disc's distance") {
  Running run(R"({"dimension": 2, "materials": {"m": {"density": 1000}},
    "shapes": {"disc": {"type": "sphere", "radius": 0.1, "thickness": 0.001},
               "star": {"type": "star", "coefficients": {"a0": 3, "cos": {"5": 1}}, "radius": 0.1, "thickness": 0.001}},
    "bodies": [{"shape": "disc", "material": "m", "position": [0, 0]}, {"shape": "star", "material": "m", "position": [0.15, 0]}],
    "interactions": [{"between": ["m", "m"], "law": {"type": "linear", "normal_stiffness": 1000, "tangential": "none"}}],
    "integrator": {"type": "symplectic-euler", "dt": 1e-5}, "run": {"duration": 1}})");
  run.steps(10);
  CHECK(mechanics_of(run.prepared).pipeline().counts().contacts >= 1);
}
