// What a run writes, and how it ends.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"
#include "small_scene.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// Number of the last complete frame that particles.pvd lists; fails when it lists a file that is not there or not
/// whole.
void check_collection(const fs::path& pvd) {
  if (!fs::exists(pvd)) return;
  const std::string text = slurp(pvd);
  CHECK_THAT(text, ContainsSubstring("</VTKFile>"));
  for (std::size_t at = 0; (at = text.find("file=\"", at)) != std::string::npos;) {
    at += 6;
    const fs::path file = pvd.parent_path() / text.substr(at, text.find('"', at) - at);
    INFO(file);
    REQUIRE(fs::exists(file));
    CHECK_THAT(slurp(file), ContainsSubstring("</VTKFile>"));
  }
}

void check_readable(const fs::path& out) {
  for (const char* name : {"particles.pvd", "contacts.pvd", "walls.pvd"}) check_collection(out / name);
  if (fs::exists(out / "summary.json")) CHECK(Json::accept(slurp(out / "summary.json")));
  if (fs::exists(out / "scene.json")) CHECK(Json::accept(slurp(out / "scene.json")));
  if (fs::exists(out / "metrics.csv")) {
    const std::string text = slurp(out / "metrics.csv");
    const auto rows = lines(text);
    if (!rows.empty()) {
      CHECK(text.back() == '\n');
      const auto commas = std::count(rows[0].begin(), rows[0].end(), ',');
      for (const auto& row : rows) CHECK(std::count(row.begin(), row.end(), ',') == commas);
    }
  }
}

}  // namespace

TEST_CASE("a run leaves what the documentation lists") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", kSmallScene);
  const fs::path out = folder / "out";
  const Outcome run = scree_program("run " + (folder / "scene.json").string() + " --threads 2 --out " + out.string());
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  check_readable(out);
  const Json s = Json::parse(slurp(out / "summary.json"));
  for (const char* key : {"scene",
                          "status",
                          "steps",
                          "simulated_time",
                          "wall_seconds",
                          "stage_seconds",
                          "bodies",
                          "particle_steps_per_second",
                          "candidate_pairs_mean",
                          "touching_pairs_mean",
                          "contacts_mean",
                          "history_hits_mean",
                          "rebuilds",
                          "max_overlap_ratio",
                          "kinetic_energy_initial",
                          "kinetic_energy_final",
                          "momentum",
                          "threads",
                          "device",
                          "state_hash",
                          "version"})
    CHECK(s.contains(key));
  CHECK(s["status"] == "completed");
  CHECK(s["steps"] == 500);
  CHECK(s["bodies"] == 12);
  CHECK(s["threads"] == 2);
  for (const char* stage : {"grid", "detect", "law", "integrate", "output"}) CHECK(s["stage_seconds"].contains(stage));
  const auto rows = lines(slurp(out / "metrics.csv"));
  REQUIRE(rows.size() == 1 + 6);  // every 0.01 s from 0 to 0.05 s
  CHECK_THAT(rows[0], ContainsSubstring("time_s") && ContainsSubstring("floor_force_y_N"));
  // Inline data only: appended data reads as empty in ParaView 5.11.
  for (const auto& entry : fs::directory_iterator(out / "particles")) {
    const std::string text = slurp(entry.path());
    CHECK(text.find("<AppendedData") == std::string::npos);
  }
}

TEST_CASE("without an interval, writers write the first and the last frame") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", kSmallScene);
  const Outcome run = scree_program("run " + (folder / "scene.json").string() +
                                    " --quiet --set /output/interval=0 --out " + (folder / "out").string());
  REQUIRE(run.exit_code == 0);
  const std::string pvd = slurp(folder / "out/particles.pvd");
  CHECK_THAT(pvd, ContainsSubstring("timestep=\"0\"") && ContainsSubstring("timestep=\"0.05\""));
  CHECK(std::distance(fs::directory_iterator(folder / "out/particles"), fs::directory_iterator()) == 2);
}

TEST_CASE("plugins tells what methods offer and need") {
  CHECK_THAT(scree_program("plugins taubin").out,
             ContainsSubstring("needs facets RadialFunction/1 of both bodies; works in 2 dimensions"));
  CHECK_THAT(scree_program("plugins nodes-to-surface").out,
             ContainsSubstring("BoundaryNodes/1 of one body, SignedDistance/1 of the other"));
  CHECK_THAT(scree_program("plugins shape/star").out, ContainsSubstring("offers facets RadialFunction/1"));
  CHECK_THAT(scree_program("plugins law/linear").out, ContainsSubstring("offers faces force/1"));
  CHECK_THAT(scree_program("plugins velocity-verlet").out, ContainsSubstring("needs laws with face force/1"));
  const Json all = Json::parse(scree_program("plugins --json").out);
  CHECK(all.size() >= 13);
}

TEST_CASE("the resolved scene runs again to the same bits, from another folder") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", kSmallScene);
  REQUIRE(scree_program("run " + (folder / "scene.json").string() + " --quiet --out " + (folder / "one").string())
              .exit_code == 0);
  const Outcome again =
      scree_program("run " + (folder / "one/scene.json").string() + " --quiet --out " + (folder / "two").string());
  INFO(again.err);
  REQUIRE(again.exit_code == 0);
  CHECK(Json::parse(slurp(folder / "one/summary.json"))["state_hash"] ==
        Json::parse(slurp(folder / "two/summary.json"))["state_hash"]);
}

