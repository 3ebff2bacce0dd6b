// The integrator as scenes use it: what it refuses, what others refuse, walls' forces, emitters, and the same bits.

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstring>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"
#include "scree/world/rigid_sum.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kPoints =
    R"({"name": "sand", "shape": "point", "material": "sand", "packing": {"type": "lattice", "lower": [0.001, 0.001], "counts": [12, 24]}})";
const std::string kWalls = R"({"name": "floor", "shape": "floor", "material": "ground", "fixed": true},
     {"name": "left", "shape": "left", "material": "ground", "fixed": true})";

/// A column of points in the corner of two walls. \param more  further keys, each after a comma
std::string scene(const std::string& bodies = kPoints + ", " + kWalls, const std::string& more = "",
                  const std::string& interactions = R"({"between": ["*", "*"], "law": "none"})") {
  return fmt::format(R"({{
    "dimension": 2, "gravity": [0, -9.81],
    "materials": {{"sand": {{"density": 2500}}, "ground": {{}}, "steel": {{"density": 8000}}}},
    "shapes": {{"point": {{"type": "material-point", "spacing": 0.002}}, "disc": {{"type": "circle", "radius": 0.02}},
                "grain": {{"type": "sphere", "radius": 0.02}}, "speck": {{"type": "sphere", "radius": 0.005}},
                "star": {{"type": "star", "coefficients": {{"a0": 4, "cos": {{"4": 1}}}}, "radius": 0.025}},
                "floor": {{"type": "half-plane"}}, "left": {{"type": "half-plane", "normal": [1, 0]}},
                "slat": {{"type": "box", "half_sizes": [0.05, 0.003]}}}},
    "bodies": [{}],
    "interactions": [{}],
    "integrator": {{"type": "granular-continuum", "dt": 2e-3, "cell": 0.006, "friction": 0.5,
                    "boundaries": [{{"material": "ground", "friction": 0.4}}]}},
    "output": {{"writers": []}}, "run": {{"duration": 1}} {}
  }})",
                     bodies, interactions, more);
}

/// On one thread: these scenes are small.
Simulation small(const std::string& text, const std::vector<std::string>& sets = {}) {
  return Simulation::from_text(text, {.sets = sets, .threads = 1});
}

std::string refusal(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    Simulation::from_text(text, {.sets = sets});
  } catch (const InputError& e) {
    return e.what();
  }
  return "none";
}

/// Returns the state of all bodies by id, which distinguishes two states.
std::vector<double> state(const Simulation& run) {
  const World& world = run.world();
  std::vector<std::size_t> rows(world.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  std::ranges::sort(rows, {}, [&](std::size_t i) { return world.id[i]; });
  std::vector<double> bits;
  for (const std::size_t i : rows)
    for (int k = 0; k < 2; ++k) bits.insert(bits.end(), {world.position[i][k], world.velocity[i][k]});
  return bits;
}

Vec3 column_of(const Simulation& run, const std::string& column, const std::string& name) {
  const World& world = run.world();
  const auto values = world.find_column(column)->as<Vec3>();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (world.group_names[world.group[i]] == name) return values[i];
  return Vec3::Zero();
}
Vec3 force_on(const Simulation& run, const std::string& name) { return column_of(run, "force", name); }
/// About the body's place, z [N m].
double torque_on(const Simulation& run, const std::string& name) { return column_of(run, "torque", name)[2]; }

}  // namespace

TEST_CASE("a column that has collapsed rests, and the floor bears it") {
  Simulation run = small(scene());
  run.step(400);
  CHECK(run.world().metrics().at("solver_unconverged_steps_total") == 0);
  CHECK(run.world().metrics().at("continuum_points") == 288);
  CHECK(run.world().metrics().at("solver_residual") < 1e-3);
  const double weight = 288 * 2500 * 0.6 * 4e-6 * 9.81;
  const Vec3 load = force_on(run, "floor") + force_on(run, "left");
  CHECK(-load[1] == Approx(weight).epsilon(0.02));  // what creeps brakes and speeds up
  CHECK(std::abs(load[0]) < 0.02 * weight);
  // Both walls stand at the origin, about which their moments are those of the weight.
  double turning = 0;
  for (std::size_t i = 0; i < run.world().size(); ++i)
    turning -= run.world().inverse_mass[i] > 0 ? run.world().mass[i] * 9.81 * run.world().position[i][0] : 0;
  CHECK(torque_on(run, "floor") + torque_on(run, "left") == Approx(turning).epsilon(0.02));
  CHECK(run.world().find_column("pressure") != nullptr);
  CHECK(run.world().find_column("solid_fraction") != nullptr);
}

