// The promise of same bits, kept on the reference packing in this very build: over 2,000 steps.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "catch.hpp"
#include "program.hpp"
#include "verify.hpp"

using namespace scree::test;
using Json = nlohmann::json;

namespace {

const std::string kStarPacking = std::string(SCREE_EXAMPLES) + "/star_packing/scene.json";
// 2,000 steps: the lowest half of the column has landed by then.
const std::string kShort = " --quiet --set /run/duration=0.2 --set /output/interval=0 --set /output/writers=[]";

Json summary(const fs::path& out) { return Json::parse(slurp(out / "summary.json")); }

std::string hash_of(const std::string& scene, const std::string& options) {
  const TemporaryFolder folder;
  const Outcome run = scree_program("run " + scene + kShort + " --out " + (folder / "out").string() + " " + options);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const Json s = summary(folder / "out");
  CHECK(s["steps"] == 2000);
  CHECK(s["contacts_mean"].get<double>() > 200);
  return s["state_hash"];
}

/// The packing as an explicit list with ids, in an order of its own.
std::string permuted_scene(const fs::path& folder, unsigned seed) {
  const Json list = Json::parse(slurp(folder / "bodies.json"));
  Json scene = Json::parse(slurp(kStarPacking));
  std::vector<Json> bodies(list.begin(), list.end());
  if (seed) std::shuffle(bodies.begin(), bodies.end(), std::mt19937(seed));
  scene["bodies"][0]["packing"] = {{"type", "list"}, {"places", bodies}};
  const fs::path file = folder / fmt::format("scene{}.json", seed);
  spit(file, scene.dump());
  return file.string();
}

}  // namespace

TEST_CASE("star packing: 1, 2, 3, 5, 8 threads: identical bits") {
  const std::string one = hash_of(kStarPacking, "--threads 1");
  for (const int threads : {2, 3, 5, 8})
    verify(fmt::format("{} threads: final states that differ from that of one", threads), 0,
           hash_of(kStarPacking, fmt::format("--threads {}", threads)) != one, 0);
}

TEST_CASE("star packing: permuted bodies, identical bits") {
  const TemporaryFolder folder;
  Json bodies = Json::array();
  for (int i = 0; i < 3154; ++i)
    bodies.push_back({{"id", i},
                      {"position", {0.03 + 0.0142857 * (i % 38) + 1e-4 * (i % 7), 0.02 + 0.0142857 * (i / 38)}},
                      {"orientation", 0.7 * i}});
  spit(folder / "bodies.json", bodies.dump());
  const std::string plain = hash_of(permuted_scene(folder.path(), 0), "--threads 2");
  verify("another order of bodies: final states that differ", 0,
         hash_of(permuted_scene(folder.path(), 1), "--threads 2") != plain, 0);
  CHECK(hash_of(permuted_scene(folder.path(), 2), "--threads 1") == plain);
}

TEST_CASE("star packing: interrupted and resumed, identical bits") {
  const TemporaryFolder folder;
  const std::string whole = hash_of(kStarPacking, "--threads 2");
  const std::string out = (folder / "out").string();
  // A signal once the run is well under way, told by its metrics: exit code 130 and a checkpoint. (Shells start what
  // runs in the background with SIGINT ignored.)
  const Outcome cut =
      shell(fmt::format("{} run {} {} --set /output/metrics_interval=0.01 --out {} --threads 2 & "
                        "until [ $(cat {}/metrics.csv 2>/dev/null | wc -l) -ge 6 ]; do sleep 0.01; done; "
                        "kill -TERM $!; wait $!",
                        SCREE_PROGRAM, kStarPacking, kShort, out, out));
  INFO(cut.err);
  REQUIRE(cut.exit_code == 130);
  const Json s = summary(out);
  CHECK(s["status"] == "interrupted");
  const int steps = s["steps"];
  CHECK(steps > 0);
  CHECK(steps < 2000);
  const std::string checkpoint = fmt::format("{}/checkpoints/checkpoint_{:09}.h5", out, steps);
  const Outcome rest =
      scree_program("run " + kStarPacking + kShort + " --out " + out + " --threads 1 --resume " + checkpoint);
  INFO(rest.err);
  REQUIRE(rest.exit_code == 0);
  CHECK(summary(out)["state_hash"] == whole);
  CHECK(summary(out)["steps"] == 2000);
}

TEST_CASE("a checkpoint of other bodies is refused") {
  const TemporaryFolder folder;
  const std::string out = (folder / "out").string();
  const std::string short_run =
      " --quiet --set /run/duration=0.01 --set /output/writers=[] --set /output/checkpoint_interval=0.01 --out " + out;
  REQUIRE(scree_program("run " + kStarPacking + short_run).exit_code == 0);
  const Outcome other = scree_program("run " + kStarPacking + short_run + " --set /bodies/0/seed=7 --resume " + out +
                                      "/checkpoints/checkpoint_000000100.h5");
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.err, Catch::Matchers::ContainsSubstring("belongs to another scene") &&
                            Catch::Matchers::ContainsSubstring("checkpoint_000000100.h5"));
  spit(folder / "broken.h5", "not a checkpoint");
  const Outcome broken =
      scree_program("run " + kStarPacking + short_run + " --resume " + (folder / "broken.h5").string());
  CHECK(broken.exit_code == 4);
  CHECK_THAT(broken.err, Catch::Matchers::ContainsSubstring("broken.h5") &&
                             Catch::Matchers::ContainsSubstring("is not a scree checkpoint"));
}
