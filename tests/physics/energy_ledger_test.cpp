// The energy ledger: all work adds up to the kinetic energy, and its terms are what closed forms say.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"

using namespace scree;

namespace {

using Ledger = std::map<std::string, double>;

/// The figures of the ledger, without "ledger_" and "_J".
Ledger ledger(Simulation& simulation) {
  Ledger found;
  for (const auto& [name, value] : simulation.metrics())
    if (name.starts_with("ledger_") && name.ends_with("_J")) found[name.substr(7, name.size() - 9)] = value;
  return found;
}

/// What works and insertions miss of the kinetic energy, relative to the largest term.
double gap(const Ledger& l) {
  double largest = 0;
  for (const auto& [name, value] : l) largest = std::max(largest, std::abs(value));
  return std::abs(l.at("residual")) / largest;
}

/// Rounding of some 1e4 steps, each of which adds a few terms to each figure.
constexpr double kClosed = 1e-12;

Simulation made(const std::string& json, std::vector<std::string> sets = {}, int threads = 0) {
  return Simulation::from_text(json, {.sets = std::move(sets), .threads = threads});
}

/// Balls with friction and rolling resistance in a box that turns.
const std::string kTurningBox = R"({
  "dimension": 3, "gravity": [0, 0, -9.81], "materials": {"grain": {"density": 2500}, "wall": {}},
  "shapes": {"ball": {"type": "sphere", "radius": 0.005},
             "box": {"type": "box", "half_sizes": [0.03, 0.03, 0.05], "inside": true}},
  "bodies": [
    {"name": "grains", "shape": "ball", "material": "grain", "velocity": [0.3, 0.2, 0],
     "packing": {"type": "lattice", "lower": [-0.018, -0.018, -0.04], "counts": [4, 4, 2], "spacing": 0.0115}},
    {"name": "box", "shape": "box", "material": "wall", "motion": {"angular_velocity": [0, 6, 0]}}],
  "interactions": [
    {"between": ["grain", "grain"], "law": {"type": "linear", "normal_stiffness": 20000, "restitution": 0.6,
     "friction": 0.4, "rolling": {"model": "elastic-plastic", "friction": 0.1}}},
    {"between": ["grain", "wall"], "law": {"type": "linear", "normal_stiffness": 20000, "restitution": 0.6,
     "friction": 0.4}}],
  "integrator": {"type": "velocity-verlet", "dt": 2e-5},
  "output": {"energy_ledger": true}, "run": {"duration": 0.2}})";

const std::string kRigid = R"(={"type": "coulomb", "friction": 0.4, "restitution": 0.3})";

/// A ball of 5 mm, mass 1 kg, and a floor or a plate.
std::string one_ball(const std::string& ball, const std::string& wall, const std::string& law,
                     const std::string& gravity = "[0, 0, 0]") {
  return fmt::format(
      R"({{"dimension": 3, "gravity": {}, "materials": {{"grain": {{"density": {}}}, "wall": {{}}}},
  "shapes": {{"ball": {{"type": "sphere", "radius": 0.005}},
              "floor": {{"type": "half-space", "normal": [0, 0, 1]}}}},
  "bodies": [{{"name": "ball", "shape": "ball", "material": "grain", {}}},
             {{"name": "floor", "shape": "floor", "material": "wall", {}}}],
  "interactions": [{{"between": ["grain", "wall"], "law": {{"type": "linear", "normal_stiffness": 1e6, {}}}}}],
  "integrator": {{"type": "velocity-verlet", "dt": 2e-5}},
  "output": {{"energy_ledger": true}}, "run": {{"duration": 1}}}})",
      gravity, 1 / (4.0 / 3 * std::numbers::pi * std::pow(0.005, 3)), ball, wall, law);
}

}  // namespace

TEST_CASE("spheres with friction in a box that turns: works add up to the kinetic energy, whatever moves the bodies") {
  const std::vector<std::vector<std::string>> integrators = {
      {"/integrator/type=velocity-verlet"},
      {"/integrator/type=symplectic-euler"},
      {"/integrator/type=rk4"},
      {"/integrator/type=moreau-jean", "/integrator/dt=1e-3", "/interactions/0/law" + kRigid,
       "/interactions/1/law" + kRigid}};
  for (const auto& sets : integrators) {
    Simulation run = made(kTurningBox, sets);
    run.run_until(run.duration());
    const Ledger l = ledger(run);
    CAPTURE(sets[0]);
    CHECK(gap(l) < kClosed);
    // All of it was in play.
    CHECK(l.at("wall_box") > 1e-3);
    CHECK(l.at("grain-grain_tangential") < -1e-4);
    CHECK(l.at("grain-wall_dissipated") > 1e-4);
    CHECK(l.at("gravity") != 0);
    if (sets.size() == 1) CHECK(l.at("grain-grain_rolling") < -1e-5);
  }
}

