#pragma once
/// \file Runs a scene with several numbers of threads, and stopped half-way: the final state must be the same.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "catch.hpp"
#include "program.hpp"

namespace scree::test {

struct ShortRun {
  std::string file;     ///< the scene
  std::string options;  ///< of `scree run`
  int steps;            ///< an even number
};

/// Its summary.
inline nlohmann::json run_short(const ShortRun& run, const fs::path& out, double duration, const std::string& more) {
  const Outcome outcome =
      scree_program(fmt::format("run {} --quiet --set /output/writers=[] --set /run/duration={} {} --out {} {}",
                                run.file, duration, run.options, out.string(), more));
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return nlohmann::json::parse(slurp(out / "summary.json"));
}

/// Same bits for 1, 2, 3 threads, and when stopped half-way and resumed; some bodies must touch or be bonded.
inline void check_same_bits(const ShortRun& run) {
  INFO(run.file);
  const TemporaryFolder folder;
  const double dt = nlohmann::json::parse(slurp(run.file))["integrator"]["dt"], whole = run.steps * dt;
  const nlohmann::json one = run_short(run, folder / "one", whole, "--threads 1");
  CHECK(one["steps"] == run.steps);
  const bool bonded = nlohmann::json::parse(slurp(run.file)).contains("bonds");
  CHECK((bonded || one["contacts_mean"].get<double>() > 0.1));
  CHECK(run_short(run, folder / "two", whole, "--threads 2")["state_hash"] == one["state_hash"]);
  CHECK(run_short(run, folder / "three", whole, "--threads 3")["state_hash"] == one["state_hash"]);
  const std::string checkpoints = fmt::format("--set /output/checkpoint_interval={}", whole / 2);
  run_short(run, folder / "half", whole / 2, checkpoints);
  const std::string checkpoint =
      fmt::format("{}/checkpoints/checkpoint_{:09}.h5", (folder / "half").string(), run.steps / 2);
  CHECK(run_short(run, folder / "half", whole, checkpoints + " --resume " + checkpoint)["state_hash"] ==
        one["state_hash"]);
}

}  // namespace scree::test