TEST_CASE("in mid-collapse a run that is saved and loaded has the bits of one that went on") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "state.h5").string();
  Simulation whole = small(scene());
  whole.step(75);  // past the step that brings rows into order
  whole.save(file);
  whole.step(50);
  Simulation again = small(scene());
  again.load(file);
  again.step(50);
  CHECK(state(again) == state(whole));
  CHECK(again.world().metrics() == whole.world().metrics());
}

TEST_CASE("a scene has the same bits on any number of threads and for any order of its rows") {
  const auto run = [](int threads, bool turned) {
    Simulation simulation = Simulation::from_text(scene(), {.threads = threads});
    World& world = simulation.world();
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < world.size(); ++i)
      order.push_back(turned ? static_cast<std::uint32_t>(world.size()) - 1 - i : i);
    world.reorder(order);
    simulation.step(80);
    return state(simulation);
  };
  const auto expected = run(1, false);
  CHECK(run(2, false) == expected);
  CHECK(run(3, true) == expected);
}

TEST_CASE("grains act on nothing, have the same bits on any number of threads, and go on after a resume") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "state.h5").string();
  const std::vector<std::string> with = {"/integrator/grains=9"};
  const auto grains = [](Simulation& run) {
    Table& table = run.world().table("grains");
    std::vector<double> bits(3 * table.size());
    const auto x = table.find_column("position")->as<Vec3>();
    for (std::size_t g = 0; g < table.size(); ++g)
      for (int k = 0; k < 3; ++k) bits[3 * table.id[g] + static_cast<std::size_t>(k)] = x[g][k];
    return bits;
  };
  Simulation plain = small(scene()), whole = small(scene(), with);
  CHECK(plain.world().further_tables().empty());
  plain.step(120), whole.step(120);
  CHECK(state(plain) == state(whole));
  CHECK(grains(whole).size() == std::size_t{3 * 9 * 288});
  Simulation threads = Simulation::from_text(scene(), {.sets = with, .threads = 3});
  threads.step(70);
  threads.save(file);
  Simulation again = small(scene(), with);
  again.load(file);
  again.step(50);
  CHECK(grains(again) == grains(whole));
  const auto x = whole.world().table("grains").find_column("position")->as<Vec3>();
  CHECK(std::ranges::all_of(x, [](const Vec3& at) { return at[1] >= 0 && at[0] >= 0; }));
  CHECK_THAT(refusal(scene(), {"/integrator/grains=-1"}), ContainsSubstring("/integrator/grains"));
}

TEST_CASE("points that come from an emitter join the continuum and points that leave are gone") {
  const std::string hooks = R"(, "hooks": [
    {"type": "emitter", "name": "in", "shape": "point", "material": "sand", "number_rate": 2000, "interval": 0.01,
     "region": {"type": "box", "lower": [0.002, 0.06], "upper": [0.03, 0.08]}},
    {"type": "outlet", "name": "out", "interval": 0.01, "region": {"type": "half-space", "point": [0.05, 0], "normal": [-1, 0]}}])";
  Simulation run = small(scene(kPoints + ", " + kWalls, hooks), {"/integrator/grains=4"});
  run.step(150);
  for (const Id point : run.world().table("grains").find_column("point")->as<Id>()) CHECK(run.world().row(point));
  const auto& figures = run.world().metrics();
  CHECK(figures.at("in_count") > 100);
  CHECK(figures.at("continuum_points") == 288 + figures.at("in_count") - figures.at("out_count"));
}

