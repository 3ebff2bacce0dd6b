/// \file Columns of metrics.csv that a run comes to need while it goes on.

#include "probe_run.hpp"

using namespace scree::test;

namespace {

const std::string kFigure = R"({"type": "probe-figure", "start": 0.005, "interval": 0.001, "name": "calls_total"})";
/// A shelf of an entry that held no walls, with a grain on it.
const std::string kShelf = R"({"type": "probe-add", "start": 0.0102, "kind": "fixed", "shape": "floor", "material": "w",
                               "lower": [0, 0, 0.00002]})";

}  // namespace

TEST_CASE("a figure named in mid-run has its column from then on, and zeros before") {
  const ProbeRun run(probe_scene({kFigure}));
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  // Rows every 2 ms; the hook is called before the steps that begin at 5, 6, 7 ... 19 ms.
  CHECK(Metrics(run.folder()).column("calls_total") == std::vector<double>{0, 0, 0, 1, 3, 5, 7, 9, 11, 13, 15});
  CHECK(run.summary()["figures"]["calls_total"] == 15);
}

TEST_CASE("a wall of an entry that had none has its columns from then on") {
  const ProbeRun run(probe_scene({kShelf}, 0.1));
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  const Metrics metrics(run.folder());
  const std::vector<double> force = metrics.column("grains_force_z_N"), floor = metrics.column("floor_force_z_N");
  CHECK(force[5] == 0);
  CHECK(floor[5] < 0);
  const double weight = 16 * 9.81 * 2500 * 4 / 3 * M_PI * 1e-9;
  CHECK(-(force.back() + floor.back()) == Approx(weight).epsilon(0.01));
  CHECK(-force.back() > 0.9 * weight);
}

TEST_CASE("a resumed run goes on with late columns, also those that were not there at its checkpoint") {
  Json scene = probe_scene({kFigure, kShelf});
  const ProbeRun whole(scene);
  const std::string expected = slurp(whole.folder() / "metrics.csv");
  REQUIRE(whole.outcome.exit_code == 0);
  scene["output"]["checkpoint_interval"] = 0.001;
  for (const int step : {400, 500, 600, 1000, 1100, 1700}) {
    // The last three checkpoints are kept.
    const ProbeRun part(scene, fmt::format("--set /run/duration={}", 1e-5 * (step + 200)));
    INFO("step " << step << part.outcome.err);
    REQUIRE(part.outcome.exit_code == 0);
    const std::string checkpoint = (part.folder() / "checkpoints" / fmt::format("checkpoint_{:09}.h5", step)).string();
    const Outcome resumed = part.run("out", "--resume " + checkpoint);
    INFO(resumed.err);
    REQUIRE(resumed.exit_code == 0);
    CHECK(slurp(part.folder() / "metrics.csv") == expected);
  }
}

TEST_CASE("a run resumed after a gate has opened keeps the gate's columns, in its own folder and in another") {
  Json scene = probe_scene({});
  scene["bodies"].push_back(Json::parse(
      R"({"name": "gate", "shape": "floor", "material": "w", "fixed": true, "position": [0, 0, 9e-6], "remove_at": 0.004})"));
  scene["output"]["checkpoint_interval"] = 0.01;
  const ProbeRun run(scene);
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  const std::string whole = slurp(run.folder() / "metrics.csv");
  CHECK(Metrics(run.folder()).column("gate_force_z_N")[1] < 0);
  const std::string resume = "--resume " + (run.folder() / "checkpoints" / "checkpoint_000001000.h5").string();
  const Outcome elsewhere = run.run("elsewhere", resume);
  INFO(elsewhere.err);
  REQUIRE(elsewhere.exit_code == 0);
  CHECK(Metrics(run.folder("elsewhere")).names == Metrics(run.folder()).names);
  const Outcome here = run.run("out", resume);
  INFO(here.err);
  REQUIRE(here.exit_code == 0);
  CHECK(slurp(run.folder() / "metrics.csv") == whole);
}
