#pragma once
/// \file Ctrl-C, kill and a terminal that closes: noticed between steps, so that a run ends with a checkpoint instead
/// of in the middle of one.

namespace scree {

/// While it lives, SIGINT, SIGTERM and SIGHUP only set a flag; on request SIGUSR1 too, which mpirun passes on without a
/// time limit. A second SIGINT ends the program at once. Signals that
/// were ignored before (nohup, a job in the background of a script) stay so.
class Interruption {
 public:
  explicit Interruption(bool of_ranks = false);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  bool requested() const;
};

}  // namespace scree
