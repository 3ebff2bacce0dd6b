// A run of several stages has the bits of its parts run by hand, one checkpoint after the other.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.hpp"
#include "program.hpp"
#include "same_bits.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;
using OrderedJson = nlohmann::ordered_json;

namespace {

constexpr int kSteps = 300;  ///< of each stage
constexpr double kDt = 1e-4, kLastDt = 5e-5;

/// Beads under a lid, on a shelf that is taken away.
const std::string kParts = R"({
  "name": "parts", "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"grain": {"density": 2500}, "wall": {}},
  "shapes": {"bead": {"type": "sphere", "radius": 0.005}, "floor": {"type": "half-space", "normal": [0, 0, 1]},
             "lid": {"type": "half-space", "normal": [0, 0, -1]}, "tube": {"type": "cylinder", "radius": 0.02, "inside": true}},
  "bodies": [
    {"name": "beads", "shape": "bead", "material": "grain",
     "packing": {"type": "lattice", "lower": [-0.01, -0.01, 0.006], "counts": [3, 3, 4], "spacing": 0.0102, "jitter": "free"}},
    {"name": "shelf", "shape": "floor", "material": "wall", "fixed": true},
    {"name": "floor", "shape": "floor", "material": "wall", "fixed": true, "position": [0, 0, -0.002]},
    {"name": "tube", "shape": "tube", "material": "wall", "fixed": true},
    {"name": "stone", "shape": "bead", "material": "grain", "fixed": true, "position": [0, 0, 0.0465]},
    {"name": "lid", "shape": "lid", "material": "wall", "motion": {"velocity": [0, 0, -0.05]}, "position": [0, 0, 0.06]}
  ],
  "interactions": [
    {"between": ["grain", "grain"], "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.1, "friction": 0.1}},
    {"between": ["grain", "wall"], "law": {"type": "linear", "normal_stiffness": 2000, "normal_damping": 0.1, "friction": 0.1}}
  ],
  "integrator": {"type": "velocity-verlet", "dt": 1e-4},
  "output": {"metrics_interval": 0.003, "writers": []},
  "run": {"duration": 0}
})";

/// What stages 2 and 3 change, as a user would write it, and as --set does.
const OrderedJson kSecond = OrderedJson::parse(
    R"({"gravity": [1, 0, -9.81], "bodies": {"lid": {"motion": {"velocity": [0, 0, -0.1]}}, "stone": {"fixed": false}},
  "interactions": {"grain-grain": {"law": {"friction": 0.6}}}})");
const std::string kSecondSets =
    " --set /gravity/0=1 --set /bodies/5/motion/velocity/2=-0.1 --set /bodies/4/fixed=false"
    " --set /interactions/0/law/friction=0.6";
const OrderedJson kThird = OrderedJson::parse(
    R"({"integrator": {"dt": 5e-5}, "damping": {"local": 0.2}, "bodies": {"shelf": {"removed": true}},
  "interactions": {"wall-grain": {"law": {"type": "linear", "normal_stiffness": 3000, "normal_damping": null, "restitution": 0.5, "tangential": "none"}}}})");
const std::string kThirdSets =
    " --set /integrator/dt=5e-5 --set /damping/local=0.2 --set /bodies/1/removed=true --set "
    "'/interactions/1/law={\"type\": \"linear\", \"normal_stiffness\": 3000, \"restitution\": 0.5, \"tangential\": "
    "\"none\"}'";

OrderedJson staged(int count) {
  OrderedJson scene = OrderedJson::parse(kParts);
  scene.erase("run");
  const OrderedJson all = {
      {{"name", "fill"}, {"until", {{"steps", kSteps}}}},
      {{"name", "press"}, {"change", kSecond}, {"until", {{"duration", kSteps * kDt}}}},
      {{"name", "drop"}, {"change", kThird}, {"until", {{"time", 2 * kSteps * kDt + kSteps * kLastDt}}}}};
  scene["stages"] = OrderedJson(all.begin(), all.begin() + count);
  return scene;
}

struct Home {
  TemporaryFolder folder;
  std::string path(const std::string& name) const { return (folder / name).string(); }
  Outcome run(const std::string& scene, const std::string& out, const std::string& options = "") const {
    const Outcome outcome = scree_program(fmt::format("run {} --quiet --out {} {}", path(scene), path(out), options));
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return outcome;
  }
  OrderedJson summary(const std::string& out) const { return OrderedJson::parse(slurp(folder / out / "summary.json")); }
  std::string checkpoint(const std::string& out, int step) const {
    return fmt::format("{}/checkpoints/checkpoint_{:09}.h5", path(out), step);
  }
};

