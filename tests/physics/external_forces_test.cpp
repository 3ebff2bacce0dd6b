// External wrenches: every integrator adds them, and what they do is known exactly.

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

#include "catch.hpp"
#include "scree/run/simulation.hpp"

using namespace scree;

namespace {

constexpr double kRadius = 0.01, kDensity = 1000, kDt = 1e-4;
const double kMass = kDensity * 4 / 3 * std::numbers::pi * std::pow(kRadius, 3);
const double kInertia = 0.4 * kMass * kRadius * kRadius;
const Vec3 kForce(1e-3, -2e-3, 3e-3), kTorque(2e-6, 1e-6, -3e-6);

struct Method {
  const char *integrator, *law;
};
constexpr Method kMethods[] = {{"velocity-verlet", R"({"type": "linear", "normal_stiffness": 1e3})"},
                               {"symplectic-euler", R"({"type": "linear", "normal_stiffness": 1e3})"},
                               {"gear", R"({"type": "linear", "normal_stiffness": 1e3})"},
                               {"moreau-jean", R"({"type": "coulomb", "friction": 0.5})"},
                               {"variational", R"({"type": "linear", "normal_stiffness": 1e3, "tangential": "none"})"}};

/// A free ball and a fixed one, without gravity.
Simulation scene(const Method& method, const std::string& more = "", const std::string& columns = "{}") {
  const std::string text = fmt::format(
      R"({{"dimension": 3, "gravity": [0, 0, 0], "materials": {{"m": {{"density": {}}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": {}}}}},
"bodies": [{{"shape": "ball", "material": "m", "position": [0, 0, 0], "columns": {}}},
           {{"shape": "ball", "material": "m", "position": [1, 0, 0], "fixed": true}}],
"interactions": [{{"between": ["*", "*"], "law": {}}}],
"integrator": {{"type": "{}", "dt": {}}}, "run": {{"duration": 1}}, "output": {{"writers": []{}}}}})",
      kDensity, kRadius, columns, method.law, method.integrator, kDt, more);
  return Simulation::from_text(text, {.threads = 2});
}

void put(World& world, const Vec3& force, const Vec3& torque) {
  auto [forces, torques] = world.external_wrenches();
  for (auto& f : forces.write()) f = force;
  for (auto& t : torques.write()) t = torque;
}

}  // namespace

TEST_CASE("every integrator adds external forces and torques to free bodies, and to those alone") {
  for (const Method& method : kMethods) {
    INFO(method.integrator);
    Simulation run = scene(method);
    put(run.world(), kForce, kTorque);
    run.step(50);
    const std::size_t ball = *run.world().row(0), fixed = *run.world().row(1);
    const Vec3 v = run.world().velocity[ball], w = run.world().angular_velocity[ball];
    run.step(100);
    const double t = 100 * kDt;
    CHECK((run.world().velocity[ball] - v - t / kMass * kForce).norm() < 1e-10 * t / kMass * kForce.norm());
    CHECK((run.world().angular_velocity[ball] - w - t / kInertia * kTorque).norm() <
          1e-8 * t / kInertia * kTorque.norm());
    CHECK(run.world().position[fixed] == Vec3(1, 0, 0));
    CHECK(run.world().velocity[fixed] == Vec3::Zero());
    put(run.world(), Vec3::Zero(), Vec3::Zero());
    run.step(50);
    const Vec3 last = run.world().velocity[ball];
    run.step(50);
    CHECK((run.world().velocity[ball] - last).norm() < 1e-12 * last.norm());
  }
}

TEST_CASE("in two dimensions external forces out of the plane are ignored") {
  Simulation run = Simulation::from_text(
      R"({"dimension": 2, "gravity": [0, 0], "materials": {"m": {"density": 1000}},
"shapes": {"disc": {"type": "star", "coefficients": {"a0": 1}, "radius": 0.01}},
"bodies": [{"shape": "disc", "material": "m", "position": [0, 0]}],
"interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1e3}}],
"integrator": {"type": "velocity-verlet", "dt": 1e-4}, "output": {"writers": []}, "run": {"duration": 1}})");
  put(run.world(), kForce, kTorque);
  run.step(100);
  const Vec3 v = run.world().velocity[0], w = run.world().angular_velocity[0];
  CHECK(v.x() > 0);
  CHECK(v.z() == 0);
  CHECK(w.x() == 0);
  CHECK(w.z() < 0);
}

TEST_CASE("a ball that is dragged through a fluid at rest reaches the speed of Stokes") {
  Simulation run = scene(kMethods[0]);
  run.set_gravity({0, 0, -9.81});
  const double drag = 6 * std::numbers::pi * 1.0 * kRadius;  // of a fluid of 1 Pa s [N s/m]
  const double settling = kMass * 9.81 / drag, time = kMass / drag;
  const std::size_t ball = *run.world().row(0);
  double worst = 0;
  while (run.time() < 10 * time) {
    run.world().external_wrenches().force.write()[ball] = -drag * run.world().velocity[ball];
    run.step(1);
    worst = std::max(worst, std::abs(run.world().velocity[ball].z() + settling * (1 - std::exp(-run.time() / time))));
  }
  CHECK(run.world().velocity[ball].z() == Approx(-settling).epsilon(1e-4));
  CHECK(worst < 2 * kDt / time * settling);  // the drag is that of the step before
}

TEST_CASE("the energy ledger counts the work of external forces") {
  Simulation run = scene(kMethods[0], R"(, "energy_ledger": true)");
  put(run.world(), kForce, kTorque);
  run.step(200);
  double work = 0, kinetic = 0, residual = 1;
  for (const auto& [name, value] : run.metrics()) {
    if (name == "ledger_external_J") work = value;
    if (name == "kinetic_energy_J") kinetic = value;
    if (name == "ledger_residual_J") residual = value;
  }
  CHECK(work > 0);
  CHECK(work == Approx(kinetic).epsilon(1e-12));
  CHECK(std::abs(residual) < 1e-12 * work);
}

TEST_CASE("a snapshot keeps external forces") {
  Simulation run = scene(kMethods[0]);
  put(run.world(), kForce, kTorque);
  run.step(10);
  const auto saved = run.snapshot();
  run.step(10);
  const Vec3 there = run.world().position[*run.world().row(0)];
  put(run.world(), Vec3::Zero(), Vec3::Zero());
  run.restore(*saved);
  run.step(10);
  CHECK(run.world().position[*run.world().row(0)] == there);
}

TEST_CASE("a scene sets start values of columns, and is told which there are") {
  Simulation run = scene(kMethods[0], "", R"({"external_force": [1e-3, -2e-3, 3e-3]})");
  const std::size_t ball = *run.world().row(0);
  CHECK(run.world().external_wrenches().force[ball] == kForce);
  CHECK(run.world().external_wrenches().force[*run.world().row(1)] == Vec3::Zero());
  run.step(100);
  CHECK(run.world().velocity[ball].isApprox(run.time() / kMass * kForce, 1e-12));

  CHECK_THROWS_WITH(scene(kMethods[0], "", R"({"external_forces": [0, 0, 0]})"),
                    Catch::Contains("/bodies/0/columns/external_forces") &&
                        Catch::Contains("no method of this scene has a column \"external_forces\" of bodies. Did you "
                                        "mean \"external_force\"? There are: external_force, external_torque."));
  CHECK_THROWS_WITH(scene(kMethods[0], "", R"({"mass": 1})"), Catch::Contains("no method of this scene has"));
  CHECK_THROWS_WITH(scene(kMethods[0], "", R"({"external_force": 1})"),
                    Catch::Contains("column \"external_force\" holds a vector per body, not one number."));
}
