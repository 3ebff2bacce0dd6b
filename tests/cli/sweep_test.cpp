// Many runs of a scene, by one command.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"
#include "small_scene.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

std::string random_scene() {
  return replaced(kSmallScene, R"("material": "grain",)",
                  R"("material": "grain", "orientation": "random", "seed": 7,)");
}

/// A scene, and the folder of its sweep.
struct SweepHome {
  TemporaryFolder folder;
  fs::path out = folder / "out";
  explicit SweepHome(const std::string& scene = random_scene()) { spit(folder / "scene.json", scene); }
  std::string command(const std::string& more) const {
    return fmt::format("sweep {} --out {} --jobs 2 --threads 1 {}", (folder / "scene.json").string(), out.string(),
                       more);
  }
  Outcome sweep(const std::string& more) const { return scree_program(command(more)); }
  std::string hash_of(const std::string& run) const {
    return Json::parse(slurp(out / run / "summary.json"))["state_hash"];
  }
};

std::vector<std::string> rows_of(const fs::path& file) {
  std::vector<std::string> rows;
  std::istringstream in(slurp(file));
  for (std::string row; std::getline(in, row);) rows.push_back(row);
  return rows;
}

constexpr const char* kFriction = "--vary /interactions/0/law/friction=";

}  // namespace

TEST_CASE("a sweep runs all combinations, a row for each, and a run is the one that --set makes") {
  const SweepHome home;
  const Outcome sweep = home.sweep(std::string(kFriction) +
                                   "0.1,0.5 --vary '/gravity=[0,-9.81],[0,-1]' --figures "
                                   "steps,contacts,floor_force_y_N:min,figures.none");
  INFO(sweep.err);
  REQUIRE(sweep.exit_code == 0);
  const auto rows = rows_of(home.out / "sweep.csv");
  REQUIRE(rows.size() == 5);
  CHECK(rows[0] ==
        "run,/interactions/0/law/friction,/gravity,exit_code,steps,contacts,floor_force_y_N:min,figures.none,message");
  CHECK_THAT(rows[2], ContainsSubstring(",0.1,\"[0,-1]\",0,500,"));
  CHECK_THAT(sweep.out,
             ContainsSubstring("/gravity") && ContainsSubstring("[0,-9.81]") && ContainsSubstring("sweep.csv"));
  CHECK_THAT(sweep.err, ContainsSubstring("[4/4]") && ContainsSubstring("no run has the figure \"figures.none\""));
  CHECK_THAT(sweep.err, !ContainsSubstring("figure \"contacts\""));

  const fs::path plain = home.folder / "plain";
  REQUIRE(scree_program(fmt::format("run {} --quiet --out {} --set /interactions/0/law/friction=0.1",
                                    (home.folder / "scene.json").string(), plain.string()))
              .exit_code == 0);
  const std::string name = rows[1].substr(1, rows[1].find('"', 1) - 1);
  CHECK(home.hash_of(name) == Json::parse(slurp(plain / "summary.json"))["state_hash"]);
}

TEST_CASE("a run that cannot be started, or fails, is told and stops no other, and the exit code is its") {
  const SweepHome home;
  const Outcome refused = home.sweep(std::string(kFriction) + "0.5,much");
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err,
             ContainsSubstring("friction=much: exit code 2: --set /interactions/0/law/friction: expected a "
                               "number, got \"much\""));
  CHECK(fs::exists(home.out / "friction=0.5/summary.json"));
  CHECK_THAT(slurp(home.out / "logs/friction=0.5.log"), ContainsSubstring("The results are in "));

  const SweepHome fails;
  const Outcome failed = fails.sweep("--vary '/bodies/0/velocity=[0,0],[1e30,1e30]' --figures steps");
  CHECK(failed.exit_code == 3);
  CHECK_THAT(failed.err,
             ContainsSubstring("[2/2]") && ContainsSubstring("exit code 3: ") && ContainsSubstring("step 1"));
  const Outcome again = fails.sweep("--vary '/bodies/0/velocity=[0,0],[1e30,1e30]' --figures steps");
  CHECK(again.exit_code == 3);
  CHECK_THAT(again.err, ContainsSubstring("2 of them done before") && ContainsSubstring("step 1"));
}

TEST_CASE("option --seeds adds to every seed: the first run has the scene's own, the others are new") {
  const SweepHome home;
  REQUIRE(home.sweep("--seeds 3").exit_code == 0);
  const std::string own = home.hash_of("seed=0"), second = home.hash_of("seed=1"), third = home.hash_of("seed=2");
  CHECK((own != second && own != third && second != third));
  CHECK(Json::parse(slurp(home.out / "seed=2/scene.json"))["bodies"][0]["seed"] == 9);
  CHECK(Json::parse(slurp(home.out / "seed=0/scene.json"))["bodies"][0]["seed"] == 7);
}

