#pragma once
/// \file This program started again, several times at once.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace scree::cli {

/// One start of this program.
struct ChildRun {
  std::vector<std::string> arguments;  ///< "run", "scene.json", ...
  std::filesystem::path log;           ///< gets what the process prints
};

/// Starts the runs in their order, at most `at_once` at a time, and waits for all. Ctrl-C, SIGTERM and SIGHUP are
/// passed on once, no further run is started, and those that go on are waited for: each ends with a checkpoint. The
/// same happens to them when this process dies. \param ended  gets the index of a run and its exit code (128 + signal
/// for one that was killed), one at a time \return whether all were started; false: interrupted \throws IoError when a
/// process or its log cannot be made; those that go on are stopped first
bool run_children(const std::vector<ChildRun>& runs, int at_once, const std::function<void(std::size_t, int)>& ended);

}  // namespace scree::cli
