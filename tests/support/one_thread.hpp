#pragma once
/// \file For scenes with so few bodies that sharing them between threads costs more than it brings.

#include <omp.h>

namespace scree::test {

/// As long as it lives, OpenMP uses one thread.
struct OneThread {
  OneThread() { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(omp_get_num_procs()); }
};

}  // namespace scree::test