TEST_CASE("a periodic cell has no end") {
  const std::string floor = R"({"name": "floor", "shape": "floor", "material": "ground", "fixed": true})";
  const std::string cell = R"(, "periodic": {"x": [0, 0.024]})";
  Simulation run = small(scene(kPoints + ", " + floor, cell), {"/gravity=[5.66,-8.01]"});
  run.step(100);
  // It slides on the floor, whose friction is 0.4: g sin - 0.4 g cos.
  const Totals sum = totals(run.world(), run.gravity());
  CHECK(sum.momentum[0] / sum.mass == Approx(0.2 * (5.66 - 0.4 * 8.01)).epsilon(0.02));
  for (std::size_t i = 0; i < run.world().size(); ++i) CHECK(std::abs(run.world().position[i][0]) < 0.2);
}

TEST_CASE("a belt takes what lies on it along by its friction, and no faster than it runs") {
  const auto speed_on = [](double belt, std::uint64_t steps) {
    const std::string floor = fmt::format(
        R"({{"name": "floor", "shape": "floor", "material": "ground", "fixed": true, "surface_velocity": [{}, 0]}})",
        belt);
    Simulation run = small(scene(kPoints + ", " + floor, R"(, "periodic": {"x": [0, 0.024]})"));
    run.step(steps);
    const Totals sum = totals(run.world(), run.gravity());
    return sum.momentum[0] / sum.mass;
  };
  CHECK(speed_on(-1, 50) == Approx(-0.4 * 9.81 * 0.1).epsilon(0.02));
  CHECK(speed_on(0.1, 50) == Approx(0.1).epsilon(0.02));  // after 0.025 s
}

TEST_CASE("a wall that moves takes grains along") {
  const std::string pusher = R"({"name": "left", "shape": "left", "material": "ground",
    "motion": {"velocity": [0.1, 0]}})";
  const std::string floor = R"({"name": "floor", "shape": "floor", "material": "ground", "fixed": true})";
  Simulation run = small(scene(kPoints + ", " + floor + ", " + pusher));
  run.step(200);
  double least = 1;
  const World& world = run.world();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (world.inverse_mass[i] > 0) least = std::min(least, world.position[i][0]);
  CHECK(least > 0.04 - 0.006);
  CHECK(force_on(run, "left")[0] < 0);
}

namespace {

/// Beside the points: a disc, and a star above it that lands on it.
const std::string kBodies =
    R"(, {"name": "disc", "shape": "grain", "material": "steel", "position": [0.05, 0.0201]},
         {"name": "star", "shape": "star", "material": "steel", "position": [0.052, 0.067], "velocity": [0, -0.3]})";
const std::string kMeet =
    R"({"between": ["sand", "*"], "law": "none"}, {"between": ["ground", "ground"], "law": "none"},
       {"between": ["steel", "steel"], "law": {"type": "coulomb", "friction": 0.3}},
       {"between": ["steel", "ground"], "law": {"type": "coulomb", "friction": 0.3}})";

std::size_t row_of(const World& world, const std::string& name) {
  for (std::size_t i = 0; i < world.size(); ++i)
    if (world.group_names[world.group[i]] == name) return i;
  return world.size();
}

/// Returns the state of all bodies with rotations, which distinguishes two states with rigid bodies.
std::vector<double> whole_state(const Simulation& run) {
  std::vector<double> bits = state(run);
  const World& world = run.world();
  for (const char* const name : {"disc", "star"}) {
    const std::size_t i = row_of(world, name);
    bits.insert(bits.end(), {world.orientation[i].z(), world.angular_velocity[i][2]});
  }
  return bits;
}

}  // namespace

