#pragma once
/// \file Runs the program on several ranks, more of them than there are cores.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "catch.hpp"
#include "program.hpp"

namespace scree::test {

/// The command line of mpirun with these arguments. Its files are in a folder of this process: two mpiruns that begin
/// and end in one trip over each other.
inline std::string mpirun(const std::string& arguments) {
  static const TemporaryFolder sessions;
  return fmt::format(
      "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
      "OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_orte_tmpdir_base={} exec {} {}",
      sessions.path().string(), SCREE_MPIRUN, arguments);
}

/// The command line that starts `scree ...` on ranks. \param ranks  0: without mpirun
inline std::string on_ranks(int ranks, const std::string& arguments) {
  const std::string program = fmt::format("{} {}", SCREE_PROGRAM, arguments);
  return ranks == 0 ? program : mpirun(fmt::format("-n {} {}", ranks, program));
}

/// What is a result, and not how and where it was computed.
inline nlohmann::json results_of(const fs::path& out) {
  nlohmann::json summary = nlohmann::json::parse(slurp(out / "summary.json"));
  for (const char* key : {"wall_seconds", "stage_seconds", "particle_steps_per_second", "threads", "warnings", "ranks",
                          "rank_waiting_seconds", "divided_steps"})
    summary.erase(key);
  return summary;
}

}  // namespace scree::test
