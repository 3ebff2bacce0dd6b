// What is wrong with stages and time steps is told before the first step, where it stands, and nothing is written.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"
#include "small_scene.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Line numbers matter: one stage, and one change, per line.
const std::string kStaged = R"({
  "name": "staged", "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"grain": {"density": 2500}, "wall": {}},
  "shapes": {"bead": {"type": "sphere", "radius": 0.005}, "floor": {"type": "half-space", "normal": [0, 0, 1]}},
  "bodies": [
    {"name": "beads", "shape": "bead", "material": "grain", "packing": {"type": "lattice", "lower": [0, 0, 0.006], "counts": [2, 2, 2], "spacing": 0.011}},
    {"name": "floor", "shape": "floor", "material": "wall", "fixed": true}
  ],
  "interactions": [
    {"between": ["grain", "*"], "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.1, "friction": 0.1}}
  ],
  "integrator": {"type": "velocity-verlet", "dt": 1e-4},
  "stages": [
    {"name": "fill", "until": {"duration": 0.02}},
    {"name": "rest",
     "change": {"gravity": [0, 0, -5], "interactions": {"grain-*": {"law": {"friction": 0.5}}}},
     "until": {"figure": "kinetic_energy_J", "below": 1e-3, "limit": 0.1}},
    {"name": "end", "change": {"bodies": {"floor": {"removed": true}}}, "until": {"time": 0.2}}
  ],
  "output": {"writers": []}
}
)";

struct StageFault {
  const char *find, *replace;
  std::vector<const char*> message;
};

void check_refused(const StageFault& fault) {
  const TemporaryFolder folder;
  spit(folder / "scene.json", replaced(kStaged, fault.find, fault.replace));
  INFO(fault.replace);
  for (const char* command : {"check", "run"}) {
    const std::string out = command == std::string("run") ? " --out " + (folder / "out").string() : "";
    const Outcome outcome = scree_program(fmt::format("{} {}{}", command, (folder / "scene.json").string(), out));
    CHECK(outcome.exit_code == 2);
    for (const char* part : fault.message) CHECK_THAT(outcome.err, ContainsSubstring(part));
    CHECK(!fs::exists(folder / "out"));
  }
}

}  // namespace

TEST_CASE("faulty stages are refused with place, value and remedy, and nothing is written") {
  const std::vector<StageFault> faults = {
      {R"("until": {"duration": 0.02})", R"("until": {})", {"scene.json:14:", "/stages/0/until", "one end", "none"}},
      {R"("until": {"duration": 0.02})",
       R"("until": {"duration": 0.02, "steps": 3})",
       {"/stages/0/until", "duration, steps"}},
      {R"("until": {"duration": 0.02}})", R"("untill": {"duration": 0.02}})", {"/stages/0", "untill", "\"until\"?"}},
      {R"("until": {"duration": 0.02})", R"("until": {"duration": -1})", {"/stages/0/until/duration", "-1"}},
      {R"({"time": 0.2})",
       R"({"time": 0.1})",
       {"scene.json:18:", "/stages/2/until/time", "0.1 s", "0.12 s at the latest", "over before it begins"}},
      {R"("kinetic_energy_J")",
       R"("kinetic_enrgy_J")",
       {"/stages/1/until/figure", "kinetic_enrgy_J", "Did you mean \"kinetic_energy_J\"?", "floor_force_z_N"}},
      {R"("below": 1e-3, )", "", {"/stages/1/until", "either \"below\" or \"above\""}},
      {R"(, "limit": 0.1)", "", {"/stages/1/until", "missing key \"limit\""}},
      {R"("limit": 0.1)", R"("limit": 0.1, "hold": 0.2)", {"/stages/1/until/limit", "over before", "0.2 s"}},
      {R"({"duration": 0.02})", R"({"duration": 0.02, "hold": 1})", {"/stages/0/until/hold", "goes with a \"figure\""}},
      {R"("name": "rest")", R"("name": "fill")", {"/stages/1/name", "taken by /stages/0"}},
      {R"("friction": 0.5)",
       R"("friction": -0.5)",
       {"scene.json:16:", "/stages/1/change/interactions/grain-*/law/friction", "-0.5"}},
      {R"("friction": 0.5)",
       R"("frction": 0.5)",
       {"scene.json:16:", "/stages/1/change/interactions/grain-*/law/frction", "Did you mean \"friction\"?"}},
      {R"("grain-*": {"law")",
       R"("grain-wal": {"law")",
       {"scene.json:16:", "/stages/1/change/interactions/grain-wal", "no entry", "grain-*"}},
      {R"({"bodies": {"floor")", R"({"bodies": {"flor")", {"/stages/2/change/bodies/flor", "Did you mean \"floor\"?"}},
      {R"({"removed": true})", R"({"shape": "bead"})", {"/stages/2/change/bodies/floor/shape", "cannot change"}},
      {R"("change": {"gravity")", R"("change": {"shapes": {}, "gravity")", {"/stages/1/change/shapes", "unknown key"}},
      {R"({"floor": {"removed": true}})", R"({"floor": null})", {"/stages/2/change/bodies/floor", "removed"}},
      {R"("gravity": [0, 0, -5])",
       R"("gravity": [0, -5])",
       {"scene.json:16:", "/stages/1/change/gravity", "3 numbers"}},
      {R"("gravity": [0, 0, -5])",
       R"("integrator": {"type": "moreau-jean", "dt": 1e-3})",
       {"/law", "linear", "has no face cone/1"}},
      {R"("gravity": [0, 0, -5])",
       R"("integrator": {"dt": 1})",
       {"/interactions/0/law", "steps of 1 s", "gains energy"}},
      {R"("output": {"writers": []})", R"("run": {"duration": 1})", {"/run/duration", "Remove"}},
  };
  for (const StageFault& fault : faults) check_refused(fault);
}

