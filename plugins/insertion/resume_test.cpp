// Emitters and outlets as a user runs them: stopped in mid-stream, on any number of threads, and with nowhere to go.

#include <cmath>
#include <nlohmann/json.hpp>

#include "insertion_scene.hpp"
#include "program.hpp"
#include "sealed_again.hpp"

using namespace scree::insertion::test;
using namespace scree::test;
using Json = nlohmann::json;

namespace {

const std::string kStream =
    R"({"type": "emitter", "name": "in", "shape": ["bead", "pair"], "material": "g", "mass_rate": 0.03, "interval": 0.0005,
        "scale": {"type": "lognormal", "sigma": 0.2}, "velocity": [0, 0, -0.3], "random_speed": 0.05, "orientation": "random",
        "region": {"type": "cylinder", "centre": [0, 0, 0.02], "radius": 0.012, "length": 0}},
       {"type": "outlet", "name": "out", "interval": 0.001, "region": {"type": "cylinder", "centre": [0, 0, 0], "radius": 0.02, "length": 0.2, "outside": true}})";

struct Program {
  explicit Program(Json scene) {
    scene["output"] = {{"writers", Json::array()}, {"metrics_interval", 0.01}, {"checkpoint_interval", 0.05}};
    scene["run"]["duration"] = 0.3;
    spit(folder / "scene.json", scene.dump());
  }
  Outcome run(const std::string& out, const std::string& more) {
    return scree_program("run " + (folder / "scene.json").string() + " --quiet --out " + (folder / out).string() + " " +
                         more);
  }
  Json summary(const std::string& out) { return Json::parse(slurp(folder / out / "summary.json")); }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("a run resumed in mid-stream, and one on three threads, have the bits of the whole run") {
  Program program(Json::parse(scene3(kStream)));
  const Outcome first = program.run("whole", "--threads 1");
  INFO(first.err);
  REQUIRE(first.exit_code == 0);
  const Json whole = program.summary("whole");
  CHECK(whole["figures"]["out_count"] > 10);
  REQUIRE(program.run("three", "--threads 3").exit_code == 0);
  CHECK(program.summary("three")["state_hash"] == whole["state_hash"]);
  REQUIRE(program.run("part", "--set /run/duration=0.2 --threads 2").exit_code == 0);
  for (const char* at : {"checkpoint_000005000.h5", "checkpoint_000007500.h5"}) {
    const Outcome resumed = program.run("again", "--resume " + (program.folder / "part" / "checkpoints" / at).string());
    INFO(at << resumed.err);
    REQUIRE(resumed.exit_code == 0);
    CHECK(program.summary("again")["state_hash"] == whole["state_hash"]);
    CHECK(program.summary("again")["figures"] == whole["figures"]);
  }
}

TEST_CASE("states of an emitter that no run writes are refused, and nothing is changed") {
  Program program(Json::parse(scene3(kStream)));
  REQUIRE(program.run("out", "--set /run/duration=0.1").exit_code == 0);
  const fs::path file = program.folder / "out/checkpoints/checkpoint_000002500.h5";
  const std::string good = slurp(file), rows = slurp(program.folder / "out/metrics.csv");
  const auto refused = [&](std::size_t at, auto value, const std::string& said) {
    spit(file, good);
    change_sealed(file, "modifiers/000000", [&](std::vector<std::byte>& state) { overwrite(state, at, value); });
    const Outcome told = program.run("out", "--set /run/duration=0.1 --resume " + file.string());
    INFO(told.err);
    CHECK(told.exit_code == 2);
    CHECK_THAT(told.err, Catch::Matchers::ContainsSubstring("emitter \"in\": the checkpoint says that it has made ") &&
                             Catch::Matchers::ContainsSubstring(said));
    CHECK(slurp(program.folder / "out/metrics.csv") == rows);
  };
  refused(0, ~std::uint64_t{0}, "18446744073709551615 bodies");
  refused(16, std::nan(""), "nan kg");
  refused(16, -1.0, "-1 kg");
  refused(24, HUGE_VAL, "waits since inf s");
}

TEST_CASE("a full inlet says so once on the error stream, and after max_wait the run ends with exit code 3") {
  Json scene = Json::parse(scene3(
      R"({"type": "emitter", "name": "in", "shape": "bead", "material": "g", "number": 5, "interval": 0.001, "points": [[0, 0, 0.0011]]})"));
  Program program(scene);
  const Outcome full = program.run("full", "");
  CHECK(full.exit_code == 0);
  const std::string said = "emitter \"in\": no room for body 1 at t = 0 s";
  const std::size_t first = full.err.find(said);
  REQUIRE(first != std::string::npos);
  CHECK(full.err.find("were taken, by bodies that have just come. It has made 1 so far, ", first) != std::string::npos);
  CHECK(full.err.find("emitter \"in\": no room", first + 1) == std::string::npos);
  const Outcome ended = program.run("ended", "--set /hooks/0/max_wait=0.02");
  CHECK(ended.exit_code == 3);
  CHECK(ended.err.find("It has made 1, ") != std::string::npos);
}
