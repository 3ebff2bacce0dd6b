#include "scree/sim/process.hpp"

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>

namespace scree {

void set_up_process(char** argv) {
  bool changed = false;
  const auto set = [&](const char* name, const char* value) {
    if (std::getenv(name) == nullptr && setenv(name, value, 0) == 0) changed = true;
  };
  // About 0.1 ms: longer than the wait at the end of a balanced loop, shorter than a time slice.
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) set("GOMP_SPINCOUNT", "10000");
  set("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
  if (changed) execv("/proc/self/exe", argv);
}

void give_back_freed_memory() { malloc_trim(0); }

}  // namespace scree