TEST_CASE("a body that leaves the world: exit code 3, with body, step, time and the last good checkpoint") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", kSmallScene);
  const fs::path out = folder / "out";
  const Outcome run =
      scree_program("run " + (folder / "scene.json").string() + " --quiet --out " + out.string() +
                    " --set '/domain={\"lower\": [-1, -0.02], \"upper\": [1, 1]}' --set /bodies/1/remove_at=0.02"
                    " --set /run/duration=1");
  INFO(run.err);
  CHECK(run.exit_code == 3);
  CHECK_THAT(run.err, ContainsSubstring("left the world in step") && ContainsSubstring("time ") &&
                          ContainsSubstring("checkpoint_"));
  CHECK(Json::parse(slurp(out / "summary.json"))["status"] == "failed");
  CHECK(!fs::is_empty(out / "checkpoints"));
}

namespace {

/// A disc or a sphere that a lid presses into the floor: no impulses can keep the three apart.
std::string closing_lid(int dimension, double gravity, double speed, int max_sweeps) {
  const auto along = [dimension](double last) {
    return dimension == 2 ? fmt::format("[0, {}]", last) : fmt::format("[0, 0, {}]", last);
  };
  const char* wall = dimension == 2 ? "half-plane" : "half-space";
  return fmt::format(R"({{"dimension": {}, "gravity": {}, "materials": {{"m": {{"density": 1000}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": 0.1, "thickness": 0.001}}, "floor": {{"type": "{}"}},
           "lid": {{"type": "{}", "normal": {}}}}},
"bodies": [{{"shape": "ball", "material": "m", "position": {}}}, {{"shape": "floor", "material": "m", "fixed": true}},
           {{"shape": "lid", "material": "m", "position": {}, "motion": {{"velocity": {}}}}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "coulomb", "friction": 0.5}}}}],
"integrator": {{"type": "moreau-jean", "dt": 1e-3, "max_sweeps": {}, "max_unconverged_steps": 10}},
"output": {{"metrics_interval": 1e-3, "writers": []}}, "run": {{"duration": 0.04}}}})",
                     dimension, along(-gravity), wall, wall, along(-1), along(0.1), along(0.2), along(-speed),
                     max_sweeps);
}

}  // namespace

TEST_CASE("a body that a lid presses into the floor: exit code 3 past the limit, told as what nothing can keep apart") {
  const TemporaryFolder folder;
  for (const int dimension : {2, 3})
    for (const double gravity : {0., 10.})
      for (const double speed : {1e-3, 0.1, 5.})
        for (const int max_sweeps : {20, 50, 1000}) {
          INFO(dimension << " dimensions, gravity " << gravity << ", speed " << speed << ", sweeps " << max_sweeps);
          spit(folder / "scene.json", closing_lid(dimension, gravity, speed, max_sweeps));
          const Outcome stopped =
              scree_program("run " + (folder / "scene.json").string() + " --quiet --out " + (folder / "out").string());
          CHECK(stopped.exit_code == 3);
          CHECK_THAT(stopped.err, ContainsSubstring("no impulses can keep these bodies apart") &&
                                      ContainsSubstring("walls that close on them") &&
                                      ContainsSubstring("have not converged for 11 steps in a row") &&
                                      !ContainsSubstring("Raise /integrator/max_sweeps"));
        }
}

TEST_CASE("rigid contact that does not converge: every step of it is told by metrics and summary") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", closing_lid(2, 0, 0.1, 50));
  const fs::path out = folder / "out";
  const std::string command =
      "run " + (folder / "scene.json").string() + " --quiet --out " + out.string() + " --set /run/duration=";
  CHECK(scree_program(command + "0.04").exit_code == 3);
  CHECK(Json::parse(slurp(out / "summary.json"))["status"] == "failed");

  const Outcome ended = scree_program(command + "0.008");
  INFO(ended.err);
  REQUIRE(ended.exit_code == 0);
  const Json summary = Json::parse(slurp(out / "summary.json"));
  CHECK(summary["status"] == "completed");
  CHECK(summary["figures"]["solver_infeasible"] == 1);
  CHECK(summary["figures"]["solver_unconverged_steps_total"] == 8);
  CHECK(summary["figures"]["solver_unconverged_steps_in_a_row"] == 8);
  const std::string metrics = slurp(out / "metrics.csv");
  for (const char* column :
       {"solver_sweeps", "solver_residual", "solver_infeasible", "solver_unconverged_steps_total",
        "solver_unconverged_steps_in_a_row", "solver_take_off_total", "solver_stick_total", "solver_slide_total",
        "solver_newton_total", "solver_quartic_total", "solver_unsolved_total", "drift_work_J"})
    CHECK_THAT(metrics.substr(0, metrics.find('\n')), ContainsSubstring(column));
}

TEST_CASE("a body that flies off: exit code 3, with its name and step") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", kSmallScene);
  const Outcome run = scree_program("run " + (folder / "scene.json").string() + " --quiet --out " +
                                    (folder / "out").string() + " --set /bodies/0/velocity=[1e30,1e30]");
  INFO(run.err);
  CHECK(run.exit_code == 3);
  CHECK_THAT(run.err, ContainsSubstring("body ") && ContainsSubstring("step 1"));
}
