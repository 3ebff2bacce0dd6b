// Scheme sdirk2 of the integrator `variational` in scenes: its order where bodies are driven and loads vary, friction
// inside the solve, steps divided where bonds break, and bonds that release what they held.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "catch.hpp"
#include "scenes.hpp"
#include "scree/run/simulation.hpp"
#include "step/places_after.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using test::largest_distance;
using test::places_after;
using test::Running;

namespace {

std::string sdirk2(double dt, const std::string& more = "") {
  return fmt::format(R"("type": "variational", "scheme": "sdirk2", "dt": {}, "tolerance": 1e-9{})", dt, more);
}

/// Four bonded spheres in a row; the first is moved to and fro, and gravity swings.
std::string shaken(const std::string& integrator) {
  return fmt::format(R"({{"dimension": 3,
"gravity": {{"vector": [0, 0, -9.81], "oscillation": {{"amplitude": [0, 20, 0], "frequency": 30}}}},
"materials": {{"m": {{"density": 1000}}}}, "shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}}},
"bodies": [{{"name": "row", "shape": "ball", "material": "m", "angular_velocity": [6, 3, -4],
             "packing": {{"type": "lattice", "lower": [0, 0, 0], "counts": [4, 1, 1], "spacing": 0.02}},
             "held": [{{"lower": [-0.01, -0.01, -0.01], "upper": [0.01, 0.01, 0.01],
                        "motion": {{"amplitude": [0, 0, 0.002], "frequency": 20}}}}]}}],
"bonds": [{{"between": ["row", "row"], "pairs": "touching", "gap": 0.001,
            "law": {{"type": "bonded-beam", "youngs_modulus": 1e5}}}}],
"interactions": [{{"between": ["*", "*"], "law": "none"}}],
"integrator": {{{}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                     integrator);
}

/// A ball on a floor, which is moved or stands.
std::string on_floor(const std::string& ball, const std::string& integrator, double gravity_x = 0) {
  return fmt::format(R"({{"dimension": 3, "gravity": [{}, 0, -9.81],
"materials": {{"m": {{"density": 1000}}, "floor": {{}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}, "floor": {{"type": "half-space"}}}},
"bodies": [{{"shape": "ball", "material": "m", "position": [0, 0, 0.00999], {}}},
           {{"shape": "floor", "material": "floor", "fixed": true}}],
"interactions": [{{"between": ["m", "floor"], "law": {{"type": "linear", "normal_stiffness": 4110, "friction": 0.3}}}}],
"integrator": {{{}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                     gravity_x, ball, integrator);
}

/// A bar of tetrahedra that flies against a wall and breaks.
std::string thrown(const std::string& integrator) {
  return fmt::format(R"({{"dimension": 3, "gravity": [0, 0, 0],
"materials": {{"bar": {{"density": 1300}}, "wall": {{}}}},
"shapes": {{"element": {{"type": "sphere", "radius": 1}}, "wall": {{"type": "half-space"}}}},
"bodies": [{{"name": "bar", "shape": "element", "material": "bar", "velocity": [0, 0, -3],
             "packing": {{"type": "tetrahedra", "size": [0.08, 0.02, 0.01], "cells": [8, 2, 1], "position": [0, 0, 0.006],
                          "orientation": [0.9659258, 0, -0.2588190, 0]}}}},
           {{"shape": "wall", "material": "wall", "fixed": true}}],
"bonds": [{{"between": ["bar", "bar"],
            "law": {{"type": "bonded-beam", "youngs_modulus": 1e7, "tensile_strength": 4e5, "shear_strength": 4e5}}}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 2e4, "friction": 0.4}}}}],
"integrator": {{{}}}, "output": {{"writers": []}}, "run": {{"duration": 0.02}}}})",
                     integrator);
}
const std::string kDivided = R"(, "fracture_dt": 1e-4)";

double energy(Running& run) {
  World& w = run.world();
  return totals(w, Vec3::Zero()).kinetic() + mechanics_of(run.prepared).bond_mechanics().energy();
}

}  // namespace

