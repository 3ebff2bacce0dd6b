#pragma once
/// \file Child runs: this program started again, several times at once.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace scree::cli {

/// One start of this program.
struct ChildRun {
  std::vector<std::string> arguments;  ///< "run", "scene.json", ...
  std::filesystem::path log;           ///< file for the output of the process
};

/// Starts the runs in their order, at most `at_once` at a time, and waits for all. Ctrl-C, SIGTERM and SIGHUP are
/// passed on once, and no further run is started. Present runs are waited for: each ends with a checkpoint. The same
/// happens to them if this process dies.
/// \param ended  gets the index of a run and its exit code (128 + signal if it was killed), one at a time
/// \return true if all were started; false: interrupted
/// \throws IoError if a process or its log cannot be made; present runs are stopped first
bool run_children(const std::vector<ChildRun>& runs, int at_once, const std::function<void(std::size_t, int)>& ended);

}  // namespace scree::cli
