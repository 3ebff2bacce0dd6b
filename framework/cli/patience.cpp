#include "patience.hpp"

#include <unistd.h>

#include <cstdlib>

namespace scree::cli {

void limit_spinning(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) return;
  // About 0.1 ms: longer than the wait at the end of a balanced loop, shorter than a time slice.
  if (setenv("GOMP_SPINCOUNT", "10000", 0) == 0) execv("/proc/self/exe", argv);
}

}  // namespace scree::cli