TEST_CASE("rigid bodies lie on the floor, on each other and in the sand that runs against them") {
  Simulation run = small(scene(kPoints + ", " + kWalls + kBodies, "", kMeet));
  run.step(500);
  const World& world = run.world();
  const auto weight = [&](const std::string& name) { return world.mass[row_of(world, name)] * 9.81; };
  for (const char* const name : {"disc", "star"}) {
    INFO(name);
    // The disc rolls away and the star lies: gravity, contacts and sand add up to nothing.
    CHECK(force_on(run, name).norm() < 0.02 * weight(name));
  }
  const double sand = 288 * 2500 * 0.6 * 4e-6 * 9.81;
  CHECK(-force_on(run, "floor")[1] == Approx(sand + weight("disc") + weight("star")).epsilon(0.03));
  CHECK(run.world().metrics().at("solver_residual") < 1e-4);
}

TEST_CASE("with rigid bodies a run that is saved and loaded has the bits of one that went on") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "state.h5").string();
  const std::string text = scene(kPoints + ", " + kWalls + kBodies, "", kMeet);
  Simulation whole = small(text);
  whole.step(75);  // past the step that brings rows into order
  whole.save(file);
  whole.step(40);
  Simulation again = small(text);
  again.load(file);
  again.step(40);
  CHECK(whole_state(again) == whole_state(whole));
  CHECK(again.world().metrics() == whole.world().metrics());
}

TEST_CASE("rigid bodies have the same bits on any number of threads and for any order of rows") {
  const auto run = [](int threads, bool turned) {
    Simulation simulation =
        Simulation::from_text(scene(kPoints + ", " + kWalls + kBodies, "", kMeet), {.threads = threads});
    World& world = simulation.world();
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < world.size(); ++i)
      order.push_back(turned ? static_cast<std::uint32_t>(world.size()) - 1 - i : i);
    world.reorder(order);
    simulation.step(30);
    return whole_state(simulation);
  };
  const auto expected = run(1, false);
  CHECK(run(2, false) == expected);
  CHECK(run(3, true) == expected);
}

TEST_CASE("a step that is cut into parts moves bodies as often, and shows the mean of their forces") {
  // 1.5 m/s, 2 ms: half a cell per step.
  const std::string fast = R"(, {"name": "disc", "shape": "grain", "material": "steel", "position": [0.06, 0.0199],
                                "velocity": [5, 0]})";
  Simulation run = small(scene(kWalls + fast + ", " + kPoints, "", kMeet));
  const World& world = run.world();
  const double mass = world.mass[row_of(world, "disc")];
  const double before = world.velocity[row_of(world, "disc")][0], inertia = world.inertia[row_of(world, "disc")][2];
  run.step(1);
  const std::size_t i = row_of(world, "disc");
  CHECK(world.position[i][0] == Approx(0.06 + 5 * 2e-3).epsilon(0.01));
  CHECK(force_on(run, "disc")[0] * 2e-3 == Approx(mass * (world.velocity[i][0] - before)).epsilon(1e-9));
  CHECK(world.angular_velocity[i][2] < -1);  // the floor brakes it and turns it
  CHECK(torque_on(run, "disc") * 2e-3 == Approx(inertia * world.angular_velocity[i][2]).epsilon(1e-9));
}

TEST_CASE("bodies that meet in the midst of a step that is cut into parts do not overlap") {
  // Each goes 10 mm in a step of four parts, and the gap between them closes in the third.
  const std::string two =
      R"(, {"name": "west", "shape": "grain", "material": "steel", "position": [0.08, 0.06], "velocity": [5, 0]},
                              {"name": "east", "shape": "grain", "material": "steel", "position": [0.132, 0.06], "velocity": [-5, 0]})";
  Simulation run = small(scene(kPoints + ", " + kWalls + two, "", kMeet));
  run.step(1);
  const World& world = run.world();
  const std::size_t one = row_of(world, "west"), other = row_of(world, "east");
  // A gap of a ten-thousandth of a cell, 0.6 um, counts as none.
  CHECK((world.position[one] - world.position[other]).norm() == Approx(0.04).margin(2e-6));
  // Alike and head on, without bounce: both are at rest.
  CHECK(std::abs(world.velocity[one][0]) < 5e-3);
  CHECK(std::abs(world.velocity[other][0]) < 5e-3);
}