/// The last row of metrics.csv, by column.
std::map<std::string, std::string> last_row(const fs::path& out) {
  std::istringstream lines(slurp(out / "metrics.csv"));
  std::string header, line, last;
  std::getline(lines, header);
  while (std::getline(lines, line)) last = line;
  std::map<std::string, std::string> row;
  std::istringstream names(header), values(last);
  for (std::string name, value; std::getline(names, name, ',') && std::getline(values, value, ',');) row[name] = value;
  return row;
}

}  // namespace

TEST_CASE("a staged run equals the same parts run by hand with checkpoints and changed scenes, bit for bit") {
  const Home home;
  spit(home.folder / "staged.json", staged(3).dump());
  spit(home.folder / "parts.json", kParts);
  home.run("staged.json", "whole");
  const std::string each = fmt::format(" --set /output/checkpoint_interval={}", kSteps * kDt);
  home.run("parts.json", "a", fmt::format("--set /run/duration={}", kSteps * kDt) + each);
  home.run("parts.json", "b",
           fmt::format("--set /run/duration={} --resume {}", 2 * kSteps * kDt, home.checkpoint("a", kSteps)) + each +
               kSecondSets);
  home.run("parts.json", "c",
           fmt::format("--set /run/duration={} --resume {}", 2 * kSteps * kDt + kSteps * kLastDt,
                       home.checkpoint("b", 2 * kSteps)) +
               kSecondSets + kThirdSets);
  const OrderedJson whole = home.summary("whole"), part = home.summary("c");
  CHECK(whole["steps"] == 3 * kSteps);
  CHECK(whole["contacts_mean"].get<double>() > 5);
  CHECK(whole["state_hash"] == part["state_hash"]);
  auto row = last_row(home.folder / "whole");
  CHECK(row["stage"] == "3");
  for (const auto& [column, value] : last_row(home.folder / "c")) {  // it knows nothing of walls that were taken away
    INFO(column);
    CHECK(row[column] == value);
  }
}

TEST_CASE("a staged run has the same bits for 1, 2, 3 threads, and when resumed in the middle of any stage") {
  const Home home;
  spit(home.folder / "staged.json", staged(3).dump());
  home.run("staged.json", "one", "--threads 1");
  const OrderedJson one = results(home.summary("one"));
  for (const int threads : {2, 3}) {
    home.run("staged.json", "more", fmt::format("--threads {}", threads));
    CHECK(results(home.summary("more")) == one);
  }
  // One that ends earlier was there when the checkpoint was written; stages behind it make no difference.
  for (const int stages : {1, 2, 3}) {
    spit(home.folder / "first.json", staged(stages).dump());
    const double dt = stages == 3 ? kLastDt : kDt;
    home.run("first.json", "cut", fmt::format("--set /output/checkpoint_interval={}", (stages - 0.5) * kSteps * dt));
    const int middle = stages == 3 ? 800 : (2 * stages - 1) * kSteps / 2;
    if (stages == 3) home.run("first.json", "cut", "--set /output/checkpoint_interval=0.01");
    INFO(stages);
    REQUIRE(fs::exists(home.checkpoint("cut", middle)));
    home.run("staged.json", "cut", "--resume " + home.checkpoint("cut", middle));
    CHECK(results(home.summary("cut")) == one);
    CHECK(slurp(home.folder / "cut" / "metrics.csv") == slurp(home.folder / "one" / "metrics.csv"));
  }
}

TEST_CASE("a condition is met at the same step for 1, 2, 3 threads and when resumed, and says what it was") {
  const Home home;
  OrderedJson scene = staged(2);
  scene["stages"][0]["until"] = OrderedJson::parse(
      R"({"figure": "kinetic_energy_J", "below": 1e-5, "hold": 0.002, "interval": 0.001, "limit": 2})");
  scene["stages"][1]["until"] =
      OrderedJson::parse(R"({"figure": "unbalanced_force_ratio", "below": 1e-9, "limit": 0.05, "at_limit": "go on"})");
  spit(home.folder / "scene.json", scene.dump());
  home.run("scene.json", "one", "--threads 1");
  const OrderedJson one = results(home.summary("one"));
  INFO(one.dump(1));
  CHECK(one["stages"][0]["steps"] > 100);
  CHECK(one["stages"][0]["steps"] < 20000);
  CHECK_THAT(one["stages"][0]["ended"].get<std::string>(), ContainsSubstring("kinetic_energy_J below 1e-05"));
  CHECK(one["stages"][1]["steps"] == 500);
  CHECK_THAT(one["stages"][1]["ended"].get<std::string>(), ContainsSubstring("limit: unbalanced_force_ratio"));
  for (const int threads : {2, 3}) {
    home.run("scene.json", "more", fmt::format("--threads {}", threads));
    CHECK(results(home.summary("more")) == one);
    CHECK(slurp(home.folder / "more" / "metrics.csv") == slurp(home.folder / "one" / "metrics.csv"));
  }
  home.run("scene.json", "cut", "--set /output/checkpoint_interval=0.0137");
  for (const auto& file : fs::directory_iterator(home.folder / "cut" / "checkpoints")) {
    const std::string copy = home.path("copy.h5");
    fs::copy_file(file.path(), copy, fs::copy_options::overwrite_existing);
    home.run("scene.json", "resumed", "--resume " + copy);
    CHECK(results(home.summary("resumed")) == one);
  }
}

