// scree check --json and --estimate: what is wrong, and what a run would take, for programs.

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"
#include "small_scene.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

TEST_CASE("check --json lists every fault with its place, value, bounds and remedy") {
  const TemporaryFolder folder;
  const fs::path scene = folder / "scene.json";
  spit(scene, replaced(replaced(kSmallScene, "1180", "-1"), "\"star\"", "\"stra\""));
  const Outcome done = scree_program("check --json " + scene.string());
  CHECK(done.exit_code == 2);
  CHECK(done.err.empty());
  const Json report = Json::parse(done.out);
  CHECK(report["valid"] == false);
  REQUIRE(report["errors"].size() == 2);
  const Json &density = report["errors"][0], &type = report["errors"][1];
  CHECK((density["where"]["file"] == scene.string() && density["where"]["line"] == 5));
  CHECK((density["pointer"] == "/materials/grain/density" && density["got"] == "-1"));
  CHECK(density["allowed"] == "greater than 0");
  CHECK((type["pointer"] == "/shapes/cross/type" && type["got"] == "\"stra\""));
  CHECK_THAT(type["fix"].get<std::string>(), ContainsSubstring("Did you mean \"star\"?"));
}

TEST_CASE("check --json of a file that is not there has one error without a place") {
  const Outcome done = scree_program("check --json no/such/scene.json");
  CHECK(done.exit_code == 2);
  const Json report = Json::parse(done.out);
  REQUIRE(report["errors"].size() == 1);
  CHECK(!report["errors"][0].contains("where"));
}

TEST_CASE("check --json tells what would run, with warnings, and with --estimate what it takes; nothing is written") {
  const TemporaryFolder folder;
  const fs::path scene = folder / "scene.json";
  spit(scene, replaced(kSmallScene, "\"dt\": 0.0001", "\"dt\": 0.0002"));
  const Json plain = Json::parse(scree_program("check --json " + scene.string()).out);
  CHECK(plain["valid"] == true);
  CHECK((plain["moving_bodies"] == 12 && plain["walls"] == 1 && plain["duration"] == 0.05));
  REQUIRE(!plain["warnings"].empty());
  CHECK(plain["warnings"][0].contains("text"));
  CHECK(plain["estimate"]["disk_bytes"] > 0);
  CHECK(!plain["estimate"].contains("seconds"));

  spit(scene, kSmallScene);
  const Json costs = Json::parse(scree_program("check --json --estimate " + scene.string()).out);
  CHECK(costs["estimate"]["steps"] == 500);
  CHECK((costs["estimate"]["seconds"] > 0 && costs["estimate"]["seconds"] < 60));
  CHECK((costs["estimate"]["memory_bytes"] > 1e6 && costs["estimate"]["memory_bytes"] < 4e9));
  CHECK((costs["estimate"]["steps_tried"] > 0 && costs["estimate"]["steps_tried"] <= 501));
  const Outcome told = scree_program("check --estimate " + scene.string());
  CHECK_THAT(told.out, ContainsSubstring("\ntime: about ") && ContainsSubstring("\nmemory: about "));
  CHECK(std::distance(fs::directory_iterator(folder / ""), fs::directory_iterator()) == 1);
}