TEST_CASE("damping of all kinds is a term of its own, negative") {
  Simulation run = made(kTurningBox, {R"(/damping={"linear": 0.01, "angular": 1e-8, "local": 0.1})"});
  run.step(3000);
  CHECK(gap(ledger(run)) < kClosed);
  CHECK(ledger(run).at("damping") < -1e-3);
}

// Gate: how well the law keeps the restitution asked for in 3000 steps (tests/verification).
TEST_CASE("an impact dissipates (1 - e^2) m v^2/2") {
  Simulation run = made(
      one_ball(R"("position": [0, 0, 0.006], "velocity": [0, 0, -1])", R"("fixed": true)", R"("restitution": 0.5)"),
      {"/integrator/dt=1e-6"});
  run.run_until(0.02);
  const Ledger l = ledger(run);
  CHECK(l.at("grain-wall_dissipated") == Approx(0.375).epsilon(1e-3));
  CHECK(l.at("grain-wall_elastic") == 0);
  CHECK(l.at("grain-wall_normal") == Approx(-0.375).epsilon(1e-3));
  CHECK(l.at("kinetic") == Approx(0.125).epsilon(1e-3));
}

// It sinks in by m g/k = 1e-5 m, which shortens the lever by 0.2 %. A dashpot ends the swing of friction's spring.
TEST_CASE("a ball that slides until it rolls dissipates m v^2/7 by friction") {
  Simulation run =
      made(one_ball(R"("position": [0, 0, 0.00499019], "velocity": [1, 0, 0])", R"("fixed": true)",
                    R"("normal_damping": 500, "tangential_damping": 200, "friction": 0.5)", "[0, 0, -9.81]"));
  run.run_until(0.15);
  const Ledger l = ledger(run);
  CHECK(l.at("grain-wall_tangential") == Approx(-1.0 / 7).epsilon(1e-2));
  CHECK(l.at("grain-wall_dissipated") == Approx(1.0 / 7).epsilon(1e-2));
  CHECK(gap(l) < kClosed);
}

TEST_CASE("a ball put on a belt takes 2/7 m V^2 from it, and half of that becomes heat") {
  Simulation run =
      made(one_ball(R"("position": [0, 0, 0.00499019])", R"("fixed": true, "surface_velocity": [1, 0, 0])",
                    R"("normal_damping": 500, "tangential_damping": 200, "friction": 0.5)", "[0, 0, -9.81]"));
  run.run_until(0.15);
  const Ledger l = ledger(run);
  CHECK(l.at("wall_floor") == Approx(2.0 / 7).epsilon(1e-2));
  CHECK(l.at("grain-wall_dissipated") == Approx(1.0 / 7).epsilon(1e-2));
  CHECK(l.at("kinetic") == Approx(1.0 / 7).epsilon(1e-2));
  CHECK(gap(l) < kClosed);
}

// Order of the integrator: some 150 steps per contact, error (pi/150)^2/8 of the energy that is stored.
TEST_CASE("a plate that hits a ball at rest gives it 2 m u^2 and loses nothing") {
  Simulation run =
      made(one_ball(R"("position": [0, 0, 0.006])", R"("motion": {"velocity": [0, 0, 1]})", R"("normal_damping": 0)"));
  run.run_until(0.01);
  const Ledger l = ledger(run);
  CHECK(l.at("wall_floor") == Approx(2).epsilon(1e-4));
  CHECK(std::abs(l.at("grain-wall_dissipated")) < 1e-4);
  CHECK(gap(l) < kClosed);
}

// g dt^2/4 (F_end - F_start) of all steps together.
TEST_CASE("gravity's work is what the potential energy has lost") {
  Simulation run = made(kTurningBox);
  run.step(2000);
  const auto potential = [&] {
    const auto all = run.metrics();
    return std::ranges::find(all, "potential_energy_J", &std::pair<std::string, double>::first)->second;
  };
  const double before = potential(), work = ledger(run).at("gravity");
  run.step(3000);
  CHECK(ledger(run).at("gravity") - work == Approx(before - potential()).margin(1e-8));
}

TEST_CASE("bodies that come and go: what they bring and take is told apart from work") {
  Simulation run = made(kTurningBox, {R"(/hooks=[
    {"type": "emitter", "name": "feed", "interval": 0.01, "shape": "ball", "material": "grain", "number_rate": 200,
     "seed": 1, "velocity": [0, 0, -1],
     "region": {"type": "box", "lower": [-0.02, -0.02, 0.02], "upper": [0.02, 0.02, 0.02]}},
    {"type": "outlet", "name": "drain", "interval": 0.01, "start": 0.05,
     "region": {"type": "half-space", "point": [0, 0, -0.035], "normal": [0, 0, 1]}}])"});
  run.run_until(0.2);
  const Ledger l = ledger(run);
  const double each = 0.5 * 2500 * 4.0 / 3 * std::numbers::pi * std::pow(0.005, 3);
  CHECK(l.at("inserted") / each == Approx(std::round(l.at("inserted") / each)).margin(1e-9));
  CHECK(l.at("inserted") > 20 * each);
  CHECK(l.at("edited") < 0);
  CHECK(gap(l) < kClosed);
}

