#pragma once
/// \file Ctrl-C, kill and a terminal that closes: noticed between steps, so that a run ends with a checkpoint instead
/// of in the middle of one.

#include "scree/base/api.hpp"

namespace scree {

/// While it lives, SIGINT, SIGTERM and SIGHUP only set a flag; on request SIGUSR1 too, which mpirun passes on without a
/// time limit. A second SIGINT or SIGTERM ends the program at once, also inside of a step. SIGXCPU sets a flag as well.
/// Signals that were ignored before (nohup, a job in the background of a script) stay so.
class SCREE_API Interruption {
 public:
  explicit Interruption(bool of_ranks = false);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  bool requested() const;
  /// Whether it is the processor time that ends the run (ulimit -t).
  bool processor_time_is_over() const;
};

}  // namespace scree
