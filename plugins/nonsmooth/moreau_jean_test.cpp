// The integrator "moreau-jean" as a scene sees it: options, errors, what it writes.

#include <fmt/format.h>

#include <filesystem>

#include "catch.hpp"
#include "scenes.hpp"
#include "solvers/coulomb/solve.hpp"
#include "solvers/fclib/read.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A disc that lies on a floor, with options of the law and of the integrator.
std::string scene(const std::string& law = R"("friction": 0.5)", const std::string& integrator = "") {
  return R"({"dimension": 2, "gravity": [0, -10], "materials": {"m": {"density": 1000}},
    "shapes": {"disc": {"type": "sphere", "radius": 0.1, "thickness": 0.001}, "floor": {"type": "half-plane", "normal": [0, 1]},
               "lid": {"type": "half-plane", "normal": [0, -1]}},
    "bodies": [{"name": "ball", "shape": "disc", "material": "m", "position": [0, 0.1]},
               {"name": "floor", "shape": "floor", "material": "m", "fixed": true}],
    "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", )" +
         law + R"(}}],
    "integrator": {"type": "moreau-jean", "dt": 1e-3)" +
         (integrator.empty() ? "" : ", " + integrator) + R"(}, "output": {"writers": []}, "run": {"duration": 1}})";
}

std::string refusal(const std::string& text) {
  try {
    const Running run(text);
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("friction and restitution out of range, and unknown options, are refused with place and range") {
  CHECK_THAT(refusal(scene(R"("friction": -0.1)")),
             ContainsSubstring("/interactions/0/law/friction") && ContainsSubstring("-0.1") && ContainsSubstring("0"));
  CHECK_THAT(refusal(scene(R"("restitution": 1.5)")), ContainsSubstring("/interactions/0/law/restitution") &&
                                                          ContainsSubstring("1.5") && ContainsSubstring("1"));
  CHECK_THAT(refusal(scene(R"("restitution": -1)")), ContainsSubstring("/interactions/0/law/restitution"));
  CHECK_THAT(refusal(scene(R"("friction": 0.5)", R"("tolerence": 1e-3)")), ContainsSubstring("tolerance"));
  CHECK_THAT(refusal(scene(R"("friction": 0.5)", R"("local_solver": "lemke")")), ContainsSubstring("enumerative"));
}

TEST_CASE("compliant laws have no cone, and rigid contact gives no force: both are refused by face") {
  const std::string text = scene();
  const auto replaced = [&](const std::string& from, const std::string& to) {
    return std::string(text).replace(text.find(from), from.size(), to);
  };
  CHECK_THAT(refusal(replaced(R"("type": "coulomb", "friction": 0.5)", R"("type": "linear", "normal_stiffness": 1e4)")),
             ContainsSubstring("cone/1") && ContainsSubstring("Laws that fit: coulomb"));
  CHECK_THAT(refusal(replaced("moreau-jean", "velocity-verlet")),
             ContainsSubstring("force/1") && ContainsSubstring("linear"));
}

TEST_CASE("a disc on a floor rests: figures of the solver, force on the wall, one contact") {
  Running run(scene());
  run.steps(100);
  const World& world = run.world();
  CHECK(world.velocity.read()[*world.row(0)].norm() < 1e-12);
  CHECK(world.metrics().at("solver_residual") <= 1e-6);
  CHECK(world.metrics().at("solver_unconverged_steps_total") == 0);
  CHECK(world.metrics().at("solver_stick_total") > 0);
  CHECK(mechanics_of(run.prepared).pipeline().counts().contacts == 1);
  const Wrenches forces = mechanics_of(run.prepared).last_forces();
  const double weight = 10 * world.mass.read()[*world.row(0)];
  CHECK(forces[*world.row(1)].force.isApprox(Vec3(0, -weight, 0), 1e-9));
}

TEST_CASE("a disc that a lid presses into the floor: the run goes on for as many steps as allowed, then says why not") {
  std::string text = scene(R"("friction": 0.5)", R"("max_unconverged_steps": 10, "max_sweeps": 50)");
  text.replace(text.find(R"({"name": "floor")"), 0,
               R"({"name": "lid", "shape": "lid", "material": "m", "position": [0, 0.2],
                   "motion": {"velocity": [0, -0.1]}},)");
  try {
    Running run(text);
    run.steps(40);
    FAIL("no error");
  } catch (const NumericalError& e) {
    CHECK_THAT(e.what(), ContainsSubstring("11 steps in a row") &&
                             ContainsSubstring("no impulses can keep these bodies apart") &&
                             ContainsSubstring("max_unconverged_steps"));
  }
}

TEST_CASE("a tower that gets too few sweeps: the run says by how much they miss, and what to change") {
  std::string text = scene(R"("friction": 0.5)", R"("max_unconverged_steps": 3, "max_sweeps": 1, "tolerance": 1e-9)");
  for (int k = 1; k < 6; ++k)
    text.replace(text.find(R"({"name": "floor")"), 0,
                 fmt::format(R"({{"shape": "disc", "material": "m", "position": [0, {}]}},)", 0.1 + 0.2 * k));
  try {
    Running run(text);
    run.steps(10);
    FAIL("no error");
  } catch (const NumericalError& e) {
    CHECK_THAT(e.what(), ContainsSubstring("4 steps in a row") && ContainsSubstring("residual") &&
                             ContainsSubstring("after 1 sweeps") && ContainsSubstring("/integrator/max_sweeps") &&
                             !ContainsSubstring("keep these bodies apart"));
  }
}

TEST_CASE("a lid that presses a disc for as long as it likes: it stays halfway between lid and floor") {
  std::string text = scene(R"("friction": 0.5)", R"("max_unconverged_steps": 0, "max_sweeps": 50)");
  text.replace(text.find(R"({"name": "floor")"), 0,
               R"({"name": "lid", "shape": "lid", "material": "m", "position": [0, 0.2],
                   "motion": {"velocity": [0, -0.1]}},)");
  Running run(text);
  run.steps(50);
  const World& world = run.world();
  CHECK(world.metrics().at("solver_infeasible") == 1);
  CHECK(world.position.read()[*world.row(0)][1] == Approx(0.1 - 0.5 * 0.1 * 0.05).margin(1e-4));
}