TEST_CASE("a free body may cross the side of a periodic cell") {
  const std::string floor = R"({"name": "floor", "shape": "floor", "material": "ground", "fixed": true})";
  const std::string body = R"(, {"name": "disc", "shape": "grain", "material": "steel", "position": [X, 0.0699]})";
  const auto run = [&](double shift) {
    std::string at = body;
    at.replace(at.find('X'), 1, fmt::format("{}", 0.06 + shift));
    std::string points = kPoints;
    points.replace(points.find("[12, 24]"), 8, "[60, 24]");
    Simulation simulation = small(scene(points + ", " + floor + at, R"(, "periodic": {"x": [0, 0.12]})", kMeet));
    simulation.step(30);
    return Vec3(simulation.world().velocity[row_of(simulation.world(), "disc")]);
  };
  // The same by half a cell's length, where it lies across the side.
  const Vec3 middle = run(0), across = run(0.06);
  CHECK((middle - across).norm() < 0.02 * middle.norm());  // 0.004: nodes come in another order
}

TEST_CASE("what cannot be a continuum is refused before the first step") {
  const std::string all = kPoints + ", " + kWalls;
  CHECK_THAT(
      refusal(scene(), {"/integrator={\"type\": \"moreau-jean\", \"dt\": 1e-3}"}),
      ContainsSubstring("integrator \"moreau-jean\" cannot move bodies of shape \"point\" (material-point), which "
                        "need one with the face material-points/1. Choose \"granular-continuum\""));
  CHECK_THAT(refusal(scene(), {"/integrator/cell=0.01"}),
             ContainsSubstring("/integrator/cell: points of \"sand\" have a spacing of 0.002 m, 5 to a cell of 0.01 m "
                               "along each axis; 2 to 4 are possible, and 3 are good in the plane. A cell of 0.006 m "
                               "would fit."));
  CHECK_THAT(refusal(scene(), {"/integrator/cell=0.0035"}),
             ContainsSubstring("/integrator/cell: points of \"sand\" have a spacing of 0.002 m, 1.75 to a cell of "
                               "0.0035 m along each axis; 2 to 4 are possible"));
  CHECK_THAT(refusal(scene(), {"/integrator/boundaries/0/material=grund"}),
             ContainsSubstring("/integrator/boundaries/0/material: unknown material \"grund\". The scene has sand, "
                               "ground, steel."));
  CHECK_THAT(refusal(scene(), {"/integrator/boundaries/0/friction=sticky"}), ContainsSubstring("friction"));
  CHECK_THAT(refusal(scene(), {"/integrator/friction=-1"}), ContainsSubstring("/integrator/friction"));
  CHECK_THAT(refusal(scene(), {"/integrator/max_fraction=0.55"}),
             ContainsSubstring("/integrator/max_fraction: points of \"sand\" have a fraction of 0.6, more than the "
                               "largest, 0.55: they would push each other apart from the first step on."));
  CHECK_THAT(refusal(scene(), {"/bodies/0/packing/lower=[0.001, 5000]"}),
             ContainsSubstring("/integrator/cell: a point of \"sand\" is at (0.001, 5000, 0) m, and a grid of cells of "
                               "0.006 m reaches 3145.73 m from the origin."));
  CHECK_THAT(refusal(scene(), {"/bodies/0/packing/lower=[0.001, -0.05]"}),
             ContainsSubstring("a point of \"sand\" at (0.001, -0.05, 0) m lies 0.05 m deep in wall \"floor\". Move "
                               "one of them; half a cell, 0.003 m, would be let pass."));
  CHECK_THAT(refusal(scene(), {R"(/integrator/friction={"static": 0.5, "dynamic": 0.4, "diameter": 1e-3})"}),
             ContainsSubstring("/integrator/friction/dynamic: 0.4 is less than static, 0.5"));
  CHECK_THAT(refusal(scene(kPoints + ", " + kWalls + kBodies, "", kMeet), {"/integrator/friction=0.04"}),
             ContainsSubstring("/integrator/friction: 0.04 is less than 0.05, and \"disc\" moves freely: it would sink "
                               "too deep in grains without friction. Give at least that, or fix the body."));
  CHECK_THAT(refusal(scene(), {"/integrator/friction=0", "/integrator/cohesion=10"}),
             ContainsSubstring("/integrator/cohesion: there is no cohesion without friction"));
  CHECK_THAT(
      refusal(scene(all, R"(, "periodic": {"x": [0, 0.02]})")),
      ContainsSubstring("/integrator/cell: the periodic cell is 0.02 m long in x, which is 3.33333 cells of 0.006 "
                        "m; it must be a whole number of them, at least 3. 0.00666667 m would fit."));
  CHECK_THAT(
      refusal(scene(
          all + R"(, {"name": "slat", "shape": "slat", "material": "steel", "position": [0.1, 0.1], "fixed": true})")),
      ContainsSubstring("wall \"slat\" is 0.006 m thick, and nodes within a cell of it on both sides would feel "
                        "each other. Walls must be at least two cells thick: 0.012 m."));
  const auto with = [&](const std::string& body) { return scene(all + ", " + body, "", kMeet); };
  CHECK_THAT(
      refusal(with(R"({"name": "dot", "shape": "speck", "material": "steel", "position": [0.1, 0.1]})")),
      ContainsSubstring("/integrator/cell: \"dot\" moves freely and is about 0.0098 m thick where it is thickest, 1.6 "
                        "cells. Nodes do not resolve a body of less than three: 0.018 m."));
  std::string by_force = kMeet;
  by_force.replace(by_force.find("coulomb\", \"friction"), 19, "linear\", \"normal_stiffness");
  CHECK_THAT(refusal(scene(all + kBodies, "", by_force)),
             ContainsSubstring("cone/1") && ContainsSubstring("granular-continuum"));
  CHECK_THAT(
      refusal(scene(kPoints + R"(, {"name": "floor", "shape": "floor", "material": "ground", "fixed": true},
                                          {"name": "disc", "shape": "grain", "material": "steel", "position": [0.05, 0.08]})",
                    R"(, "periodic": {"x": [0, 0.06]})", kMeet)),
      ContainsSubstring("/integrator/cell: \"disc\" and two cells on either side of it take 0.064 m, more than the "
                        "periodic cell has in x, 0.06 m: it would meet itself."));
  CHECK_THAT(refusal(with(R"({"name": "disc", "shape": "grain", "material": "steel", "position": [0.02, 0.05]})")),
             ContainsSubstring("m deep in wall \"disc\". Move one of them"));
  CHECK_THAT(
      refusal(scene(all, "",
                    R"({"between": ["sand", "ground"], "law": "none"}, {"between": ["sand", "sand"], "law": "none"})")),
      ContainsSubstring("bodies of shape \"point\" (material-point) meet nobody by contacts"));
}