TEST_CASE("a sweep that is stopped again and again comes to the same states as one that is not") {
  const SweepHome whole, stopped;
  const std::string what = std::string(kFriction) + "0.1,0.5,0.9 --set /run/duration=0.5 --set /output/writers=[]";
  REQUIRE(whole.sweep(what).exit_code == 0);
  int stops = 0, code = 130;
  std::string last;
  for (; (code == 130 || code == 143) && stops < 60; ++stops) {  // 143: before it could look after signals
    const Outcome part = shell(fmt::format("timeout --preserve-status -s TERM {} {} {}", 0.4 + 0.1 * stops,
                                           SCREE_PROGRAM, stopped.command(what)));
    code = part.exit_code;
    last = part.err;
    if (code == 130) CHECK_THAT(last, ContainsSubstring("Interrupted. The same command continues from here."));
  }
  INFO(last);
  CHECK(stops > 1);
  REQUIRE(code == 0);
  for (const char* run : {"friction=0.1", "friction=0.5", "friction=0.9"})
    CHECK(stopped.hash_of(run) == whole.hash_of(run));
}

TEST_CASE("what is done is not done again, more values join, another scene or other options do not") {
  const SweepHome home;
  REQUIRE(home.sweep(std::string(kFriction) + "0.1,0.5").exit_code == 0);
  const auto written = fs::last_write_time(home.out / "friction=0.5/summary.json");
  const Outcome more = home.sweep(std::string(kFriction) + "0.5,0.7");
  CHECK(more.exit_code == 0);
  CHECK_THAT(more.err, ContainsSubstring("2 runs, 1 of them done before"));
  CHECK(fs::last_write_time(home.out / "friction=0.5/summary.json") == written);
  fs::remove_all(home.out / "friction=0.5");
  REQUIRE(home.sweep(std::string(kFriction) + "0.5").exit_code == 0);
  CHECK(fs::exists(home.out / "friction=0.5/summary.json"));

  const Outcome other = home.sweep(std::string(kFriction) + "0.5 --set /run/duration=0.01");
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.err, ContainsSubstring("friction=0.5: was started with other options: --set") &&
                            ContainsSubstring("Choose another --out, or remove that folder."));
  spit(home.folder / "scene.json", replaced(random_scene(), "1180", "1190"));
  const Outcome changed = home.sweep(std::string(kFriction) + "0.5");
  CHECK(changed.exit_code == 2);
  CHECK_THAT(changed.err, ContainsSubstring("as it was before it was changed"));
}

TEST_CASE("notes and summaries of a sweep that somebody changed end no sweep by an error of scree") {
  const SweepHome home;
  const std::string once = std::string(kFriction) + "0.5 --set /run/duration=0.001";
  REQUIRE(home.sweep(once).exit_code == 0);
  const std::string notes = slurp(home.out / "runs.json");
  Json changed = Json::parse(notes);
  const auto end_with = [&](const std::string& text) {
    spit(home.out / "runs.json", text);
    const int code = home.sweep(once).exit_code;
    INFO(text);
    CHECK((code == 0 || code == 2));
  };
  end_with("{\"scene_hash\": 5}");
  for (const char* value : {"5", "[]", "{}", "null", "\"x\"", "[5]", "-1e300"})
    for (const char* pointer : {"/scene", "/scene_hash", "/runs", "/runs/friction=0.5", "/runs/friction=0.5/arguments",
                                "/runs/friction=0.5/exit_code"}) {
      changed = Json::parse(notes);
      changed[Json::json_pointer(pointer)] = Json::parse(value);
      end_with(changed.dump());
    }
  spit(home.out / "runs.json", notes);
  for (const char* summary : {"{\"status\": 5}", "[]", "{\"status\": \"failed\", \"reason\": 7}",
                              "{\"status\": \"completed\", "
                              "\"simulated_time\": \"x\", \"figures\": 3}"}) {
    INFO(summary);
    spit(home.out / "friction=0.5/summary.json", summary);
    const int code = home.sweep(once).exit_code;
    CHECK((code == 0 || code == 2 || code == 3));
  }
}