TEST_CASE("problems are dumped when due, named after step and contacts") {
  const TemporaryFolder folder;
  Running run(scene(R"("friction": 0.5)", R"("dump": {"folder": ")" + folder.path().string() +
                                              R"(/problems", "start": 0.002, "interval": 0.003})"));
  run.steps(9);
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder / "problems"))
    names.push_back(file.path().filename().string());
  std::sort(names.begin(), names.end());
  CHECK(names ==
        std::vector<std::string>{"step_000000003-nc-1.hdf5", "step_000000006-nc-1.hdf5", "step_000000009-nc-1.hdf5"});
}

TEST_CASE("a dumped problem is the one of its step, with the impulses of the step before as a guess") {
  const TemporaryFolder folder;
  Running run(scene(R"("friction": 0.5)",
                    R"("tolerance": 1e-12, "dump": {"folder": ")" + folder.path().string() + R"(", "start": 0.002})"));
  run.steps(3);
  const auto problem = std::get<fclib::Problem<2>>(fclib::read(folder / "step_000000003-nc-1.hdf5"));
  const double mass = run.world().mass.read()[*run.world().row(0)], dt = 1e-3, g = 10;
  CHECK(problem.contacts.q.at(0).isApprox(coulomb::Vec<2>(-g * dt, 0), 1e-10));
  CHECK(problem.contacts.friction.at(0) == 0.5);
  // A disc turns by its tangential impulse: 1/m + R^2/(m R^2/2).
  CHECK(problem.contacts.block.at(0).isApprox(coulomb::Vec<2>(1 / mass, 3 / mass).asDiagonal().toDenseMatrix(), 1e-12));
  REQUIRE(problem.guesses.size() == 1);
  const coulomb::Vec<2> weight(mass * g * dt, 0);
  CHECK(fclib::by_contact<2>(problem.guesses[0].r).at(0).isApprox(weight, 1e-9));
  std::vector<coulomb::Vec<2>> impulses(1, coulomb::Vec<2>::Zero());
  CHECK(coulomb::solve(problem.contacts, impulses, {}).status == coulomb::Status::converged);
  CHECK(impulses[0].isApprox(weight, 1e-9));
}

