// scree info: what a folder of results holds. Warnings in the summary.

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"
#include "small_scene.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

TEST_CASE("info tells state, time, bodies, frames, sizes and warnings of a run") {
  const TemporaryFolder folder;
  const fs::path scene = folder / "scene.json", out = folder / "out";
  spit(scene, replaced(kSmallScene, "\"dt\": 0.0001", "\"dt\": 0.0002"));
  const Outcome run = scree_program("run --quiet " + scene.string() + " --out " + out.string());
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK_THAT(run.err, ContainsSubstring("warning: "));
  const Json summary = Json::parse(slurp(out / "summary.json"));
  REQUIRE(!summary["warnings"].empty());
  for (const Json& warning : summary["warnings"])
    CHECK_THAT(run.err, ContainsSubstring("warning: " + warning.get<std::string>()));

  const Json info = Json::parse(scree_program("info --json " + out.string()).out);
  CHECK((info["status"] == "completed" && info["scene"] == "small" && info["bodies"] == 12));
  CHECK(info["duration"] == 0.05);
  CHECK((info["steps"] == summary["steps"] && info["simulated_time"] == summary["simulated_time"]));
  CHECK(info["frames"]["particles.pvd"] == 6);
  CHECK(info["warnings"] == summary["warnings"]);
  CHECK(info["bytes"] >= info["files"][".vtp"]["bytes"]);
  const Outcome told = scree_program("info " + out.string());
  CHECK(told.exit_code == 0);
  for (const char* part : {"status       completed\n", "frames       6 in particles.pvd\n", "warning      "})
    CHECK_THAT(told.out, ContainsSubstring(part));
}

TEST_CASE("info of a run that ended without a summary tells how far it came") {
  const TemporaryFolder folder;
  spit(folder / "metrics.csv", "time_s,kinetic_energy_J\n0,1\n0.25,2\n");
  spit(folder / "scene.json", R"({"run": {"duration": 2}})");
  const Outcome told = scree_program("info " + (folder / "").string());
  CHECK(told.exit_code == 0);
  CHECK_THAT(told.out, ContainsSubstring("status       ended without a summary\n") &&
                           ContainsSubstring("time         0.25 s of 2 s\n"));
}

TEST_CASE("info of a folder without results is refused") {
  const TemporaryFolder folder;
  const Outcome empty = scree_program("info " + (folder / "").string());
  CHECK(empty.exit_code == 2);
  CHECK_THAT(empty.err, ContainsSubstring("holds no results of a run"));
  CHECK(scree_program("info " + (folder / "none").string()).exit_code == 2);
  CHECK(scree_program("info").exit_code == 2);
}
