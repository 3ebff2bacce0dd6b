// Clumps, whose principal moments differ, in scenes with the integrator `variational`.

#include <fmt/format.h>
#include <omp.h>

#include "catch.hpp"
#include "scenes.hpp"
#include "solvers/newton/unequal_moments.hpp"
#include "step/places_after.hpp"
#include "temporary_folder.hpp"
#include "use_solvers.hpp"

using namespace scree;
using test::largest_distance;
using test::places_after;
using test::Running;

namespace {

/// An eccentric clump: three different moments.
const std::string kClump = R"({"type": "clump", "spheres": [{"position": [0, 0, 0], "radius": 0.01},
  {"position": [0.015, 0, 0], "radius": 0.006}, {"position": [0.002, 0.011, 0.004], "radius": 0.004}]})";

/// One that meets the floor askew and spins, without loss.
std::string bouncing(const std::string& integrator) {
  return fmt::format(R"({{"dimension": 3, "gravity": [0, 0, -9.81],
"materials": {{"m": {{"density": 1000}}, "floor": {{}}}},
"shapes": {{"clump": {}, "floor": {{"type": "half-space"}}}},
"bodies": [{{"shape": "clump", "material": "m", "position": [0, 0, 0.0151], "velocity": [0.05, 0, -0.4],
             "orientation": [0.8, 0.5, 0.3, 0.1], "angular_velocity": [8, -5, 12]}},
           {{"shape": "floor", "material": "floor", "fixed": true}}],
"interactions": [{{"between": ["m", "floor"], "law": {{"type": "linear", "normal_stiffness": 200}}}}],
"integrator": {{{}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                     kClump, integrator);
}

/// Four clumps in a row, bonded, held at one end, that fall.
std::string bonded_row(const std::string& integrator) {
  return fmt::format(R"({{"dimension": 3, "gravity": [0, 3, -9.81],
"materials": {{"m": {{"density": 1000}}}}, "shapes": {{"clump": {}}},
"bodies": [{{"name": "row", "shape": "clump", "material": "m", "angular_velocity": [6, 3, -4],
             "packing": {{"type": "lattice", "lower": [0, 0, 0], "counts": [4, 1, 1], "spacing": 0.04}},
             "held": [{{"lower": [-0.03, -0.03, -0.03], "upper": [0.03, 0.03, 0.03]}}]}}],
"bonds": [{{"between": ["row", "row"], "pairs": "touching", "gap": 0.02,
            "law": {{"type": "bonded-beam", "youngs_modulus": 1e5}}}}],
"interactions": [{{"between": ["*", "*"], "law": "none"}}],
"integrator": {{{}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                     kClump, integrator);
}

std::string variational(double dt, const std::string& more = "") {
  return fmt::format(R"("type": "variational", "dt": {}, "tolerance": 1e-9{})", dt, more);
}
const std::string kMidpoint = R"(, "scheme": "midpoint")";

}  // namespace

TEST_CASE("an eccentric clump bounces as with explicit steps, and the difference falls with dt") {
  const double time = 0.02;
  const auto exact = places_after(bouncing(R"("type": "velocity-verlet", "dt": 1e-6)"), time);
  const auto start = places_after(bouncing(R"("type": "velocity-verlet", "dt": 1e-6)"), 0);
  REQUIRE(largest_distance(exact, start) > 3e-3);
  const double coarse = largest_distance(places_after(bouncing(variational(2e-5)), time), exact);
  const double fine = largest_distance(places_after(bouncing(variational(1e-5)), time), exact);
  INFO("backward Euler off by " << coarse << ", with half the step by " << fine << " m");
  CHECK(coarse < 0.05 * largest_distance(exact, start));
  CHECK(coarse / fine == Approx(2).epsilon(0.15));
  const double coarse_midpoint = largest_distance(places_after(bouncing(variational(4e-5, kMidpoint)), time), exact);
  const double fine_midpoint = largest_distance(places_after(bouncing(variational(1e-5, kMidpoint)), time), exact);
  INFO("midpoint off by " << coarse_midpoint << ", with a quarter of the step by " << fine_midpoint << " m");
  CHECK(coarse_midpoint / fine_midpoint > 10);  // contacts begin between steps: not quite 16
  CHECK(fine_midpoint < 0.1 * fine);
}

TEST_CASE("bonded eccentric clumps swing as with explicit steps, and the difference falls with dt") {
  const double time = 0.05;
  const auto exact = places_after(bonded_row(R"("type": "symplectic-euler", "dt": 1e-6)"), time);
  const auto start = places_after(bonded_row(R"("type": "symplectic-euler", "dt": 1e-6)"), 0);
  REQUIRE(largest_distance(exact, start) > 3e-3);
  const double coarse = largest_distance(places_after(bonded_row(variational(1e-4)), time), exact);
  const double fine = largest_distance(places_after(bonded_row(variational(5e-5)), time), exact);
  const double midpoint = largest_distance(places_after(bonded_row(variational(5e-5, kMidpoint)), time), exact);
  INFO("off by " << coarse << ", with half the step by " << fine << ", midpoint by " << midpoint << " m");
  CHECK(coarse < 0.1 * largest_distance(exact, start));
  CHECK(coarse / fine > 1.7);
  CHECK(midpoint < 0.1 * fine);
}

TEST_CASE("a rod of spheres that slides sideways on a floor begins to roll, with the moment about its axis") {
  const double radius = 0.01, mu = 0.3, v = 0.5;
  Running run(fmt::format(R"({{"dimension": 3, "gravity": [0, 0, -9.81],
"materials": {{"m": {{"density": 1000}}, "floor": {{}}}},
"shapes": {{"rod": {{"type": "clump", "spheres": [{{"position": [0, 0, 0], "radius": 0.01}},
   {{"position": [0.01, 0, 0], "radius": 0.01}}, {{"position": [0.02, 0, 0], "radius": 0.01}},
   {{"position": [0.03, 0, 0], "radius": 0.01}}, {{"position": [0.04, 0, 0], "radius": 0.01}}]}},
   "floor": {{"type": "half-space"}}}},
"bodies": [{{"shape": "rod", "material": "m", "position": [0, 0, 0.00999], "velocity": [0, {}, 0]}},
           {{"shape": "floor", "material": "floor", "fixed": true}}],
"interactions": [{{"between": ["m", "floor"], "law": {{"type": "linear", "normal_stiffness": 2000, "friction": {}}}}}],
"integrator": {{"type": "variational", "dt": 2e-4}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                          v, mu));
  World& w = run.world();
  const std::size_t i = *w.row(0);
  const double mass = w.mass.read()[i], about_axis = w.inertia.read()[i].minCoeff();
  CHECK(w.inertia.read()[i].maxCoeff() > 4 * about_axis);
  run.steps(1000);  // 0.2 s; sliding ends after 0.06 s
  const double rolling = v / (1 + about_axis / (mass * radius * radius));
  CHECK(w.velocity.read()[i].y() == Approx(rolling).epsilon(0.002));
  CHECK(w.angular_velocity.read()[i].x() == Approx(-rolling / radius).epsilon(0.005));
  CHECK(w.angular_velocity.read()[i].tail<2>().norm() < 1e-3 * rolling / radius);
}

TEST_CASE("two clumps that collide with friction: linear momentum stays, with midpoint angular momentum too") {
  const auto scene = [&](const std::string& integrator) {
    return fmt::format(R"({{"dimension": 3, "materials": {{"m": {{"density": 1000}}}}, "shapes": {{"clump": {}}},
"bodies": [{{"shape": "clump", "material": "m", "velocity": [0, 0, 0.3], "angular_velocity": [8, -5, 12]}},
           {{"shape": "clump", "material": "m", "position": [0.004, 0.002, 0.0215], "velocity": [0.1, 0, -0.3],
             "orientation": [0.8, 0.5, 0.3, 0.1], "angular_velocity": [-9, 3, 4]}}],
"interactions": [{{"between": ["m", "m"], "law": {{"type": "linear", "normal_stiffness": 200, "friction": 0.4,
  "rolling": {{"model": "constant", "friction": 0.1}}}}}}],
"integrator": {{{}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                       kClump, integrator);
  };
  for (const std::string& scheme : {std::string(), kMidpoint}) {
    Running run(scene(variational(1e-5, scheme)));
    const Totals start = totals(run.world(), Vec3::Zero());
    const Vec3 spin = run.world().angular_velocity.read()[0];
    run.steps(1000);
    const Totals end = totals(run.world(), Vec3::Zero());
    INFO(scheme << " L off by "
                << (end.angular_momentum - start.angular_momentum).norm() / start.angular_momentum.norm());
    CHECK((run.world().angular_velocity.read()[0] - spin).norm() > 1);
    CHECK((end.momentum - start.momentum).norm() < 1e-9 * start.momentum.norm());  // the solver's tolerance
    CHECK((end.angular_momentum - start.angular_momentum).norm() <
          (scheme.empty() ? 1e-3 : 1e-8) * start.angular_momentum.norm());
    CHECK(end.kinetic() < start.kinetic());
  }
}

TEST_CASE("clumps under variational: the same bits with 1, 2 and 3 threads") {
  const auto hash = [](int threads, const std::string& scene) {
    omp_set_num_threads(threads);
    Running run(scene);
    run.steps(50);
    omp_set_num_threads(omp_get_num_procs());
    return state_hash(run.world());
  };
  for (const std::string& scene :
       {bouncing(variational(1e-4)), bonded_row(variational(1e-3)), bonded_row(variational(1e-3, kMidpoint))})
    for (const int threads : {2, 3}) CHECK(hash(threads, scene) == hash(1, scene));
}

TEST_CASE("bdf2 with bodies of unequal moments is an error before the first step, with the moments and what to do") {
  const std::string message =
      test::message_of<InputError>([] { Running(bouncing(variational(1e-4, R"(, "scheme": "bdf2")"))); });
  CHECK_THAT(message, Catch::Matchers::ContainsSubstring(
                          "/integrator/scheme: \"bdf2\" moves bodies with three equal moments of inertia; those of "
                          "shape \"clump\" are "));
  CHECK_THAT(message, Catch::Matchers::ContainsSubstring(
                          "kg m^2. Choose \"backward-euler\" or \"midpoint\", or another shape."));
}
