// Spheropolyhedra in scenes: which detector serves them, rest, sliding and tipping, and equal bits.

#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "scenes.hpp"
#include "scree/base/error.hpp"

using namespace scree;
using Catch::Matchers::ContainsSubstring;
using scree::test::message_of;
using scree::test::Running;

namespace {

const char* const kSolids = R"({
"die": {"type": "spheropolyhedron", "solid": "box", "edges": [0.8, 0.8, 0.8], "radius": 0.1},
"gem": {"type": "spheropolyhedron", "solid": "octahedron", "edge": 0.8, "radius": 0.1},
"ball": {"type": "sphere", "radius": 0.3}, "stick": {"type": "capsule", "length": 1, "radius": 0.1},
"floor": {"type": "half-space"}, "walls": {"type": "box", "half_sizes": [5, 5, 5], "inside": true},
"drum": {"type": "cylinder", "radius": 5, "length": 9, "inside": true},
"slab": {"type": "box", "half_sizes": [5, 5, 0.5]}})";

/// \param law  the options of "linear" after its type, or a whole law
std::string polyhedra(
    const std::string& bodies, double dt, const std::string& gravity = "[0, 0, -10]",
    const std::string& law = R"({"type": "linear", "normal_stiffness": 1e4, "restitution": 0.2, "friction": 0.5})",
    const std::string& integrator = "velocity-verlet") {
  return fmt::format(R"({{"dimension": 3, "gravity": {}, "materials": {{"m": {{"density": 1}}}}, "shapes": {},
"bodies": [{}], "interactions": [{{"between": ["m", "m"], "law": {}}}],
"integrator": {{"type": "{}", "dt": {}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                     gravity, kSolids, bodies, law, integrator, dt);
}

std::string one(const char* shape, double x, double y, double z, const std::string& more = "") {
  return fmt::format(R"({{"shape": "{}", "material": "m", "position": [{}, {}, {}]{}}})", shape, x, y, z, more);
}

const std::string kHeld = R"(, "fixed": true)";

double kinetic(Running& run) { return totals(run.world(), Vec3::Zero()).kinetic(); }

/// Acceleration along x of a die on a floor that is tilted so far, in the second half of a second.
double slide(double tangent, double friction, const char* floor, double height) {
  const double angle = std::atan(tangent);
  Running run(polyhedra(
      one("die", 0, 0, 0.5 + height) + "," + one(floor, 0, 0, 0, kHeld), 2e-4,
      fmt::format("[{:.17g}, 0, {:.17g}]", 10 * std::sin(angle), -10 * std::cos(angle)),
      fmt::format(R"({{"type": "linear", "normal_stiffness": 1e5, "restitution": 0.1, "friction": {}}})", friction)));
  run.steps(2500);
  const double before = run.world().velocity.read()[*run.world().row(0)].x();
  run.steps(2500);
  return (run.world().velocity.read()[*run.world().row(0)].x() - before) / 0.5;
}

/// Returns the angle by which a die has turned after 1 s on a slope on which it cannot slide [rad].
double tip(double tangent) {
  const double angle = std::atan(tangent);
  Running run(polyhedra(one("die", 0, 0, 0.5) + "," + one("floor", 0, 0, 0, kHeld), 2e-4,
                        fmt::format("[{:.17g}, 0, {:.17g}]", 10 * std::sin(angle), -10 * std::cos(angle)),
                        R"({"type": "linear", "normal_stiffness": 1e5, "restitution": 0.1, "friction": 5})"));
  run.steps(5000);
  return 2 * std::acos(std::min(1.0, std::abs(run.world().orientation.read()[*run.world().row(0)].w())));
}

}  // namespace

TEST_CASE("auto takes vertex-face for polyhedra and boxes, sphere-face for round bodies, vertices for walls") {
  const auto specificity = [](const char* a, const char* b, const std::string& more) {
    Running run(polyhedra(one(a, 0, 0, 3) + "," + one(b, 0, 0, 0, more), 1e-4));
    const Methods& methods = run.prepared.methods;
    const auto shape = run.world().shape.read();
    const auto channel = methods.channel(shape[*run.world().row(0)], 0, shape[*run.world().row(1)], 0);
    return methods.channels.at(static_cast<std::size_t>(channel)).detector->traits().specificity;
  };
  CHECK(specificity("die", "gem", "") == 32);
  CHECK(specificity("die", "slab", kHeld) == 32);
  CHECK(specificity("die", "ball", "") == 28);
  CHECK(specificity("stick", "gem", "") == 28);
  for (const char* wall : {"floor", "walls", "drum"}) CHECK(specificity("die", wall, kHeld) == 12);
  CHECK(specificity("ball", "slab", kHeld) == 15);
  CHECK(specificity("stick", "walls", kHeld) == 16);
}

TEST_CASE("a die on a slope slides beyond tan = mu, on a plane and on a slab alike") {
  for (const auto& [floor, height] : {std::pair("floor", 0.0), {"slab", 0.5}}) {
    INFO(floor);
    CHECK(std::abs(slide(0.3 * 0.99, 0.3, floor, height)) < 1e-6);
    const double angle = std::atan(0.3 * 1.01), expected = 10 * (std::sin(angle) - 0.3 * std::cos(angle));
    CHECK(slide(0.3 * 1.01, 0.3, floor, height) == Approx(expected).epsilon(1e-3));
  }
}

TEST_CASE("a die tips where its centre is beyond the edge of its lower face") {
  const double tangent = 0.4 / 0.5;  // half the face over the height of the centre
  CHECK(tip(0.98 * tangent) < 0.01);
  CHECK(tip(1.02 * tangent) > 0.1);
}

TEST_CASE("a die that hits a plane moves on as one that hits a slab") {
  const auto end = [](const std::string& floor) {
    Running run(polyhedra(one("die", 0.1, 0.2, 1.2, R"(, "orientation": [0.9, 0.2, 0.3, 0.1])") + "," + floor, 2e-4,
                          "[0, 0, -10]", R"({"type": "linear", "normal_stiffness": 1e4})"));
    run.steps(2000);
    return run.world().position.read()[*run.world().row(0)];
  };
  const Vec3 on_plane = end(one("floor", 0, 0, 0, kHeld)), on_slab = end(one("slab", 0, 0, -0.5, kHeld));
  CHECK((on_plane - on_slab).norm() < 1e-12);
}

TEST_CASE("ten dice on each other come to rest and stay there") {
  std::string dice = one("floor", 0, 0, 0, kHeld);
  for (int k = 0; k < 10; ++k)
    dice += "," + one("die", 0, 0, 0.5 + k, fmt::format(R"(, "orientation": [1, 0, 0, {}])", 0.07 * (k % 4)));
  const double mass = 0.9, height = 5;
  SECTION("on springs") {
    Running run(polyhedra(dice, 2.5e-4, "[0, 0, -10]",
                          R"({"type": "linear", "normal_stiffness": 1e5, "restitution": 0.1, "friction": 0.5})"));
    run.steps(12000);
    CHECK(kinetic(run) < 1e-12 * mass * 10 * height);
    CHECK(run.world().position.read()[*run.world().row(10)].z() == Approx(9.5).margin(2e-3));
  }
  SECTION("rigid") {
    Running run(polyhedra(dice, 2e-3, "[0, 0, -10]", R"({"type": "coulomb", "friction": 0.5})", "moreau-jean"));
    run.steps(200);
    CHECK(kinetic(run) < 1e-6 * mass * 10 * height);
    CHECK(run.world().position.read()[*run.world().row(10)].z() == Approx(9.5).margin(1e-4));
  }
}

TEST_CASE("dice, gems, balls and sticks in a box keep their energy, and better so in smaller steps", "[long]") {
  const auto drift = [](double dt) {
    std::string bodies = one("walls", 0, 0, 0, kHeld);
    const char* const kinds[] = {"die", "gem", "ball", "stick"};
    for (int k = 0; k < 8; ++k)
      bodies += "," + one(kinds[k % 4], -3.0 + 2 * (k % 4), -3.0 + 2 * (k / 4), 0.3 * (k % 5),
                          fmt::format(R"(, "velocity": [{}, {}, {}], "angular_velocity": [1, {}, 0.5])", 3 - k % 7,
                                      2 - k % 5, k % 3 - 1, k % 4));
    Running run(polyhedra(bodies, dt, "[0, 0, 0]", R"({"type": "linear", "normal_stiffness": 1e4})"));
    const auto energy = [&] {
      mechanics_of(run.prepared).pipeline().compute_energy(true);
      mechanics_of(run.prepared).forces(run.scene.dt);
      return kinetic(run) + mechanics_of(run.prepared).pipeline().counts().elastic_energy;
    };
    const double start = energy();
    double worst = 0;
    for (int s = 0; s < 8; ++s) {
      run.steps(static_cast<std::uint64_t>(std::lround(0.1 / dt)));
      worst = std::max(worst, std::abs(energy() / start - 1));
    }
    return worst;
  };
  const double coarse = drift(4e-4), fine = drift(1e-4);
  INFO(coarse << " " << fine);
  CHECK(coarse < 2e-3);
  CHECK(fine < coarse / 3);
}

TEST_CASE("dice that start within each other are refused, and dice pushed through each other stop the run") {
  CHECK_THAT(message_of<InputError>([] {
               Running run(polyhedra(one("die", 0, 0, 0) + "," + one("die", 0.3, 0.2, 0.1), 1e-4));
               check_initial_overlaps(run.scene, run.prepared);
             }),
             ContainsSubstring("bodies 0 and 1: an edge of one passes through a face of the other"));
  Running run(polyhedra(one("die", 0, 0, 0, R"(, "velocity": [20, 0, 0])") + "," + one("gem", 1.5, 0.1, 0), 1e-3,
                        "[0, 0, 0]", R"({"type": "linear", "normal_stiffness": 10})"));
  CHECK_THAT(message_of<NumericalError>([&] { run.steps(1000); }),
             ContainsSubstring("detect(): bodies 0 and 1: the polyhedra within them are"));
}

TEST_CASE("a crowd of dice: any number of threads, any order of the bodies, the same bits") {
  const auto hash = [](int threads, bool reversed) {
    std::string places;
    for (int k = 0; k < 216; ++k) {
      const int i = reversed ? 215 - k : k;
      places += fmt::format(R"({}{{"id": {}, "position": [{}, {}, {}], "orientation": [1, {}, 0, {}]}})", k ? ", " : "",
                            i, 1.3 * (i % 6), 1.3 * (i / 6 % 6), 1.3 * (i / 36), 0.05 * (i % 5), 0.1 * (i % 3));
    }
    Running run(
        polyhedra(R"({"shape": "die", "material": "m", "packing": {"type": "list", "places": [)" + places + R"(]}})",
                  1e-3, "[0, 0, 0]"));
    {
      auto v = run.world().velocity.write();
      const auto id = run.world().id.read();
      for (std::size_t k = 0; k < 216; ++k)
        v[k] = Vec3(std::sin(1.0 * static_cast<double>(id[k])), std::cos(2.3 * static_cast<double>(id[k])), 0.5) * 3;
    }
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    run.steps(120);
    omp_set_num_threads(before);
    CHECK(mechanics_of(run.prepared).pipeline().counts().contacts > 20);
    return state_hash(run.world());
  };
  const std::uint64_t single = hash(1, false);
  CHECK(hash(2, false) == single);
  CHECK(hash(3, true) == single);
}
