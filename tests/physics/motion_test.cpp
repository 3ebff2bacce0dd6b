// Integrators and forces on single bodies, from the scene's file to its results.

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "../cli/small_scene.hpp"
#include "catch.hpp"
#include "program.hpp"

using namespace scree::test;
using Json = nlohmann::json;

namespace {

constexpr double kMass = 1000 * std::numbers::pi * 1e-4 * 0.01;
const std::string kEvery[] = {R"({"type": "symplectic-euler", "dt": 1e-4})",
                              R"({"type": "velocity-verlet", "dt": 1e-4})", R"({"type": "rk4", "dt": 1e-4})",
                              R"({"type": "gear", "dt": 1e-4})"};

/// A disc of mass kMass in empty space; `keys` are added to the scene.
std::string lone_disc(const std::string& integrator, const std::string& keys) {
  return fmt::format(
      R"({{"dimension": 2, "materials": {{"m": {{"density": 1000}}}},
"shapes": {{"disc": {{"type": "star", "coefficients": {{"a0": 1}}, "radius": 0.01, "thickness": 0.01}}}},
"bodies": [{{"shape": "disc", "material": "m", "velocity": [1, 0], "angular_velocity": 10}}],
"integrator": {}, "output": {{"writers": []}}, "run": {{"duration": 1}}, {}}})",
      integrator, keys);
}

/// The first and the last row of metrics.csv of a run of this scene.
struct Figures {
  explicit Figures(const std::string& scene) {
    const TemporaryFolder folder;
    spit(folder / "scene.json", scene);
    const std::string out = (folder / "out").string();
    const Outcome run = scree_program("run " + (folder / "scene.json").string() + " --quiet --out " + out);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    std::istringstream table(slurp(folder / "out/metrics.csv"));
    std::string names, row, last;
    std::getline(table, names);
    std::getline(table, row);
    first = by_name(names, row);
    while (std::getline(table, row)) last = row;
    figures = by_name(names, last);
  }
  static std::map<std::string, double> by_name(const std::string& names, const std::string& row) {
    std::map<std::string, double> values;
    std::istringstream name(names), value(row);
    for (std::string n, v; std::getline(name, n, ',') && std::getline(value, v, ',');) values[n] = std::stod(v);
    return values;
  }
  double vx() const { return figures.at("momentum_x_kg_m_per_s") / kMass; }
  double vy() const { return figures.at("momentum_y_kg_m_per_s") / kMass; }
  double spin_energy() const { return figures.at("kinetic_rotation_J"); }
  std::map<std::string, double> first, figures;
};

}  // namespace

TEST_CASE("every integrator: a disc in a stream falls with the terminal velocity") {
  const double c = 0.1, rate = c / kMass;  // 32 / s: at rest with the stream within 1 s
  for (const std::string& integrator : kEvery) {
    const Figures end(lone_disc(integrator, R"("gravity": [0, -9.81],
"damping": {"linear": 0.1, "fluid_velocity": [0.5, 0.2]})"));
    CHECK(end.vx() == Approx(0.5).epsilon(1e-9));
    CHECK(end.vy() == Approx(0.2 - 9.81 / rate).epsilon(1e-5));  // a star's mass is exact to 1e-6
  }
}

TEST_CASE("every integrator: damping proportional to mass lets velocity and spin decay at one rate") {
  for (const std::string& integrator : kEvery) {
    const Figures end(lone_disc(integrator, R"("damping": {"mass_proportional": 3})"));
    CHECK(end.vx() == Approx(std::exp(-3.0)).epsilon(5e-4));  // O(dt) for kicks and drifts
    const double inertia = kMass * 1e-4 / 2;
    CHECK(end.spin_energy() == Approx(inertia * 100 / 2 * std::exp(-6.0)).epsilon(1e-3));
  }
}

TEST_CASE("every integrator: local damping takes its part of free fall") {
  for (const std::string& integrator : kEvery) {
    const Figures end(lone_disc(integrator, R"("gravity": [0, -9.81], "damping": {"local": 0.3})"));
    CHECK(end.vy() == Approx(-0.7 * 9.81).epsilon(2e-4));  // at rest in y, the first evaluation damps nothing
    CHECK(end.vx() == Approx(1).epsilon(1e-5));
  }
}

TEST_CASE("every integrator: gravity that varies gives the impulse of its integral over time") {
  // -9.81 + 4 sin(2 pi 1.3 t + 0.2) upwards, and to the side a ramp from 0 at 0.25 s to 8 at 0.75 s, constant after.
  const std::string gravity = R"("gravity": {"vector": [0, -9.81],
"oscillation": {"amplitude": [0, 4], "frequency": 1.3, "phase": 0.2},
"table": [{"time": 0.25, "vector": [0, 0]}, {"time": 0.75, "vector": [8, 0]}]})";
  const double w = 2 * std::numbers::pi * 1.3;
  const double vy = -9.81 + 4 / w * (std::cos(0.2) - std::cos(w + 0.2)), vx = 1 + 8 * 0.25 + 8 * 0.25;
  const double tolerance[] = {2e-3, 1e-5, 1e-5, 1e-5};  // left rectangle: 1e-4 times the change of gravity
  for (int k = 0; k < 4; ++k) {
    const Figures end(lone_disc(kEvery[k], gravity));
    CHECK(end.vy() == Approx(vy).epsilon(tolerance[k]));
    CHECK(end.vx() == Approx(vx).epsilon(tolerance[k]));
  }
}

