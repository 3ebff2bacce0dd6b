#pragma once
/// \file Run of a scene from its file to its results: the only entry that the program needs.

#include <functional>
#include <string>

#include "scree/base/api.hpp"
#include "scree/run/check_report.hpp"

namespace scree {

struct Scene;
class Registry;

enum class RunStatus { finished, interrupted };

struct RunOptions {
  std::string out;  ///< output folder; empty: out/<scene name>
  int threads = 0;  ///< 0: all cores
  std::string device = "cpu";
  std::string resume;  ///< checkpoint file; empty: start from the beginning
  bool quiet = false;
  /// Command that started the program, quoted for a shell and without --resume: for the message on how to resume.
  std::string command = "scree run";
  /// Called after all results are written, before methods are destroyed.
  std::function<void(RunStatus)> ended = {};
};

/// Runs a scene.
/// \throws InputError before step 1, NumericalError and IoError during the run; a checkpoint is written first if
/// possible
SCREE_API RunStatus run_simulation(const Scene& scene, const Registry& registry, const RunOptions& options);

/// Prepares everything that a run needs, and runs nothing: all faults of a scene are found here.
/// \throws InputError that lists all faults found
SCREE_API CheckReport check_simulation(const Scene& scene, const Registry& registry);

}  // namespace scree
