/// \file Loads over time: what they do to a body is known in closed form, and what they did is in the ledger.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"

using namespace scree;

namespace {

constexpr double kRadius = 0.01, kMass = 0.004, kStep = 1e-4;
const double kInertia = 0.4 * kMass * kRadius * kRadius;

/// Balls of 4 g with loads, and a fixed one.
struct Scene {
  std::string hooks, integrator = "velocity-verlet", gravity = "[0, 0, 0]", more = "";
  double dt = kStep;
  std::string text() const {
    return fmt::format(
        R"({{"dimension": 3, "gravity": {}, "materials": {{"m": {{"density": {}}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": {}}}}},
"bodies": [{{"name": "a", "shape": "ball", "material": "m", "position": [0, 0, 0]}},
           {{"name": "b", "shape": "ball", "material": "m", "position": [1, 0, 0]}},
           {{"name": "fixed", "shape": "ball", "material": "m", "position": [2, 0, 0], "fixed": true}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 1e3}}}}], "hooks": [{}],
"integrator": {{"type": "{}", "dt": {}}}, "run": {{"duration": 10}}, "output": {{"writers": [], "energy_ledger": true}}{}}})",
        gravity, kMass / (4. / 3 * std::numbers::pi * std::pow(kRadius, 3)), kRadius, hooks, integrator, dt, more);
  }
  Simulation run() const { return Simulation::from_text(text(), {.threads = 1}); }
};

std::string load(const std::string& name, const std::string& options) {
  return fmt::format(R"({{"type": "external-load", "name": "{}", {}}})", name, options);
}

double figure(Simulation& run, const std::string& name) {
  for (const auto& [column, value] : run.metrics())
    if (column == name) return value;
  FAIL("no " << name);
  return 0;
}