namespace {

std::string hash_of(const std::string& scene, const std::string& out, const std::string& options) {
  const Outcome run = scree_program("run " + scene + " --quiet --out " + out + " " + options);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return Json::parse(slurp(fs::path(out) / "summary.json"))["state_hash"];
}

}  // namespace

TEST_CASE("rk4 and gear: one thread or two, in one run or resumed, identical bits") {
  const TemporaryFolder folder;
  const std::string scene = (folder / "scene.json").string();
  spit(scene, kSmallScene);
  for (const char* integrator :
       {R"({"type": "rk4", "exact_springs": true, "dt": 2e-5})", R"({"type": "gear", "values": 6, "dt": 2e-5})"}) {
    const std::string sets = fmt::format(
        "--set '/integrator={}' --set /run/duration=0.1 "
        "--set '/output={{\"writers\": [], \"checkpoint_interval\": 0.06}}' "
        "--set '/gravity={{\"vector\": [0, -9.81], \"oscillation\": {{\"amplitude\": [3, 0], \"frequency\": 40}}}}' ",
        integrator);
    const std::string out = (folder / "out").string();
    const std::string whole = hash_of(scene, out, sets + "--threads 1");
    CHECK(Json::parse(slurp(folder / "out/summary.json"))["contacts_mean"].get<double>() > 1);
    CHECK(hash_of(scene, (folder / "two").string(), sets + "--threads 2") == whole);
    CHECK(hash_of(scene, (folder / "rest").string(),
                  sets + "--threads 2 --resume " + out + "/checkpoints/checkpoint_000003000.h5") == whole);
  }
}

TEST_CASE("every integrator: a disc that bounces without friction or damping keeps its energy") {
  for (const std::string& integrator : kEvery) {
    const std::string scene = fmt::format(
        R"({{"dimension": 2, "gravity": [0, -9.81], "materials": {{"m": {{"density": 1000}}, "wall": {{}}}},
"shapes": {{"disc": {{"type": "star", "coefficients": {{"a0": 1}}, "radius": 0.01, "thickness": 0.01}},
"floor": {{"type": "half-plane", "normal": [0, 1]}}}},
"bodies": [{{"shape": "disc", "material": "m", "position": [0, 0.02]}}, {{"shape": "floor", "material": "wall", "fixed": true}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 1000, "tangential": "none"}}}}],
"integrator": {}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
        integrator);
    const Figures end(scene);
    const double energy =
        end.figures.at("kinetic_energy_J") + end.figures.at("potential_energy_J") + end.figures.at("elastic_energy_J");
    // Eleven bounces at omega dt = 0.056: 0.13 (omega dt)^2 each of the kinetic energy, at random sign.
    CHECK(energy == Approx(kMass * 9.81 * 0.02).epsilon(2e-3));
  }
}

TEST_CASE("every integrator: a free asymmetric clump in space keeps its angular momentum to rounding") {
  const double most[] = {1e-5, 1e-5, 2e-11, 2e-11};  // energy error: O(dt^2) for the first two, rounding
  for (int k = 0; k < 4; ++k) {
    const Figures top(fmt::format(
        R"({{"dimension": 3, "materials": {{"m": {{"density": 1000}}}},
"shapes": {{"clump": {{"type": "clump", "spheres": [{{"position": [0, 0, 0], "radius": 0.01}},
{{"position": [0.012, 0, 0], "radius": 0.008}}, {{"position": [0, 0.01, 0.003], "radius": 0.005}}]}}}},
"bodies": [{{"shape": "clump", "material": "m", "angular_velocity": [5, -7, 9], "orientation": [0.8, 0.1, -0.5, 0.3]}}],
"integrator": {}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
        kEvery[k]));
    double change = 0, size = 0;
    for (const char* axis : {"x", "y", "z"}) {
      const std::string name = fmt::format("angular_momentum_{}_kg_m2_per_s", axis);
      change += std::pow(top.figures.at(name) - top.first.at(name), 2);
      size += std::pow(top.first.at(name), 2);
    }
    const double energy = top.figures.at("kinetic_energy_J") / top.first.at("kinetic_energy_J") - 1;
    INFO(kEvery[k] << ": angular momentum " << fmt::format("{:.3g}", std::sqrt(change / size)) << ", energy "
                   << fmt::format("{:.3g}", energy));
    CHECK(std::sqrt(change / size) < 1e-11);  // 10,000 steps; 2e-16 to 6e-16 per step measured
    CHECK(std::abs(energy) < most[k]);
  }
}
