// The promise of same bits, kept on every example: whatever folder stands in examples/ with a scene.json is in.

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"

using namespace scree::test;
using Json = nlohmann::json;

namespace {

/// What makes an example small enough for a test, or lets its bodies touch soon.
const std::map<std::string, std::string> kShorter = {
    {"tetrapods", "--set /bodies/0/packing/counts=[6,6,3] --set /bodies/0/velocity=[0.1,0.2,-1]"},
    {"cow_bounce", "--set /bodies/0/position=[7,3.2] --set /bodies/0/velocity=[0,-10]"},
    {"cow_hopper", "--set /bodies/0/velocity=[0,-30]"},
    {"l_and_u", "--set /bodies/0/velocity=[0.2,-2]"},
    {"star_energy", "--set /bodies/0/velocity=[1,-1] --set /bodies/1/velocity=[-1,-1]"},
    {"sphere_box", "--set /bodies/0/packing/counts=[7,7,6] --set /bodies/0/velocity=[0.1,0.2,-1]"},
};

constexpr int kSteps = 1200;

struct Example {
  std::string name, file, options;
};

/// Examples that need no plugin of their own, each cut to kSteps.
std::vector<Example> examples() {
  std::vector<Example> list;
  for (const auto& entry : fs::directory_iterator(SCREE_EXAMPLES)) {
    const fs::path file = entry.path() / "scene.json";
    if (!fs::exists(file) || fs::exists(entry.path() / "CMakeLists.txt")) continue;
    const std::string name = entry.path().filename().string();
    const double dt = Json::parse(slurp(file))["integrator"]["dt"];
    const auto shorter = kShorter.find(name);
    list.push_back({name, file.string(),
                    fmt::format(" --quiet --set /output/writers=[] --set /run/duration={} {}", kSteps * dt,
                                shorter == kShorter.end() ? "" : shorter->second)});
  }
  return list;
}

Json run(const Example& example, const fs::path& out, const std::string& more) {
  const Outcome outcome =
      scree_program("run " + example.file + example.options + " --out " + out.string() + " " + more);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return Json::parse(slurp(out / "summary.json"));
}

}  // namespace

TEST_CASE("every example: the same bits for 1, 2, 3 threads, and when stopped half-way and resumed") {
  const std::vector<Example> all = examples();
  REQUIRE(all.size() >= 5);
  for (const Example& example : all) {
    INFO(example.name);
    const TemporaryFolder folder;
    const Json one = run(example, folder / "one", "--threads 1");
    CHECK(one["steps"] == kSteps);
    CHECK(one["contacts_mean"].get<double>() > 0.1);
    CHECK(run(example, folder / "two", "--threads 2")["state_hash"] == one["state_hash"]);
    CHECK(run(example, folder / "three", "--threads 3")["state_hash"] == one["state_hash"]);
    const double dt = Json::parse(slurp(example.file))["integrator"]["dt"];
    run(example, folder / "half",
        fmt::format("--set /run/duration={0} --set /output/checkpoint_interval={0}", kSteps / 2 * dt));
    const std::string checkpoint =
        fmt::format("{}/checkpoints/checkpoint_{:09}.h5", (folder / "half").string(), kSteps / 2);
    CHECK(run(example, folder / "half",
              fmt::format("--set /output/checkpoint_interval={} --resume {}", kSteps / 2 * dt,
                          checkpoint))["state_hash"] == one["state_hash"]);
  }
}
