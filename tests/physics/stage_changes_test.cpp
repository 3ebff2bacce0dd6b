// What a stage changes happens when and as the scene says. The answers are known: no run is compared with another one.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "scree/run/simulation.hpp"

using namespace scree;

namespace {

constexpr double kRadius = 0.005, kDensity = 2500, kStiffness = 1e4;  // [m], [kg/m^3], [N/m]
const double kMass = kDensity * 4 / 3 * std::numbers::pi * std::pow(kRadius, 3);

struct Staged {
  std::string gravity = "[0, 0, 0]", bodies, stages;
  std::string law = R"("normal_damping": 0)";
  std::string integrator = R"({"type": "velocity-verlet", "dt": 1e-4})";

  Simulation run() const {
    return Simulation::from_text(fmt::format(R"({{"dimension": 3, "gravity": {}, "materials":
      {{"grain": {{"density": {}}}, "wall": {{}}}}, "shapes": {{"bead": {{"type": "sphere", "radius": {}}},
      "floor": {{"type": "half-space", "normal": [0, 0, 1]}}, "lid": {{"type": "half-space", "normal": [0, 0, -1]}}}},
      "bodies": [{}], "interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": {}, {}}}}}],
      "integrator": {}, "stages": [{}], "output": {{"writers": []}}}})",
                                             gravity, kDensity, kRadius, bodies, kStiffness, law, integrator, stages));
  }
};

/// Of the first body of an entry.
std::size_t row_of(const World& world, const std::string& entry) {
  const auto group = world.group.read();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (world.group_names[group[i]] == entry) return i;
  FAIL("no body of " << entry);
  return 0;
}
Vec3 position(const Simulation& run, const std::string& entry) {
  return run.world().position.read()[row_of(run.world(), entry)];
}
Vec3 velocity(const Simulation& run, const std::string& entry) {
  return run.world().velocity.read()[row_of(run.world(), entry)];
}

std::string bead_at(double z, const std::string& more = "") {
  return fmt::format(R"({{"name": "bead", "shape": "bead", "material": "grain", "position": [0, 0, {}]{}}})", z, more);
}
const std::string kFloor = R"({"name": "floor", "shape": "floor", "material": "wall", "fixed": true})";

}  // namespace

TEST_CASE("a lid that a stage makes faster goes on from where it is, and meets the bead when it gets there") {
  Staged scene;
  scene.bodies = bead_at(0.035) + R"(, {"name": "lid", "shape": "lid", "material": "wall", "position": [0, 0, 0.06],
    "motion": {"velocity": [0, 0, -0.05]}})";
  scene.stages = R"({"name": "slow", "until": {"time": 0.1}}, {"name": "fast", "until": {"time": 1},
    "change": {"integrator": {"dt": 5e-5}, "bodies": {"lid": {"motion": {"velocity": [0, 0, -0.1]}}}}})";
  Simulation run = scene.run();
  run.run_until(0.1);
  CHECK(position(run, "lid")[2] == Approx(0.055).epsilon(1e-12));
  run.run_until(0.2);
  CHECK(position(run, "lid")[2] == Approx(0.045).epsilon(1e-12));  // rounding
  // 5 mm of the gap of 20 mm are gone after 0.1 s, the others take 0.15 s.
  run.run_until(0.2498);
  CHECK(run.contacts().empty());
  run.run_until(0.2502);
  CHECK(run.contacts().size() == 1);
  CHECK(run.steps() == 1000 + 3004);
}

TEST_CASE("a motion that a stage lets begin later begins then, and a lid that turns goes on from its angle") {
  Staged scene;
  scene.bodies = bead_at(0) + R"(, {"name": "lid", "shape": "lid", "material": "wall", "position": [0, 0, 0.06],
    "motion": {"velocity": [0, 0, -0.05]}}, {"name": "wheel", "shape": "bead", "material": "wall", "position": [1, 0, 0],
    "motion": {"angular_velocity": [0, 0, 1], "centre": [0, 0, 0]}})";
  scene.stages = R"({"name": "before", "until": {"steps": 1000}}, {"name": "after", "until": {"duration": 1}, "change":
    {"bodies": {"lid": {"motion": {"velocity": [0, 0, -0.1], "start": 0.2}},
                "wheel": {"motion": {"angular_velocity": [0, 0, 2], "centre": [0, 0, 0]}}}}})";
  Simulation run = scene.run();
  run.run_until(0.15);
  CHECK(position(run, "lid")[2] == Approx(0.055).epsilon(1e-12));
  CHECK(velocity(run, "lid").norm() == 0);
  run.run_until(0.3);
  CHECK(position(run, "lid")[2] == Approx(0.045).epsilon(1e-12));
  const double angle = 0.1 * 1 + 0.2 * 2;  // [rad]
  CHECK((position(run, "wheel") - Vec3(std::cos(angle), std::sin(angle), 0)).norm() < 1e-12);
}

TEST_CASE("a bead rolls on a belt with two sevenths of its speed, and rests when a stage stops the belt") {
  // Friction acts in the plane of the belt, so that the angular momentum about its line of action stays 0: m v r = I w.
  constexpr double g = 10, belt = 0.1;  // [m/s^2], [m/s]
  Staged scene;
  scene.gravity = fmt::format("[0, 0, {}]", -g);
  scene.law = R"("restitution": 0.2, "friction": 0.5, "tangential_damping": 1)";
  scene.integrator = R"({"type": "velocity-verlet", "dt": 5e-5})";
  scene.bodies = bead_at(kRadius - kMass * g / kStiffness) +
                 fmt::format(R"(, {{"name": "belt", "shape": "floor", "material": "wall", "fixed": true,
                                    "surface_velocity": [{}, 0, 0]}})",
                             belt);
  scene.stages = R"({"name": "on", "until": {"duration": 0.1}},
    {"name": "off", "change": {"bodies": {"belt": {"surface_velocity": [0, 0, 0]}}}, "until": {"duration": 1}})";
  Simulation run = scene.run();
  run.run_until(0.1);
  CHECK(velocity(run, "bead")[0] == Approx(2.0 / 7 * belt).epsilon(1e-3));  // a spring that swings a little
  run.run_until(0.2);
  CHECK(std::abs(velocity(run, "bead")[0]) < 1e-3 * belt);
  CHECK(run.world().angular_velocity.read()[row_of(run.world(), "bead")].norm() * kRadius < 1e-3 * belt);
}

