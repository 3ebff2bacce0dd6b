// Beams of bonded tetrahedra: explicit and implicit integration end in the same shape, and implicit steps of a sixtieth
// of a second are solved for any stiffness.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "scenes.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// What is done to the beam of examples/beam_*, 1 x 0.25 x 0.25 m, within `time` [s].
std::string held(const std::string& load, double time, double cell) {
  const std::string left = fmt::format(R"({{"lower": [0, 0, 0], "upper": [{}, 0.25, 0.25]}})", cell);
  if (load == "drape") return left;
  const std::string motion =
      load == "stretch"
          ? fmt::format(R"("velocity": [{}, 0, 0])", 0.25 / time)
          : fmt::format(R"("angular_velocity": [{}, 0, 0], "centre": [1, 0.125, 0.125])", 3.141592653589793 / 2 / time);
  return left + fmt::format(R"(, {{"lower": [{}, 0, 0], "upper": [1, 0.25, 0.25], "motion": {{{}, "stop": {}}}}})",
                            1 - cell, motion, time);
}

std::string beam(const std::string& load, int width, double young, double time, const std::string& integrator,
                 const std::string& more = "") {
  return fmt::format(R"({{"dimension": 3, "gravity": [0, 0, -{}], {}
"materials": {{"m": {{"density": 1000}}}}, "shapes": {{"element": {{"type": "sphere", "radius": 1}}}},
"bodies": [{{"name": "beam", "shape": "element", "material": "m",
             "packing": {{"type": "tetrahedra", "size": [1, 0.25, 0.25], "cells": [{}, {}, {}]}}, "held": [{}]}}],
"bonds": [{{"between": ["beam", "beam"], "law": {{"type": "bonded-beam", "youngs_modulus": {}}}}}],
"interactions": [{{"between": ["*", "*"], "law": "none"}}],
"integrator": {{{}}}, "output": {{"writers": []}}, "run": {{"duration": 100}}}})",
                     load == "drape" ? 9.81 : 0.0, more, 4 * width, width, width, held(load, time, 0.25 / width), young,
                     integrator);
}

/// Where the bodies are, by id.
std::vector<Vec3> places(Running& run) {
  std::vector<Vec3> x(run.world().size());
  for (std::size_t i = 0; i < x.size(); ++i) x[run.world().id.read()[i]] = run.world().position.read()[i];
  return x;
}

double largest_speed(Running& run) {
  double most = 0;
  for (const Vec3& v : run.world().velocity.read()) most = std::max(most, v.norm());
  return most;
}

}  // namespace

TEST_CASE("stretch, twist and drape of tetrahedra: explicit and implicit come to rest in the same shape") {
  // Damped by 12 1/s, near the first mode's critical value, both have forgotten how they came there.
  const std::string damping = R"("damping": {"mass_proportional": 12},)";
  for (const std::string load : {"stretch", "twist", "drape"}) {
    INFO(load);
    Running implicit(beam(load, 2, 1e6, 0.5, R"("type": "variational", "dt": 0.02, "tolerance": 1e-8)", damping));
    const std::vector<Vec3> start = places(implicit);
    implicit.steps(200);
    CHECK(largest_speed(implicit) < 1e-4);
    Running explicit_(beam(load, 2, 1e6, 0.5, R"("type": "velocity-verlet", "dt": 1e-4)", damping));
    REQUIRE(explicit_.prepared.warnings.empty());
    explicit_.steps(30000);
    CHECK(largest_speed(explicit_) < 1e-4);
    const std::vector<Vec3> a = places(implicit), b = places(explicit_);
    double worst = 0, most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      worst = std::max(worst, (a[i] - b[i]).norm());
      most = std::max(most, (a[i] - start[i]).norm());
    }
    WARN(load << ": largest difference " << worst << " m, largest displacement " << most << " m");
    CHECK(most > 0.1);
    CHECK(worst < 0.01 * most);
  }
}

TEST_CASE("drape and twist of tetrahedra at 60 steps per second: no search fails for E from 1e6 to 1e9 Pa") {
  for (const std::string load : {"drape", "twist"})
    for (const double young : {1e6, 1e7, 1e8, 1e9}) {
      Running run(beam(load, 3, young, 1, R"("type": "variational", "dt": 0.016666666666666666)"));
      const auto& figures = run.world().metrics();
      double most = 0;
      const int steps = 60;
      for (int k = 0; k < steps; ++k) {
        run.steps(1);  // throws where no minimum is found
        most = std::max(most, figures.at("newton_iterations"));
        CHECK(figures.at("newton_residual") <= 1e-6);
      }
      WARN(load << ", E = " << young << " Pa: " << figures.at("newton_iterations_total") / steps
                << " Newton iterations per step, most " << most << "; " << figures.at("line_search_halvings_total")
                << " halvings, " << figures.at("clamped_hessians_total") << " clamped");
      CHECK(figures.at("line_search_halvings_total") == 0);
      CHECK(figures.at("newton_iterations_total") <= (load == "drape" ? 2 : 4) * steps);
    }
}