TEST_CASE("faults of all stages are told at once") {
  const TemporaryFolder folder;
  std::string scene = replaced(kStaged, R"("friction": 0.5)", R"("friction": -0.5)");
  scene = replaced(scene, R"({"removed": true})", R"({"fixd": true})");
  spit(folder / "scene.json", scene);
  const Outcome check = scree_program("check " + (folder / "scene.json").string());
  CHECK(check.exit_code == 2);
  CHECK_THAT(check.err, ContainsSubstring("/stages/1/change/interactions/grain-*/law/friction") &&
                            ContainsSubstring("/stages/2/change/bodies/floor/fixd"));
}

TEST_CASE("a stage that misses its limit fails the run with a checkpoint, or goes on with a warning") {
  const TemporaryFolder folder;
  const std::string file = (folder / "scene.json").string(), out = (folder / "out").string();
  spit(file, replaced(kStaged, R"("below": 1e-3)", R"("below": -1)"));
  const Outcome failed = scree_program("run " + file + " --out " + out);
  INFO(failed.err);
  CHECK(failed.exit_code == 3);
  CHECK_THAT(failed.err, ContainsSubstring("stage \"rest\": kinetic_energy_J below -1 did not come within 0.1 s") &&
                             ContainsSubstring("checkpoint_000001200.h5") && ContainsSubstring("at_limit"));
  const Outcome after =
      scree_program("run " + file + " --out " + out + " --set '/stages/1/until/at_limit=go on' --resume " + out +
                    "/checkpoints/checkpoint_000001200.h5");
  INFO(after.err);
  CHECK(after.exit_code == 0);
  CHECK_THAT(after.err, ContainsSubstring("warning: stage \"rest\" ended after 1000 steps"));
  CHECK_THAT(slurp(folder / "out" / "summary.json"), ContainsSubstring("\"status\": \"completed\""));
}

TEST_CASE("check lists stages with their ends and changes, and what dt is of each contact") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", kStaged);
  const Outcome check = scree_program("check " + (folder / "scene.json").string());
  INFO(check.err);
  CHECK(check.exit_code == 0);
  for (const char* text :
       {"8 moving bodies", "3 stages", "stage 1 \"fill\": for 0.02 s, steps of 0.0001 s",
        "stage 2 \"rest\": until kinetic_energy_J below 0.001, 0.1 s at most", "/gravity/2: -9.81 -> -5",
        "/interactions/0/law/friction: 0.1 -> 0.5", "interaction 0 grain-*: the shortest contact lasts"})
    CHECK_THAT(check.out, ContainsSubstring(text));
}

TEST_CASE("the resolved scene of a staged run is a scene of the same stages") {
  const TemporaryFolder folder;
  const std::string file = (folder / "scene.json").string(), out = (folder / "out").string();
  spit(file, kStaged);
  REQUIRE(scree_program("run " + file + " --quiet --out " + out).exit_code == 0);
  const Outcome again = scree_program("run " + out + "/scene.json --quiet --out " + out + "2");
  INFO(again.err);
  REQUIRE(again.exit_code == 0);
  CHECK(slurp(out + "/metrics.csv") == slurp(out + "2/metrics.csv"));
  CHECK(nlohmann::json::parse(slurp(out + "/scene.json")) == nlohmann::json::parse(slurp(out + "2/scene.json")));
}

TEST_CASE("a step too long for the stiffness is refused with the numbers, unless the scene accepts it") {
  const TemporaryFolder folder;
  const std::string file = (folder / "scene.json").string();
  spit(file, kStaged);
  // m = 2500 (4/3) pi 5 mm^3 = 1.309e-3 kg; a pair of them at 1e7 N/m: pi sqrt(m/2 / 1e7) = 2.54e-5 s.
  const std::string stiff = "check " + file + " --set /interactions/0/law/normal_stiffness=1e7 ";
  const Outcome refused = scree_program(stiff);
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("lasts about 2.54e-05 s, 0.25 steps of 0.0001 s") &&
                              ContainsSubstring("/run/accept_long_dt") && ContainsSubstring("Lower /integrator/dt"));
  const Outcome accepted = scree_program(stiff + "--set /run/accept_long_dt=true");
  CHECK(accepted.exit_code == 0);
  CHECK_THAT(accepted.out, ContainsSubstring("warning: ") && ContainsSubstring("0.25 steps"));
  const Outcome automatic = scree_program(stiff + "--set /integrator/dt=auto");
  CHECK(automatic.exit_code == 0);
  CHECK_THAT(automatic.out, ContainsSubstring("20 steps"));
  const Outcome rigid = scree_program(
      "check " + file +
      " --set '/integrator={\"type\": \"moreau-jean\", \"dt\": \"auto\"}' --set '/interactions/0/law={\"type\": "
      "\"coulomb\", \"friction\": 0.5}'");
  CHECK(rigid.exit_code == 2);
  CHECK_THAT(rigid.err, ContainsSubstring("/integrator/dt") && ContainsSubstring("moreau-jean"));
}