TEST_CASE("sdirk2: halving dt quarters the error, with driven bodies, spins and loads that vary") {
  const double time = 0.05;
  const auto exact = places_after(shaken(R"("type": "velocity-verlet", "dt": 2e-6)"), time);
  const auto coarse = places_after(shaken(sdirk2(2e-4)), time), fine = places_after(shaken(sdirk2(1e-4)), time);
  const auto first_order = places_after(shaken(R"("type": "variational", "dt": 1e-4)"), time);
  const double a = largest_distance(coarse, exact), b = largest_distance(fine, exact);
  INFO("off by " << a << ", with half the step by " << b << ", backward Euler by "
                 << largest_distance(first_order, exact) << " m");
  CHECK(a / b == Approx(4).epsilon(0.1));
  CHECK(b < 0.05 * largest_distance(first_order, exact));
}

TEST_CASE("sdirk2: a ball that slides stops sliding when it rolls, at 5/7 of its speed") {
  const double v = 0.5, g = 9.81, mu = 0.3;
  Running run(on_floor(R"("velocity": [0.5, 0, 0])", sdirk2(1e-3)));
  World& w = run.world();
  run.steps(20);  // it slides until 2 v/(7 mu g) = 0.049 s
  CHECK(w.velocity.read()[0].x() == Approx(v - mu * g * 0.02).epsilon(1e-3));
  run.steps(80);
  CHECK(w.velocity.read()[0].x() == Approx(v * 5 / 7).epsilon(0.01));
  CHECK(w.angular_velocity.read()[0].y() == Approx(v * 5 / 7 / 0.01).epsilon(0.01));
}

TEST_CASE("sdirk2: what friction holds creeps slower than friction_speed, and slides beyond its limit") {
  const auto speed = [](double pull) {
    // Balls that a bond keeps from rolling.
    Running run(fmt::format(R"({{"dimension": 3, "gravity": [{}, 0, -9.81],
"materials": {{"m": {{"density": 1000}}, "floor": {{}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}, "floor": {{"type": "half-space"}}}},
"bodies": [{{"name": "row", "shape": "ball", "material": "m",
             "packing": {{"type": "lattice", "lower": [0, 0, 0.00999], "counts": [4, 1, 1], "spacing": 0.02}}}},
           {{"shape": "floor", "material": "floor", "fixed": true}}],
"bonds": [{{"between": ["row", "row"], "pairs": "touching", "gap": 0.001,
            "law": {{"type": "bonded-beam", "youngs_modulus": 1e6}}}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 4110, "friction": 0.3}}}}],
"integrator": {{{}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                            pull, sdirk2(1e-3)));
    run.steps(200);
    return run.world().velocity.read()[0].x();
  };
  // f1(y) = 1/2 at y = e (1 - sqrt(1/2)).
  const double half = 0.5 * 0.3 * 9.81;
  CHECK(speed(half) == Approx(0.02 * (1 - std::sqrt(0.5))).epsilon(0.02));
  // It is faster by 2 %, for below 0.02 m/s friction is less than its limit.
  CHECK(speed(3 * half) == Approx(half * 0.2).epsilon(0.03));
}

TEST_CASE("sdirk2: a divided step breaks bonds at the end of short parts, and longer parts follow") {
  Running run(thrown(sdirk2(5e-4, kDivided)));
  const double bonds = static_cast<double>(run.world().bonds().alive());
  run.steps(40);
  const double broken = bonds - static_cast<double>(run.world().bonds().alive());
  const auto& figures = run.world().metrics();
  INFO(broken << " bonds broke, " << figures.at("parts_total") << " parts, " << figures.at("rejected_parts_total")
              << " rejected, " << figures.at("fragments") << " fragments");
  CHECK(broken > 0);
  CHECK(figures.at("rejected_parts_total") > 0);
  CHECK(figures.at("parts_total") > 50);
  CHECK(figures.at("parts_total") < 200);
  CHECK(figures.at("part_s") == 5e-4);
}

TEST_CASE("sdirk2: the same bits with 1, 2 and 3 threads, and resumed") {
  const auto hash = [](int threads, const std::string& from, const std::string& to) {
    SimulationOptions options;
    options.threads = threads;
    Simulation s = Simulation::from_text(thrown(sdirk2(5e-4, kDivided)), options);
    if (!from.empty()) s.load(from);
    s.run_until(to.empty() ? 0.006 : 0.003);
    if (!to.empty()) s.save(to);
    return state_hash(s.world());
  };
  const test::TemporaryFolder folder;
  const auto one = hash(1, "", "");
  CHECK(hash(2, "", "") == one);
  CHECK(hash(3, "", "") == one);
  hash(2, "", folder / "half.h5");
  CHECK(hash(1, folder / "half.h5", "") == one);
}