std::string refusal(const std::string& options) {
  try {
    Scene{load("l", options)}.run();
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a constant force and torque accelerate free bodies of their entries alone, and their work is booked") {
  for (const std::string integrator : {"velocity-verlet", "symplectic-euler", "rk4"}) {
    Simulation run =
        Scene{load("push", R"("bodies": ["a"], "force": [0.01, 0, -0.02], "torque": [0, 1e-5, 0])"), integrator}.run();
    run.step(1);
    const Vec3 v = run.world().velocity[0], w = run.world().angular_velocity[0];
    run.step(1000);
    CAPTURE(integrator);
    CHECK((run.world().velocity[0] - v - Vec3(0.01, 0, -0.02) * 0.1 / kMass).norm() < 1e-12);
    CHECK((run.world().angular_velocity[0] - w - Vec3(0, 1e-5, 0) * 0.1 / kInertia).norm() < 1e-9);
    CHECK(run.world().velocity[1].isZero(0));
    CHECK(figure(run, "push_load_z_N") == -0.02);
    const double kinetic = figure(run, "kinetic_energy_J");
    CHECK(figure(run, "ledger_external_J") == Approx(kinetic).epsilon(1e-9));
    CHECK(std::abs(figure(run, "ledger_residual_J")) < 1e-12 * kinetic);
  }
}

TEST_CASE("a harmonic force moves a body as its integral says, and halving dt at least halves the error") {
  constexpr double amplitude = 0.01, frequency = 2, omega = 2 * std::numbers::pi * frequency;
  for (const std::string integrator : {"velocity-verlet", "symplectic-euler"}) {
    double errors[2];
    for (int k = 0; k < 2; ++k) {
      const double dt = kStep * (k == 0 ? 2 : 1);
      Simulation run =
          Scene{load("shake", fmt::format(R"("force_amplitude": [{}, 0, 0], "frequency": {}, "interval": {})",
                                          amplitude, frequency, dt)),
                integrator, "[0, 0, 0]", "", dt}
              .run();
      run.run_until(0.7);
      const double expected = amplitude / (kMass * omega) * (0.7 - std::sin(omega * 0.7) / omega);
      errors[k] = std::abs(run.world().position[0].x() - expected);
      CHECK(errors[k] < 2 * dt * amplitude / (kMass * omega));
      CHECK(run.world().position[1].x() - 1 == Approx(run.world().position[0].x()).epsilon(1e-12));
    }
    CAPTURE(integrator);
    CHECK(errors[1] < 0.55 * errors[0]);
  }
}

TEST_CASE("a force by table gives the impulse of its integral, from its start to its stop") {
  // A triangle of 0.02 N, 0.2 s wide, from t = 0.1 s; and a torque that ends at its stop.
  Simulation run =
      Scene{load("hit", R"("bodies": ["a"], "start": 0.1, "interval": 1e-4,
            "forces": [{"time": 0, "force": [0, 0, 0]}, {"time": 0.1, "force": [0, 0.02, 0]}, {"time": 0.2, "force": [0, 0, 0]}])") +
            "," +
            load("turn",
                 R"("bodies": ["b"], "torques": [{"time": 0, "torque": [0, 0, 1e-5]}], "interval": 1e-4, "stop": 0.2)")}
          .run();
  run.run_until(0.05);
  CHECK(run.world().velocity[0].isZero(0));
  run.run_until(0.5);
  CHECK(run.world().velocity[0].y() == Approx(0.02 * 0.2 / 2 / kMass).epsilon(1e-9));
  CHECK(run.world().angular_velocity[1].z() == Approx(1e-5 * 0.2 / kInertia).epsilon(1e-3));  // a step more or less
  CHECK(figure(run, "turn_load_torque_z_N_m") == 0);
  CHECK(run.world().find_column("external_torque")->as<Vec3>()[1].isZero(0));
  const double kinetic = figure(run, "kinetic_energy_J");
  CHECK(std::abs(figure(run, "ledger_residual_J")) < 1e-12 * kinetic);
}

TEST_CASE("loads on a body add up with each other and with what the scene puts there, and go without a trace") {
  const std::string column = R"(, "columns": {"external_force": [0, 0, 0.1]})";
  Scene scene{load("one", R"("force": [0.01, 0, 0], "interval": 1e-4, "stop": 0.01)") + "," +
              load("two", R"("bodies": ["a"], "force": [0.02, 0.03, 0])")};
  std::string text = scene.text();
  text.insert(text.find(R"("position": [0, 0, 0])") + 21, column);
  Simulation run = Simulation::from_text(text, {.threads = 1});
  run.step(5);
  const auto force = [&](std::size_t i) { return run.world().find_column("external_force")->as<Vec3>()[i]; };
  CHECK((force(0) - Vec3(0.03, 0.03, 0.1)).norm() < 1e-15);
  CHECK(force(1) == Vec3(0.01, 0, 0));
  CHECK(force(2).isZero(0));
  run.run_until(0.05);
  CHECK((force(0) - Vec3(0.02, 0.03, 0.1)).norm() < 1e-15);
  CHECK(force(1).isZero(0));
}

TEST_CASE("a ball that hangs in a force against its weight stays, and a body that comes later has the load too") {
  Scene scene{load("lift", fmt::format(R"("force": [0, 0, {}], "interval": 1e-4)", kMass * 10)), "velocity-verlet",
              "[0, 0, -10]"};
  Simulation run = scene.run();
  run.step(10);
  BodySpec late;
  late.position = {5, 0, 0};
  const Id id = run.world().add(std::span(&late, 1))[0];
  run.step(2000);
  CHECK(std::abs(run.world().velocity[0].z()) < 0.0011);  // the first half step is without it
  CHECK(std::abs(run.world().velocity[*run.world().row(id)].z()) < 0.0011);
}

TEST_CASE("a run with loads goes on from a checkpoint with the same bits") {
  const Scene scene{
      load("shake", R"("force_amplitude": [0.01, 0, 0.02], "torque": [0, 0, 1e-6], "frequency": 3, "interval": 3e-4)") +
      "," + load("push", R"("force": [0, 0.001, 0])")};
  Simulation whole = scene.run(), parts = scene.run();
  whole.step(500);
  parts.step(250);
  Simulation rest = scene.run();
  rest.restore(*parts.snapshot());
  rest.step(250);
  CHECK(state_hash(rest.world()) == state_hash(whole.world()));
  CHECK(rest.world().metrics() == whole.world().metrics());
}

TEST_CASE("loads that cannot act are refused with place and remedy") {
  using Catch::Contains;
  CHECK_THAT(refusal(R"("bodies": ["a"])"),
             Contains("/hooks/0") && Contains("external-load: has no load. Give a \"force\" [N], a "
                                              "\"torque\" [N m], or tables of them."));
  CHECK_THAT(refusal(R"("bodies": ["fixed"], "force": [1, 0, 0])"),
             Contains("/hooks/0/bodies/0: external-load: no body of \"fixed\" moves freely") &&
                 Contains("Remove its \"fixed\" or \"motion\", or name others."));
  CHECK_THAT(refusal(R"("force": [1, 0, 0], "interval": 1, "start": 3, "stop": 2)"),
             Contains("/stop") && Contains("stop is 2 s, not after the start at 3 s"));
  try {
    Scene{load("l", R"("force": [1, 0, 0])") + ", " + load("l", R"("force": [0, 1, 0])")}.run();
    FAIL("two of one name");
  } catch (const InputError& e) {
    CHECK_THAT(
        e.what(),
        Contains("/hooks/1/name: \"l\" is the name of another hook of type \"external-load\", that of /hooks/0."));
  }
  CHECK_THAT(refusal(R"("bodies": ["c"], "force": [1, 0, 0])"), Contains("there is no entry \"c\" of bodies"));
  CHECK_THAT(refusal(R"("force_amplitude": [1, 0, 0], "interval": 1)"),
             Contains("/hooks/0/force_amplitude: external-load: has no \"frequency\""));
  CHECK_THAT(refusal(R"("force_amplitude": [1, 0, 0], "frequency": 1)"),
             Contains("external-load: has no \"interval\", so that the load would be set once."));
  CHECK_THAT(refusal(R"("force": [1, 0, 0], "stop": 1)"),
             Contains("/hooks/0/stop: external-load: without an \"interval\" the load is set once, and never ends."));
  CHECK_THAT(
      refusal(R"("torques": [{"time": 1, "torque": [0, 0, 1]}, {"time": 1, "torque": [0, 0, 2]}], "interval": 1)"),
      Contains("/hooks/0/torques/1/time: external-load: 1 s is not after the 1 s of the row before."));
  CHECK_THAT(refusal(R"("force": [0, 1])"),
             Contains("/hooks/0/force") && Contains("a scene of dimension 3 needs 3 numbers here, got [0,1] (array)."));
  CHECK_THAT(refusal(R"("torques": [{"time": 1, "torque": [0, 1]}], "interval": 1)"),
             Contains("/hooks/0/torques/0/torque") && Contains("needs 3 numbers here"));
  CHECK_THAT(refusal(R"("name": "a b", "force": [1, 0, 0])"), Contains("/hooks/0/name"));
}