TEST_CASE("stars and polygons in the plane: works add up to the kinetic energy") {
  Simulation run = made(R"({
  "dimension": 2, "gravity": [0, -9.81], "materials": {"grain": {"density": 1180}, "wall": {}},
  "shapes": {
    "flower": {"type": "star", "coefficients": {"a0": 3, "cos": {"5": 1}}, "radius": 0.01, "thickness": 0.003},
    "hexagon": {"type": "spheropolygon", "vertices": [[0.009, 0], [0.0045, 0.0078], [-0.0045, 0.0078], [-0.009, 0],
                [-0.0045, -0.0078], [0.0045, -0.0078]], "radius": 0.001, "thickness": 0.003},
    "bowl": {"type": "circle", "radius": 0.1, "inside": true}},
  "bodies": [
    {"name": "grains", "shape": ["flower", "hexagon"], "material": "grain", "orientation": "random", "seed": 1,
     "packing": {"type": "lattice", "lower": [-0.044, -0.05], "counts": [5, 4], "spacing": 0.022}},
    {"name": "bowl", "shape": "bowl", "material": "wall", "motion": {"angular_velocity": 3}}],
  "interactions": [{"between": ["grain", "*"],
    "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.1, "friction": 0.3}}],
  "integrator": {"type": "velocity-verlet", "dt": 5e-5},
  "output": {"energy_ledger": true}, "run": {"duration": 0.3}})");
  run.run_until(0.3);
  CHECK(gap(ledger(run)) < kClosed);
  CHECK(ledger(run).at("grain-any_dissipated") > 1e-4);
}

TEST_CASE("a beam of bonded bodies: the work of bonds is a term of its own") {
  Simulation run = Simulation::from_file(
      SCREE_EXAMPLES "/beam_stretch/scene.json",
      {.sets = {R"(/integrator={"type": "velocity-verlet", "dt": 1e-6})", "/output/energy_ledger=true"}});
  run.step(500);
  CHECK(gap(ledger(run)) < kClosed);
  CHECK(std::abs(ledger(run).at("bonds")) > 1e-6);
}

TEST_CASE("clumps in space: the residual is the error of rotation, which falls with the step") {
  const auto left = [](double dt) {
    Simulation run =
        made(kTurningBox, {R"(/shapes/ball={"type": "clump", "spheres": [
      {"position": [0, 0, 0], "radius": 0.003}, {"position": [0.004, 0, 0], "radius": 0.002},
      {"position": [0, 0.003, 0], "radius": 0.002}]})",
                           R"(/bodies/0/angular_velocity=[5, 3, 8])", fmt::format("/integrator/dt={}", dt)});
    run.run_until(0.04);
    return gap(ledger(run));
  };
  const double coarse = left(2e-5), fine = left(1e-5);
  CHECK(coarse < 1e-3);
  CHECK(coarse > 1e-9);
  CHECK(fine < coarse / 2);  // not four times: grains that hit each other part from those of the other run
}

TEST_CASE("the ledger changes no bit of the run, and has the same bits for any threads and when resumed") {
  Simulation whole = made(kTurningBox, {}, 1), plain = made(kTurningBox, {"/output/energy_ledger=false"});
  Simulation other = made(kTurningBox, {}, 3), resumed = made(kTurningBox, {}, 2);
  whole.step(4000), plain.step(4000);
  other.step(2000);
  resumed.restore(*other.snapshot());
  resumed.step(2000);
  CHECK(ledger(resumed) == ledger(whole));
  for (std::size_t i = 0; i < whole.world().size(); ++i)
    CHECK(whole.world().position.read()[i] ==
          plain.world().position.read()[*plain.world().row(whole.world().id.read()[i])]);
}

TEST_CASE("a ledger that a stage opens counts from there") {
  Simulation run = made(kTurningBox, {"/run={}", "/output/energy_ledger=false",
                                      R"(/stages=[{"name": "fill", "until": {"steps": 1000}},
        {"name": "watch", "change": {"output": {"energy_ledger": true}}, "until": {"steps": 3000}}])"});
  run.step(3000);
  const Ledger l = ledger(run);
  CHECK(l.at("start") > 0);
  CHECK(gap(l) < kClosed);
}

TEST_CASE("an integrator that does not tell the forces it applies is refused with the ledger, by name") {
  try {
    made(kTurningBox, {"/integrator/type=gear"});
    FAIL("it was accepted");
  } catch (const InputError& e) {
    CHECK(std::string(e.what()).find(
              "/output/energy_ledger: integrator \"gear\" does not tell which forces a step applies") !=
          std::string::npos);
    CHECK(std::string(e.what()).find("velocity-verlet") != std::string::npos);
  }
}