TEST_CASE("bonds of a step that is solved again without them release what they held at its beginning") {
  // Two balls that fly distance_of, with a bond at rest: in the first step it is stretched beyond what it bears, in a
  // trial that is not the one that stands.
  for (const std::string scheme : {"backward-euler", "sdirk2"}) {
    Running run(fmt::format(R"({{"dimension": 3, "materials": {{"m": {{"density": 1000}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}}},
"bodies": [{{"name": "a", "shape": "ball", "material": "m", "velocity": [-1, 0, 0]}},
           {{"name": "b", "shape": "ball", "material": "m", "position": [0.02, 0, 0], "velocity": [1, 0, 0]}}],
"bonds": [{{"between": ["a", "b"], "pairs": "touching", "gap": 0.001,
            "law": {{"type": "bonded-beam", "youngs_modulus": 1e5, "tensile_strength": 1e2}}}}],
"interactions": [{{"between": ["*", "*"], "law": "none"}}],
"integrator": {{"type": "variational", "dt": 1e-3, "scheme": "{}", "resolve_breaks": 3}},
"output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                            scheme));
    const double before = energy(run);
    run.steps(1);
    CHECK(run.world().bonds().alive() == 0);
    CHECK(energy(run) == Approx(before).epsilon(1e-9));
    CHECK(run.world().metrics().at("released_bond_energy_J") == 0);
  }
}

TEST_CASE("what sdirk2 does not move, and options that go with it alone, are errors before the first step") {
  const auto message = [](const std::string& integrator) {
    return test::message_of<InputError>([&] { Running(thrown(integrator)); });
  };
  CHECK_THAT(message(R"("type": "variational", "dt": 1e-3, "fracture_dt": 1e-4)"),
             Catch::Matchers::ContainsSubstring(
                 "/integrator/fracture_dt: \"backward-euler\" loses energy in every step, or makes none shorter: only "
                 "\"sdirk2\" divides steps. Set \"scheme\" to \"sdirk2\", or leave fracture_dt out and lower dt."));
}

TEST_CASE(
    "implicit steps in which cracks lag behind, and impacts that break bonds by their first wave, are warned of") {
  const auto warnings = [](const std::string& integrator, const std::string& set) {
    return fmt::format("{}", fmt::join(Running(thrown(integrator), {set}).prepared.warnings, "\n"));
  };
  const std::string at_2 = "/bodies/0/velocity=[0, 0, -2]", at_5 = "/bodies/0/velocity=[0, 0, -5]";
  // 13 elements in each of 16 cells of 10 mm, about: l = 4.4 mm, c = sqrt(0.61 E/rho) = 68.5 m/s.
  CHECK_THAT(warnings(R"("type": "variational", "dt": 1e-3)", at_2),
             Catch::Matchers::ContainsSubstring(
                 "/bonds/0/law: bonds may break at the end of steps of 0.001 s, 16 times what a "
                 "wave takes through an element, 6.4e-05 s. From 3 times on cracks lag behind "
                 "their load") &&
                 Catch::Matchers::ContainsSubstring("Lower /integrator/dt to 0.00019 s or less."));
  CHECK_THAT(warnings(sdirk2(1e-3, R"(, "fracture_dt": 4e-4)"), at_2),
             Catch::Matchers::ContainsSubstring("Lower /integrator/fracture_dt to 0.00019 s or less."));
  CHECK(warnings(sdirk2(1e-3, kDivided), at_2).empty());
  CHECK_THAT(
      warnings(sdirk2(1e-3, kDivided), at_5),
      Catch::Matchers::ContainsSubstring(
          "/bonds/0/law: at 5 m/s an impact sends a wave of up to 4.5e+05 Pa (density times speed of waves times "
          "speed) through bonds that break at 4e+05 Pa.") &&
          Catch::Matchers::ContainsSubstring("Choose an explicit integrator, such as \"velocity-verlet\"."));
  CHECK(warnings(R"("type": "velocity-verlet", "dt": 1e-5)", at_5).empty());
}