TEST_CASE("a change of numbers in a law keeps every spring, another law says how many it drops") {
  const Home home;
  spit(home.folder / "scene.json", kParts);
  home.run("scene.json", "a", "--set /run/duration=0.06 --set /output/checkpoint_interval=0.06");
  const std::string resume = "--set /run/duration=0.0601 --resume " + home.checkpoint("a", 600);
  const Outcome numbers = home.run("scene.json", "b", resume + " --set /interactions/0/law/friction=0.9");
  CHECK_THAT(numbers.err, !ContainsSubstring("dropped"));
  const OrderedJson kept = home.summary("b");
  CHECK(kept["changes"] == OrderedJson::array({"/interactions/0/law/friction: 0.1 -> 0.9"}));
  const Outcome other =
      home.run("scene.json", "c",
               resume + " --set /interactions/0/law/rolling='{\"model\": \"elastic-plastic\", \"friction\": 0.1}'");
  CHECK_THAT(other.err, ContainsSubstring("the history of ") && ContainsSubstring(" contacts is dropped") &&
                            ContainsSubstring("3 numbers of law linear") &&
                            ContainsSubstring("6 numbers of law linear"));
}

TEST_CASE("a checkpoint goes on with another scene where bodies agree, and is refused by name where they do not") {
  const Home home;
  spit(home.folder / "scene.json", kParts);
  home.run("scene.json", "a", "--set /run/duration=0.01 --set /output/checkpoint_interval=0.01");
  const std::string resume = fmt::format("run {} --out {} --set /run/duration=0.02 --resume {} ",
                                         home.path("scene.json"), home.path("b"), home.checkpoint("a", 100));
  const Outcome changed = scree_program(resume + "--set /gravity/2=-1.6 --set /damping/linear=0.01");
  CHECK(changed.exit_code == 0);
  CHECK_THAT(changed.err, ContainsSubstring("The scene has changed since the checkpoint:") &&
                              ContainsSubstring("/gravity/2: -9.81 -> -1.6") &&
                              ContainsSubstring("/damping/linear: 0 -> 0.01"));
  CHECK(home.summary("b")["changes"].size() == 2);
  const std::string before = slurp(home.folder / "b" / "summary.json");
  for (const auto& [set, named] : std::vector<std::pair<std::string, std::string>>{
           {"/shapes/bead/radius=0.004", "/shapes/bead/radius: 0.005 -> 0.004"},
           {"/bodies/0/seed=4", "/bodies/0/seed: 1 -> 4"},
           {"/materials/grain/density=1000", "/materials/grain/density: 2500 -> 1000"},
           {"/periodic/x=[-1,1]", "/periodic/x: nothing -> [-1,1]"}}) {
    const Outcome refused = scree_program(resume + "--set " + set);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("belongs to another scene") && ContainsSubstring(named));
  }
  CHECK(slurp(home.folder / "b" / "summary.json") == before);
}

TEST_CASE("gear keeps its derivatives when dt changes, and begins anew when it is new") {
  const Home home;
  OrderedJson scene = staged(3);
  scene["integrator"]["type"] = "gear";
  spit(home.folder / "gear.json", scene.dump());
  home.run("gear.json", "gear");
  scene["integrator"]["type"] = "velocity-verlet";
  scene["stages"][1]["change"]["integrator"] = {{"type", "gear"}, {"dt", kDt}};
  spit(home.folder / "new.json", scene.dump());
  home.run("new.json", "new", "--threads 1");
  home.run("new.json", "more", "--threads 2");
  CHECK(results(home.summary("new")) == results(home.summary("more")));
}