TEST_CASE("no other integrator moves material points") {
  for (const std::string name : {"symplectic-euler", "velocity-verlet", "rk4", "gear", "moreau-jean", "variational"}) {
    INFO(name);
    CHECK_THAT(refusal(scene(), {"/integrator={\"type\": \"" + name + "\", \"dt\": 1e-3}"}),
               ContainsSubstring("integrator \"" + name +
                                 "\" cannot move bodies of shape \"point\" (material-point), which need one with the "
                                 "face material-points/1. Choose \"granular-continuum\""));
  }
}

TEST_CASE("bonds beside a continuum are refused") {
  const std::string text = R"({
    "dimension": 3, "gravity": [0, 0, -9.81], "materials": {"sand": {"density": 2500}, "steel": {"density": 8000}},
    "shapes": {"point": {"type": "material-point", "spacing": 0.005}, "ball": {"type": "sphere", "radius": 0.03}},
    "bodies": [
      {"name": "sand", "shape": "point", "material": "sand", "packing": {"type": "lattice", "lower": [0, 0, 0], "counts": [4, 4, 4]}},
      {"name": "balls", "shape": "ball", "material": "steel", "packing": {"type": "lattice", "lower": [0, 0, 0.1], "counts": [2, 1, 1], "spacing": 0.06}}],
    "bonds": [{"between": ["balls", "balls"], "pairs": "touching", "gap": 1e-3, "law": {"type": "bonded-beam", "youngs_modulus": 1e6}}],
    "interactions": [{"between": ["sand", "*"], "law": "none"}, {"between": ["steel", "steel"], "law": {"type": "coulomb", "friction": 0.3}}],
    "integrator": {"type": "granular-continuum", "dt": 2e-3, "cell": 0.01}, "output": {"writers": []}, "run": {"duration": 1}
  })";
  CHECK_THAT(refusal(text),
             ContainsSubstring("/integrator: bonds cannot take part yet: bodies beside the continuum move one by one. "
                               "Remove /bonds, or choose another integrator."));
}

