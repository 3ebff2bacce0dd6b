#pragma once
/// \file Loops over bodies: on all threads where there are many, plain where starting threads costs more than it saves.
/// Who includes this links OpenMP.

#include <algorithm>
#include <cstddef>

namespace scree {

inline constexpr std::ptrdiff_t kParallelFrom = 3000;

/// f(i) for i = 0..n-1. Each i must write only what is its own: then neither schedule nor thread count changes a bit.
template <class F>
void parallel_for(std::ptrdiff_t n, F&& f) {
  if (n < kParallelFrom) {
    for (std::ptrdiff_t i = 0; i < n; ++i) f(i);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < n; ++i) f(i);
}

/// The largest f(i), at least 0; the order of comparisons does not matter. NaN is passed over.
template <class F>
double parallel_max(std::ptrdiff_t n, F&& f) {
  double largest = 0;
  if (n < kParallelFrom) {
    for (std::ptrdiff_t i = 0; i < n; ++i) largest = std::max(largest, f(i));
    return largest;
  }
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (std::ptrdiff_t i = 0; i < n; ++i) largest = std::max(largest, f(i));
  return largest;
}

}  // namespace scree
