// scree new: scenes to begin with, which are valid and run.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

const std::vector<std::string> kSceneKinds = {"hopper", "drum", "packing", "shear-cell", "bonded-beam", "chute"};

Json checked(const fs::path& scene) {
  const Outcome done = scree_program("check --json " + scene.string());
  INFO(done.out << done.err);
  REQUIRE(done.exit_code == 0);
  return Json::parse(done.out);
}

}  // namespace

TEST_CASE("new: every kind writes a scene that is valid, without a warning, and runs") {
  const TemporaryFolder folder;
  for (const std::string& kind : kSceneKinds) {
    INFO(kind);
    const fs::path scene = folder / (kind + ".json");
    const Outcome done = scree_program(fmt::format("new {} --out {}", kind, scene.string()));
    INFO(done.err);
    REQUIRE(done.exit_code == 0);
    CHECK(done.out == fmt::format("{0}\nNow: scree run {0}\n", scene.string()));
    const Json report = checked(scene);
    CHECK(report["warnings"].empty());
    const bool staged = report["stages"].size() > 1;
    const std::string shorter =
        staged ? "--set /stages/0/until/duration=0.001 --set '/stages/1/until={\"duration\": 0.001}'"
               : "--set /run/duration=0.01";
    const Outcome run = scree_program(
        fmt::format("run {} --quiet {} --out {}", scene.string(), shorter, (folder / ("out_" + kind)).string()));
    INFO(run.err);
    CHECK(run.exit_code == 0);
    CHECK(run.err.empty());
  }
}

TEST_CASE("new: number, diameter and density of grains are as asked, and containers hold them") {
  const TemporaryFolder folder;
  for (const std::string kind : {"drum", "packing", "shear-cell", "chute"}) {
    for (const int grains : {60, 777, 3000}) {
      INFO(kind << " " << grains);
      const fs::path scene = folder / fmt::format("{}_{}.json", kind, grains);
      REQUIRE(scree_program(fmt::format("new {} --grains {} --diameter 0.02 --density 800 --out {}", kind, grains,
                                        scene.string()))
                  .exit_code == 0);
      const double bodies = checked(scene)["moving_bodies"];
      CHECK((bodies >= 0.85 * grains && bodies <= std::max(160., 1.15 * grains)));
      const Json text = Json::parse(slurp(scene));
      CHECK(text["materials"]["grain"]["density"] == 800);
      CHECK(text["shapes"]["grain"]["radius"] == 0.01);
    }
  }
}

TEST_CASE("new: friction and restitution go into the law") {
  const TemporaryFolder folder;
  const fs::path scene = folder / "a/b.json";
  REQUIRE(scree_program("new packing --friction 0.25 --restitution 0.8 --out " + scene.string()).exit_code == 0);
  const Json law = Json::parse(slurp(scene))["interactions"][0]["law"];
  CHECK((law["friction"] == 0.25 && law["restitution"] == 0.8));
}

TEST_CASE("new: kinds that are none, values out of range, and files that are there, are refused") {
  const TemporaryFolder folder;
  spit(folder / "here.json", "{}");
  const std::string out = " --out " + (folder / "none.json").string();
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"new hoper" + out, "new: unknown kind \"hoper\". Did you mean \"hopper\"? Known: hopper, drum, packing,"},
      {"new" + out, "KIND is missing"},
      {"new drum --grains 3" + out, "--grains 3: must be from 50 to 1000000."},
      {"new drum --diameter 0" + out, "--diameter 0: must be from 1e-05 to 10."},
      {"new drum --density=-1" + out, "--density -1: must be from 1 to 100000."},
      {"new drum --friction nan" + out, "--friction nan: must be from 0 to 10."},
      {"new drum --restitution 0" + out, "--restitution 0: must be from 0.01 to 1."},
      {"new bonded-beam --friction 1" + out, "--friction: a bonded-beam has no grains that touch."},
      {"new drum --out " + (folder / "here.json").string(), "is there already, and nothing is overwritten"},
  };
  for (const auto& [command, text] : refused) {
    const Outcome done = scree_program(command);
    INFO(command << done.err);
    CHECK(done.exit_code == 2);
    CHECK_THAT(done.err, ContainsSubstring(text));
  }
  CHECK(slurp(folder / "here.json") == "{}");
  CHECK(!fs::exists(folder / "none.json"));
}