namespace {
const std::string kFluid = R"(/integrator/fluid={"density": 1000, "viscosity": 0.01, "diameter": 1e-3})";
}

TEST_CASE("what a fluid cannot have in it is refused") {
  CHECK_THAT(refusal(scene(), {kFluid, "/integrator/fluid/density=2501"}),
             ContainsSubstring("/integrator/fluid/density: 2501 kg/m^3 is more than the 2500 kg/m^3 of material "
                               "\"sand\" of \"sand\": grains would float."));
  CHECK_THAT(refusal(scene(), {kFluid, "/integrator/fluid/viscosity=0"}),
             ContainsSubstring("/integrator/fluid/viscosity"));
}

TEST_CASE("in a fluid too a run has the same bits on two threads, and where it is saved and loaded") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "state.h5").string();
  for (const std::string& text : {scene(), scene(kPoints + ", " + kWalls + kBodies, "", kMeet)}) {
    Simulation whole = small(text, {kFluid});
    whole.step(30);
    whole.save(file);
    whole.step(20);
    Simulation again = Simulation::from_text(text, {.sets = {kFluid}, .threads = 2});
    again.load(file);
    again.step(20);
    CHECK(state(again) == state(whole));
    CHECK(whole.world().metrics().at("pore_pressure_max_Pa") > 0);
  }
}

TEST_CASE("a wall that shuts a fluid in ends the run") {
  const std::string walls =
      R"({"name": "floor", "shape": "floor", "material": "ground", "fixed": true},
         {"name": "right", "shape": "left", "material": "ground", "fixed": true, "position": [0.4, 0], "orientation": 3.141592653589793},
         {"name": "lid", "shape": "floor", "material": "ground", "fixed": true, "position": [0, 0.4], "orientation": 3.141592653589793},
         {"name": "left", "shape": "left", "material": "ground", "motion": {"velocity": [0.1, 0]}})";
  Simulation run = small(scene(kPoints + ", " + walls), {kFluid});
  try {
    run.step(1);
    FAIL("accepted");
  } catch (const NumericalError& e) {
    CHECK_THAT(e.what(), ContainsSubstring("walls that move take room from the fluid, which is shut in by walls on all "
                                           "sides and cannot leave. Leave an opening between walls"));
  }
}

TEST_CASE("mud has the same bits on two threads, and where it is saved and loaded") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "state.h5").string();
  const std::vector<std::string> mud = {"/integrator/friction=0.01", "/integrator/cohesion=20",
                                        "/integrator/viscosity=5"};
  Simulation whole = small(scene(), mud);
  whole.step(75);
  whole.save(file);
  whole.step(20);
  Simulation again = Simulation::from_text(scene(), {.sets = mud, .threads = 2});
  again.load(file);
  again.step(20);
  CHECK(state(again) == state(whole));
}

namespace {

/// Warnings of a scene, in one text.
std::string warnings(const std::string& text, const std::vector<std::string>& sets = {}) {
  std::string all;
  const Simulation run = small(text, sets);
  for (const std::string& warning : run.warnings()) all += warning + "\n";
  return all;
}

}  // namespace