namespace {

/// A sphere that flies at a heavy one, both of radius 10 mm, by a default margin or one of one's own.
std::string shot(double speed, double aside, const std::string& margin) {
  return fmt::format(R"({{"dimension": 3, "gravity": [0, 0, 0],
    "materials": {{"light": {{"density": 1000}}, "heavy": {{"density": 1e9}}}},
    "shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}}},
    "bodies": [{{"shape": "ball", "material": "heavy"}},
               {{"shape": "ball", "material": "light", "position": [-0.733, {}, 0], "velocity": [{}, 0, 0]}}],
    "interactions": [{{"between": ["*", "*"], "law": {{"type": "coulomb"}}}}],
    "integrator": {{"type": "moreau-jean", "dt": 1e-3{}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                     aside, speed, margin);
}

/// Returns how far the heavy one is ahead of the light one [m].
double ahead(const World& world) {
  const auto x = world.position.read();
  return x[*world.row(0)].x() - x[*world.row(1)].x();
}

}  // namespace

TEST_CASE("the default margin covers the way of a step: no body passes through another, however fast") {
  // Ways per step from a tenth of the radius to ten times the diameter.
  for (const double speed : {1.0, 5.0, 17.0, 50.0, 200.0}) {
    INFO(speed << " m/s");
    Running run(shot(speed, 0, ""));
    double nearest = 1;
    for (double way = 0; way < 1.5; way += 1e-3 * speed) {
      run.steps(1);
      nearest = std::min(nearest, ahead(run.world()));
    }
    // To the solver's tolerance, 1e-4, of a way.
    CHECK(nearest > 0.02 - 1e-7 * speed);
    CHECK(nearest < 0.02 + 1e-7 * speed);  // and it gets there
  }
  Running without(shot(50, 0, R"(, "margin": 1e-3)"));
  without.steps(40);
  CHECK(ahead(without.world()) < -0.1);
}

TEST_CASE("a body that passes another by within a step is not held up by it") {
  for (const double speed : {5.0, 50.0, 200.0}) {
    INFO(speed << " m/s");
    Running run(shot(speed, 0.021, ""));
    const int steps = static_cast<int>(1.5 / (1e-3 * speed));
    run.steps(static_cast<std::uint64_t>(steps));
    const Vec3 x = run.world().position.read()[*run.world().row(1)];
    CHECK(x.isApprox(Vec3(-0.733 + steps * 1e-3 * speed, 0.021, 0), 1e-12));
  }
}

TEST_CASE("joints: wrong integrators, dumps and pairs too far apart are refused with what to do") {
  const auto hung = [](const std::string& integrator, const std::string& gap = R"("gap": 1)",
                       const std::string& law = R"("coulomb")") {
    return R"({"dimension": 2, "gravity": [0, -10], "materials": {"m": {"density": 1000}},
      "shapes": {"disc": {"type": "sphere", "radius": 0.1, "thickness": 0.001}},
      "bodies": [{"name": "hook", "shape": "disc", "material": "m", "fixed": true},
                 {"name": "bob", "shape": "disc", "material": "m", "position": [1, 0]}],
      "interactions": [{"between": ["*", "*"], "law": {"type": )" +
           law + R"(}}],
      "bonds": [{"between": ["hook", "bob"], "pairs": "touching", )" +
           gap + R"(, "law": {"type": "ball-joint", "position": 0}}],
      "integrator": )" +
           integrator + R"(, "output": {"writers": []}, "run": {"duration": 1}})";
  };
  CHECK(refusal(hung(R"({"type": "moreau-jean", "dt": 1e-3})")).empty());
  CHECK_THAT(refusal(hung(R"({"type": "velocity-verlet", "dt": 1e-5})", R"("gap": 1)",
                          R"("linear", "normal_stiffness": 1e4)")),
             ContainsSubstring("/bonds/0/law") && ContainsSubstring("\"ball-joint\" has no face bond-force/1"));
  CHECK_THAT(refusal(hung(R"({"type": "moreau-jean", "dt": 1e-3})", R"("gap": 0.1)")),
             ContainsSubstring("/bonds/0: joins no bodies"));
  const TemporaryFolder folder;
  // Before the first step, so that `scree check` sees it too.
  CHECK_THAT(
      refusal(hung(fmt::format(R"({{"type": "moreau-jean", "dt": 1e-3, "dump": {{"folder": "{}"}}}})",
                               (folder / "problems").string()))),
      ContainsSubstring("/integrator/dump") && ContainsSubstring("joints (1)") && ContainsSubstring("Remove the dump"));
  CHECK_FALSE(std::filesystem::exists(folder / "problems"));
}
