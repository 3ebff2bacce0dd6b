#pragma once
/// \file Runs a scene with several numbers of threads, and stopped half-way: the final state must be the same, and all
/// that metrics and summary tell.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

namespace scree::test {

struct ShortRun {
  std::string file;     ///< the scene
  std::string options;  ///< of `scree run`
  int steps;            ///< an even number
  bool touches = true;  ///< bodies touch or are bonded, or the run would prove little
};

/// What of a summary depends on the run alone, and not on how fast and where it was run.
inline nlohmann::json results(nlohmann::json summary) {
  // A resumed run has the warnings since then.
  for (const char* key : {"wall_seconds", "stage_seconds", "particle_steps_per_second", "threads", "warnings"})
    summary.erase(key);
  return summary;
}

/// Steps between rows of metrics, such that one stands at half of all steps: about five up to there.
inline int metrics_steps(int steps) {
  int rows = 5;
  while (steps / 2 % rows != 0) --rows;
  return steps / 2 / rows;
}

/// Its summary.
inline nlohmann::json run_short(const ShortRun& run, const fs::path& out, double duration, const std::string& more) {
  const Outcome outcome =
      scree_program(fmt::format("run {} --quiet --set /output/writers=[] --set /run/duration={} {} --out {} {}",
                                run.file, duration, run.options, out.string(), more));
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return nlohmann::json::parse(slurp(out / "summary.json"));
}

/// Same bits for one thread, and for two threads up to half-way and three after a resume; figures and metrics too.
/// \param more_threads  whole runs beside these
inline void check_same_bits(ShortRun run, const std::vector<int>& more_threads = {}) {
  INFO(run.file);
  const TemporaryFolder folder;
  const double dt = nlohmann::json::parse(slurp(run.file))["integrator"]["dt"], whole = run.steps * dt;
  run.options += fmt::format(" --set /output/metrics_interval={}", metrics_steps(run.steps) * dt);
  const nlohmann::json one = run_short(run, folder / "one", whole, "--threads 1");
  CHECK(one["steps"] == run.steps);
  const bool bonded = nlohmann::json::parse(slurp(run.file)).contains("bonds");
  CHECK((bonded || !run.touches || one["contacts_mean"].get<double>() > 0.1));
  const std::string metrics = slurp(folder / "one" / "metrics.csv");
  for (const int threads : more_threads) {
    const fs::path out = folder / fmt::format("threads{}", threads);
    CHECK(results(run_short(run, out, whole, fmt::format("--threads {}", threads))) == results(one));
    CHECK(slurp(out / "metrics.csv") == metrics);
  }
  const std::string checkpoints = fmt::format("--set /output/checkpoint_interval={}", whole / 2);
  run_short(run, folder / "half", whole / 2, checkpoints + " --threads 2");
  const std::string checkpoint =
      fmt::format("{}/checkpoints/checkpoint_{:09}.h5", (folder / "half").string(), run.steps / 2);
  CHECK(results(run_short(run, folder / "half", whole, checkpoints + " --threads 3 --resume " + checkpoint)) ==
        results(one));
  CHECK(slurp(folder / "half" / "metrics.csv") == metrics);
}

}  // namespace scree::test
