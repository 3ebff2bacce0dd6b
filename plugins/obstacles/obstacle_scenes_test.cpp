// Grains in and through obstacles: whole scenes.

#include <fmt/format.h>

#include <cmath>

#include "catch.hpp"
#include "scenes.hpp"

using namespace scree;
using scree::test::Running;

namespace {

/// One sphere of 10 mm and an obstacle. \param shape, place  of the obstacle
std::string sphere_and(const std::string& shape, const std::string& place, const std::string& sphere_at,
                       double stiffness, double damping) {
  return fmt::format(R"({{
    "dimension": 3, "gravity": [0, 0, -9.81],
    "materials": {{"m": {{"density": 1000}}}},
    "shapes": {{"bead": {{"type": "sphere", "radius": 0.01}}, "obstacle": {}}},
    "bodies": [{{"name": "bead", "shape": "bead", "material": "m", "position": {}}},
               {{"name": "obstacle", "shape": "obstacle", "material": "m", "fixed": true, {}}}],
    "interactions": [{{"between": ["m", "m"], "law": {{"type": "linear", "normal_stiffness": {}, "normal_damping": {},
                       "tangential": "none"}}}}],
    "integrator": {{"type": "velocity-verlet", "dt": 2e-5}}, "output": {{"writers": []}}, "run": {{"duration": 1}}
  }})",
                     shape, sphere_at, place, stiffness, damping);
}

double height(Running& run) { return run.world().position.read()[*run.world().row(0)][2]; }
double way_off(Running& run) { return run.world().position.read()[*run.world().row(0)].head<2>().norm(); }

}  // namespace

TEST_CASE("a sphere at rest in a cone sinks in by m g / (2 k sin a), seen by two contacts across the axis") {
  // Walls at 30 degrees from the axis: normals rise by sin 30 = 1/2. At rest 2 k d sin a = m g.
  const double k = 2000, mass = 4. / 3 * M_PI * 1e-6 * 1000, sine = 0.5;
  const double upper = 0.2 * std::tan(M_PI / 6);
  const std::string shapes[] = {
      fmt::format(R"({{"type": "frustum", "lower_radius": 0, "upper_radius": {:.17g}, "length": 0.2, "inside": true}})",
                  upper),
      fmt::format(
          R"({{"type": "frustum", "lower_radius": {:.17g}, "upper_radius": {:.17g}, "length": 0.19, "wall": 0.02}})",
          0.05 * upper, upper)};
  // The tip of the inner cone is at z = -0.1 in both.
  const std::string places[] = {R"("position": [0, 0, 0])", R"("position": [0, 0, 0.005])"};
  for (int which = 0; which < 2; ++which) {
    Running run(sphere_and(shapes[which], places[which], "[0.0005, 0.0003, -0.075]", k, 3));
    run.steps(150000);
    const double overlap = 0.01 - (height(run) + 0.1) * sine;
    INFO(shapes[which]);
    CHECK(overlap == Approx(mass * 9.81 / (2 * k * sine)).epsilon(1e-6));  // damped for 3 s
    CHECK(way_off(run) < 1e-9);
  }
}

TEST_CASE("a grain falls through an orifice that is wide enough, and stays on one that is not") {
  for (const char* kind : {R"("radius": 0.05)", R"("half_sizes": [0.05, 0.05])"})
    for (const double hole : {0.0105, 0.0095}) {
      Running run(sphere_and(fmt::format(R"({{"type": "plate", "hole": {}, "thickness": 0.01, {}}})", hole, kind),
                             R"("position": [0, 0, 0])", "[0.0003, 0, 0.02]", 5000, 2));
      run.steps(15000);
      INFO(kind << " " << hole);
      if (hole > 0.01) CHECK(height(run) < -0.05);
      // At rest on the rim: the centre sqrt(r^2 - a^2) above it, less the overlap of 1.6 um.
      if (hole < 0.01) CHECK(height(run) == Approx(0.005 + std::sqrt(1e-4 - hole * hole)).margin(2e-4));
    }
}

TEST_CASE("a grain falls through an open tube and an open funnel, freely where it touches nothing") {
  const char* shapes[] = {
      R"({"type": "tube", "radius": 0.02, "length": 0.1, "wall": 0.01})",
      R"({"type": "frustum", "lower_radius": 0.012, "upper_radius": 0.04, "length": 0.1, "wall": 0.01})",
      R"({"type": "torus", "radius": 0.03, "tube_radius": 0.01})"};
  for (const char* shape : shapes) {
    Running free(sphere_and(shape, R"("position": [0, 0, 0])", "[0, 0, 0.08]", 5000, 2));
    free.steps(10000);
    INFO(shape);
    CHECK(height(free) == Approx(0.08 - 0.5 * 9.81 * 0.04).epsilon(1e-12));
  }
  Running bounced(sphere_and(shapes[1], R"("position": [0, 0, 0])", "[0.02, 0, 0.08]", 5000, 2));
  bounced.steps(20000);
  CHECK(height(bounced) < -0.1);
  CHECK(way_off(bounced) < 0.2);
}