TEST_CASE("an emitter that a stage adds, and that acts once, makes its body at the stage's beginning") {
  const std::string emitter =
      R"({"type": "emitter", "name": "NAME", "shape": "bead", "material": "grain", "points": [[X, 0, 0]], "number": 1)";
  const auto named = [&](const std::string& name, const std::string& x) {
    std::string text = emitter;
    text.replace(text.find("NAME"), 4, name);
    return text.replace(text.find("[X"), 2, "[" + x);
  };
  Staged scene;
  scene.bodies = bead_at(0);
  scene.stages = fmt::format(R"({{"name": "one", "until": {{"steps": 101}}}},
    {{"name": "two", "change": {{"hooks": [{}}}, {}, "start": 0.05}}]}}, "until": {{"duration": 1}}}})",
                             named("now", "0.1"), named("later", "0.2"));
  Simulation run = scene.run();
  run.step(101);
  CHECK(run.world().size() == 1);
  run.step();
  CHECK(run.world().size() == 2);
  run.run_until(0.06);
  CHECK(run.world().size() == 3);
}

TEST_CASE("a condition with a hold is met without break: earlier times below the threshold do not count") {
  // A bead falls, loses half of its speed at each impact, and is below the threshold at its turning points for 0.03 and
  // 0.06 s. From the second impact on it is below for ever.
  constexpr double g = 10, first = 1, threshold = 0.3, hold = 0.08;  // [m/s^2], [m/s], [m/s], [s]
  Staged scene;
  scene.gravity = fmt::format("[0, 0, {}]", -g);
  scene.law = R"("restitution": 0.5, "tangential": "none")";
  scene.integrator = R"({"type": "velocity-verlet", "dt": 2e-5})";
  scene.bodies = bead_at(kRadius + first * first / (2 * g)) + ", " + kFloor;
  scene.stages = fmt::format(R"({{"name": "fall", "until": {{"figure": "kinetic_energy_J", "below": {}, "hold": {},
    "interval": 0.001, "limit": 1}}}}, {{"name": "end", "until": {{"duration": 1}}}})",
                             kMass * threshold * threshold / 2, hold);
  Simulation run = scene.run();
  while (run.stage() == "fall" && run.time() < 1) run.step(50);
  const double second_impact = first / g + 2 * 0.5 * first / g,
               contact = std::numbers::pi * std::sqrt(kMass / kStiffness);
  // Two contacts and a look each side.
  CHECK(run.time() == Approx(second_impact + hold).margin(2 * contact + 0.003));
}

TEST_CASE("gear that a stage puts in the place of velocity-verlet knows the accelerations from its first step on") {
  // A bead on a spring of its contact with the floor, in mid-swing at the change.
  constexpr double g = 10;  // [m/s^2]
  const double sag = kMass * g / kStiffness, omega = std::sqrt(kStiffness / kMass);
  Staged scene;
  scene.gravity = fmt::format("[0, 0, {}]", -g);
  scene.law = R"("normal_damping": 0, "tangential": "none")";
  const double dt = 2 * std::numbers::pi / omega / 400;
  scene.integrator = fmt::format(R"({{"type": "velocity-verlet", "dt": {}}})", dt);
  scene.bodies = bead_at(kRadius - 1.5 * sag) + ", " + kFloor;
  scene.stages = fmt::format(R"({{"name": "verlet", "until": {{"steps": 4}}}},
    {{"name": "gear", "change": {{"integrator": {{"type": "gear", "dt": {}}}}}, "until": {{"steps": 100000}}}})",
                             dt);
  Simulation run = scene.run();
  run.step(4 + 4096);  // a quarter of a period later: the swing passes its middle, where an error of phase shows most
  const double z = kRadius - sag - 0.5 * sag * std::cos(omega * run.time());
  CHECK(std::abs(position(run, "bead")[2] - z) < 1e-4 * sag);
}

TEST_CASE(
    "a body that a stage sets free falls from then on, one that it fixes stays, a floor that it removes is gone") {
  constexpr double g = 10;  // [m/s^2]
  Staged scene;
  scene.gravity = fmt::format("[0, 0, {}]", -g);
  scene.bodies = bead_at(0.5, R"(, "fixed": true)") + ", " + kFloor + R"(,
    {"name": "flyer", "shape": "bead", "material": "grain", "position": [1, 0, 0.5]})";
  scene.stages = R"({"name": "one", "until": {"steps": 997}}, {"name": "two", "until": {"duration": 1}, "change":
    {"bodies": {"bead": {"fixed": false}, "flyer": {"fixed": true}, "floor": {"removed": true}}}})";
  Simulation run = scene.run();
  run.step(997 + 5000);
  // Free fall is exact with velocity-verlet: rounding.
  CHECK(std::abs(position(run, "bead")[2] - (0.5 - g * 0.5 * 0.5 / 2)) < 1e-12);
  CHECK(std::abs(position(run, "flyer")[2] - (0.5 - g * 0.0997 * 0.0997 / 2)) < 1e-12);
  CHECK(velocity(run, "flyer").norm() == 0);
  CHECK(run.world().size() == 2);
}
