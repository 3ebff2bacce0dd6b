#pragma once
/// \file Guard around the loading of a plugin: its initialisers are the plugin's own code and may do anything.

#include <cfenv>
#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/plugin/registry.hpp"

namespace scree {

/// Guards loading during its lifetime, if requested: a fault ends the program with exit code 2 and a message that names
/// the library. Faults are a bad memory access, abort, or an exception out of a static initialiser. The program cannot
/// continue after these. At the end the floating-point environment is restored: a plugin linked with -ffast-math would
/// flush small numbers to zero in all of the program. One at a time.
class SCREE_API LoadingGuard {
 public:
  LoadingGuard(const std::string& library, OnCrash on_crash);
  ~LoadingGuard();
  LoadingGuard(const LoadingGuard&) = delete;
  LoadingGuard& operator=(const LoadingGuard&) = delete;

 private:
  struct Handler {
    int signal;
    struct sigaction former;
  };
  std::vector<Handler> handlers_;
  std::vector<char> handler_stack_;  ///< empty: no signal is caught
  stack_t former_stack_{};
  std::terminate_handler terminate_;
  std::fenv_t floating_point_;
};

}  // namespace scree