TEST_CASE("a turning screw lifts a grain in a pipe by its pitch per turn") {
  // Without friction the grain rests on the blade at the pipe's wall; a groove parallel to the axis, here the pipe's
  // wall of three rods, keeps it from turning along.
  const std::string scene = R"({
    "dimension": 3, "gravity": [0, 0, -9.81],
    "materials": {"m": {"density": 1000}},
    "shapes": {"bead": {"type": "sphere", "radius": 0.01},
               "screw": {"type": "helicoid", "inner_radius": 0.005, "outer_radius": 0.05, "pitch": 0.06, "turns": 5,
                         "thickness": 0.006},
               "rod": {"type": "cylinder", "radius": 0.004, "length": 0.4}},
    "bodies": [{"name": "bead", "shape": "bead", "material": "m", "position": [0.035, 0, 0.0131]},
               {"name": "screw", "shape": "screw", "material": "m", "motion": {"angular_velocity": [0, 0, -6.283185307179586]}},
               {"name": "rods", "shape": "rod", "material": "m", "fixed": true, "packing": {"type": "list", "places": [
                 {"position": [0.035, 0.0141, 0]}, {"position": [0.035, -0.0141, 0]}, {"position": [0.0491, 0, 0]},
                 {"position": [0.0209, 0, 0]}]}}],
    "interactions": [{"between": ["m", "m"], "law": {"type": "linear", "normal_stiffness": 20000, "normal_damping": 5,
                      "tangential": "none"}}],
    "integrator": {"type": "velocity-verlet", "dt": 2e-5}, "output": {"writers": []}, "run": {"duration": 1}
  })";
  Running run(scene);
  run.steps(10000);
  const double before = height(run);
  run.steps(50000);
  CHECK(height(run) - before == Approx(0.06).epsilon(1e-3));  // the rods give way by 0.1 % of the pitch at most
}

TEST_CASE("a star comes to rest in a trough of a polyline, and discs on either side of a wall stay there") {
  const std::string scene = R"({
    "dimension": 2, "gravity": [0, -9.81],
    "materials": {"m": {"density": 1000}},
    "shapes": {"disc": {"type": "sphere", "radius": 0.01},
               "star": {"type": "star", "coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.01},
               "trough": {"type": "polyline", "points": [[-0.1, 0.1], [-0.03, 0], [0.03, 0], [0.1, 0.1]], "wall": 0.02,
                          "side": "right"}},
    "bodies": [{"shape": "disc", "material": "m", "position": [-0.015, 0.0101]},
               {"shape": "star", "material": "m", "position": [0.015, 0.0151]},
               {"name": "trough", "shape": "trough", "material": "m", "fixed": true}],
    "interactions": [{"between": ["m", "m"], "law": {"type": "linear", "normal_stiffness": 200000, "normal_damping": 300,
                      "tangential": "spring", "tangential_stiffness": 100000, "friction": 0.5}}],
    "integrator": {"type": "velocity-verlet", "dt": 1e-5}, "output": {"writers": []}, "run": {"duration": 1}
  })";
  Running run(scene);
  run.steps(100000);
  const auto x = run.world().position.read();
  CHECK(x[*run.world().row(0)][1] == Approx(0.01 - M_PI * 1e-4 * 1000 * 9.81 / 200000).epsilon(1e-4));
  CHECK(x[*run.world().row(1)][1] > 0.004);
  CHECK(x[*run.world().row(1)][1] < 0.0105);
  for (const Id id : {Id{0}, Id{1}}) CHECK(run.world().velocity.read()[*run.world().row(id)].norm() < 1e-3);
}

TEST_CASE(
    "holes larger than their plate, funnels without a hole and lines without an end are refused by their options") {
  const auto refused = [](const std::string& shape, const std::string& text) {
    INFO(shape);
    CHECK_THROWS_WITH(Running(sphere_and(shape, R"("position": [0, 0, 0])", "[0, 0, 1]", 1, 0)),
                      Catch::Matchers::ContainsSubstring(text));
  };
  refused(
      R"({"type": "plate", "hole": 0.06, "thickness": 0.01, "radius": 0.05})",
      "/shapes/obstacle/hole: is 0.06 m, and the plate reaches 0.05 m from its middle. Give a smaller hole or a larger "
      "plate.");
  refused(R"({"type": "plate", "hole": 0.06, "thickness": 0.01, "half_sizes": [0.2, 0.05]})", "reaches 0.05 m");
  refused(R"({"type": "plate", "hole": 0.06, "thickness": 0.01})", "Give one of the two.");
  refused(R"({"type": "frustum", "lower_radius": 0, "upper_radius": 0.1, "length": 0.1, "wall": 0.01})",
          "/shapes/obstacle/lower_radius: is 0; an open funnel needs a hole at both ends.");
  refused(R"({"type": "frustum", "lower_radius": 0, "upper_radius": 0, "length": 0.1})", "both radii are 0");
  refused(
      R"({"type": "frustum", "lower_radius": 0.1, "upper_radius": 0.2, "length": 0.1, "wall": 0.1, "inside": true})",
      "Give one of the two.");
  refused(R"({"type": "torus", "radius": 0.1, "tube_radius": 0.2})", "/shapes/obstacle/tube_radius: is 0.2 m");
  refused(
      R"({"type": "helicoid", "inner_radius": 0.1, "outer_radius": 0.2, "pitch": 0, "turns": 1, "thickness": 0.01})",
      "/shapes/obstacle/pitch");
  refused(
      R"({"type": "helicoid", "inner_radius": 0.3, "outer_radius": 0.2, "pitch": 0.1, "turns": 1, "thickness": 0.01})",
      "/shapes/obstacle/inner_radius: is 0.3 m and the outer_radius 0.2 m.");
}