TEST_CASE("methods of a kind vary by name, and all that are loaded where none is named") {
  const SweepHome home;
  const Outcome all = home.sweep("--vary law,integrator --set /run/duration=0.005 --figures steps,dt");
  INFO(all.err);
  REQUIRE(all.exit_code == 0);
  const std::string table = slurp(home.out / "sweep.csv");
  for (const char* pair : {"linear,symplectic-euler,0,50,", "linear,rk4,0,50,", "coulomb,moreau-jean,0,50,"})
    CHECK_THAT(table, ContainsSubstring(pair));
  CHECK_THAT(table, !ContainsSubstring("linear,moreau-jean"));
  CHECK_THAT(all.err, ContainsSubstring("These do not fit together and are left out:") &&
                          ContainsSubstring("law \"linear\" has no face cone/1"));
  // What two laws have in common goes along.
  CHECK(Json::parse(slurp(
            home.out / "law=coulomb,integrator=moreau-jean/scene.json"))["interactions"][0]["law"]["friction"] == 0.5);
}

TEST_CASE("sweeps that cannot be meant are refused before a folder is made") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "there is nothing to vary. Give --vary /pointer=v1,v2 or --seeds N"},
      {"--vary friction=1,2", "--vary friction=1,2: \"friction\" is no pointer into the scene. Write /pointer=v1,v2"},
      {"--vary laws", "\"laws\" is no kind of method. Write /pointer=v1,v2, or one of law, detector, integrator."},
      {"--vary law=linaer", "there is no law \"linaer\". Did you mean \"linear\"? Loaded: "},
      {"--vary /run/duration=1,,2", "--vary /run/duration=1,,2: a value is empty"},
      {"--vary /run/duration=1,1", "--vary /run/duration: has the value 1 twice."},
      {"--vary /run/duration=1 --vary /run/duration=2", "--vary /run/duration: is there twice."},
      {"--vary /run/duratoin=1,2",
       "no run can be started. --set /run/duratoin: unknown key. Did you mean \"duration\"?"},
      {"--seeds 0", "--seeds 0: must be at least 1."},
      {"--seeds 2 --jobs 0", "--jobs 0: must be from 1 to 1024."},
      {"--seeds 2 --figures a,,b", "--figures a,,b: a name is empty."},
      {"--seeds 2 --set run=1", "must have the form /pointer=value"},
  };
  for (const auto& [more, message] : cases) {
    INFO(more);
    const TemporaryFolder folder;
    spit(folder / "scene.json", random_scene());
    const Outcome sweep = scree_program(
        fmt::format("sweep {} --out {} {}", (folder / "scene.json").string(), (folder / "out").string(), more));
    CHECK(sweep.exit_code == 2);
    CHECK_THAT(sweep.err, ContainsSubstring(message));
    CHECK(!fs::exists(folder / "out"));
  }
}

TEST_CASE("a scene from a pipe, and processes of mpirun, make no sweep") {
  const SweepHome home;
  const std::string scene = (home.folder / "scene.json").string(), out = (home.folder / "out").string();
  const Outcome pipe = shell(fmt::format("cat {} | {} sweep /dev/stdin --seeds 2 --out {}", scene, SCREE_PROGRAM, out));
  CHECK(pipe.exit_code == 2);
  CHECK_THAT(pipe.err, ContainsSubstring("/dev/stdin: is read again by each run, and must be a file."));
  const Outcome ranks = shell("PMI_SIZE=2 PMI_RANK=0 " + std::string(SCREE_PROGRAM) + " " + home.command("--seeds 2"));
  CHECK(ranks.exit_code == 2);
  CHECK_THAT(ranks.err, ContainsSubstring("mpirun has started 2 processes, and scree sweep starts its own."));
  CHECK(!fs::exists(home.out));
}

TEST_CASE("option --set takes an object of changes, as a stage does, and tells what is wrong with it") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", kSmallScene);
  const auto check = [&](const std::string& change) {
    return scree_program(fmt::format("check {} --set '{}'", (folder / "scene.json").string(), change));
  };
  const std::string out = (folder / "out").string();
  REQUIRE(scree_program(fmt::format("run {} --quiet --out {} --set '{}' --set /run/duration=0.001",
                                    (folder / "scene.json").string(), out,
                                    R"({"interactions": {"grain-*": {"law": {"friction": 0.2}}}, "output": null})"))
              .exit_code == 0);
  const Json scene = Json::parse(slurp(folder / "out/scene.json"));
  CHECK(scene["interactions"][0]["law"]["friction"] == 0.2);
  CHECK(scene["interactions"][0]["law"]["normal_stiffness"] == 400);
  CHECK(scene["output"]["interval"] == 0);
  CHECK_THAT(check(R"({"interactions": {"grain-wall": {}}})").err,
             ContainsSubstring("--set /interactions/grain-wall: /interactions has no entry \"grain-wall\"."));
  CHECK_THAT(check(R"({"bodies": {"floor": {"fxied": true}}})").err,
             ContainsSubstring("--set /bodies/1/fxied: unknown key. Did you mean \"fixed\"?"));
  CHECK_THAT(check(R"({"run": )").err, ContainsSubstring("--set:") && ContainsSubstring("not JSON"));
}
