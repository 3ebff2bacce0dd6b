#pragma once
/// \file Interruption by Ctrl-C, kill or a closed terminal. It is noticed between steps, so that a run ends with a
/// checkpoint instead of within a step.

#include "scree/base/api.hpp"

namespace scree {

/// Catches signals during its lifetime: SIGINT, SIGTERM and SIGHUP only set a flag. On request SIGUSR1 does too, which
/// mpirun passes on without a time limit. A second SIGINT or SIGTERM ends the program at once, also within a step.
/// SIGXCPU sets a flag as well. Signals that were ignored before (nohup, a background job of a script) stay ignored.
class SCREE_API Interruption {
 public:
  explicit Interruption(bool of_ranks = false);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  /// Checks whether an interruption was requested.
  bool requested() const;
  /// Checks whether the processor time ends the run (ulimit -t).
  bool processor_time_is_over() const;
};

}  // namespace scree