TEST_CASE("a tolerance that leaves a viscous flow open is told") {
  CHECK(warnings(scene()).empty());
  // 96 mm of matter, 16 cells.
  const std::string high = "/bodies/0/packing/counts=[48, 96]";
  CHECK(warnings(scene(), {high, "/integrator/viscosity=500"}).empty());
  CHECK_THAT(warnings(scene(), {high, "/integrator/viscosity=1500"}),
             ContainsSubstring("/integrator/tolerance: 0.001 lets velocities be off by about 0.0005 m/s, 4.4 % of the "
                               "0.011 m/s that matter 0.096 m thick with a viscosity of 1500 Pa s may flow at"));
  // So slow a flow has a hundredth of the tolerance.
  CHECK(warnings(scene(), {high, "/integrator/viscosity=15000"}).empty());
}

TEST_CASE("speeds of walls that do not fit step and tolerance are told") {
  const auto pushed = [](double speed) {
    const std::string wall = fmt::format(
        R"({{"name": "left", "shape": "left", "material": "ground", "motion": {{"velocity": [{}, 0]}}}})", speed);
    return scene(kPoints + ", " + wall);
  };
  CHECK(warnings(pushed(0.05)).empty());
  CHECK(warnings(pushed(0)).empty());
  CHECK_THAT(
      warnings(pushed(6)),
      ContainsSubstring("/integrator/dt: \"left\" goes up to 2 cells per step: a wall that is to feel the grains "
                        "goes one at most. Lower it to 0.001 s or less."));
  CHECK_THAT(
      warnings(pushed(1e-4)),
      ContainsSubstring("/integrator/tolerance: \"left\" moves at 0.0001 m/s at most, and steps to 0.001 leave "
                        "grains a creep of about 2e-05 m/s: it meets its load late. Lower the tolerance to 0.0002 "
                        "or less, or make /integrator/dt shorter in proportion."));
  CHECK(warnings(pushed(1e-4), {"/integrator/tolerance=2e-4"}).empty());
}

TEST_CASE("a tolerance that holds bodies up is told") {
  const std::string text = scene(kPoints + ", " + kWalls + kBodies, "", kMeet);
  CHECK(warnings(text).empty());
  CHECK_THAT(
      warnings(text, {"/integrator/tolerance=1e-3"}),
      ContainsSubstring("/integrator/tolerance: 0.001 holds bodies such as \"disc\" up: they sink less deep than "
                        "they should. Lower it to 0.0001, which is the default with rigid bodies."));
}

TEST_CASE("a body that becomes part of another in mid-run ends the run") {
  Simulation run = small(scene(kPoints + ", " + kWalls + kBodies, "", kMeet));
  run.step(1);
  World& world = run.world();
  const Id disc = world.id[row_of(world, "disc")], star = world.id[row_of(world, "star")];
  world.attach(std::vector<Id>{disc}, star, rigid_sum(world, std::vector<Id>{disc, star}));
  try {
    run.step(1);
    FAIL("accepted");
  } catch (const NumericalError& e) {
    CHECK_THAT(e.what(),
               ContainsSubstring("a body came during the run and cannot take part: \"disc\" moves freely as part of a "
                                 "body that is made of several. Such bodies cannot take part yet: make it one shape, "
                                 "fix it, or remove it."));
  }
}

TEST_CASE("a point that is too fast is named") {
  Simulation run = small(scene());
  run.world().velocity.write()[0] = Vec3(1000, 0, 0);
  try {
    run.step(1);
    FAIL("accepted");
  } catch (const NumericalError& e) {
    CHECK_THAT(e.what(), ContainsSubstring("cells per step; more than 20 are surely a mistake"));
  }
}

TEST_CASE("steps are told that are too long for grains in a fluid") {
  // (0.006 m * 1900 kg/m^3 / (9.81 m/s^2 * 900 kg/m^3))^(1/2) = 35.9 ms
  CHECK(warnings(scene(), {kFluid, "/integrator/dt=0.035"}).empty());
  CHECK_THAT(
      warnings(scene(), {kFluid, "/integrator/dt=0.037"}),
      ContainsSubstring("0.037 s is longer than the 0.036 s in which the surface of grains in this fluid falls by "
                        "a cell: suspensions sink too fast. Lower it to 0.025 s or less, or take larger cells."));
}
