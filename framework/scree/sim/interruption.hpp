#pragma once
/// \file Ctrl-C and kill: noticed between steps, so that a run ends with a checkpoint instead of in the middle of one.

namespace scree {

/// While it lives, SIGINT and SIGTERM only set a flag. A second SIGINT ends the program at once.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  bool requested() const;
};

}  // namespace scree
