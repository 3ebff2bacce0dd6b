#pragma once
/// \file Atomics whose outcome depends on the order of threads. The engine has none; the paper's scheme is made of
/// them.

#include <cstdint>
#include <cstring>

#include "scree/base/api.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace scree::paper {

/// \return what was there before
SCREE_HD inline std::uint32_t exchange(std::uint32_t* to, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return atomicExch(to, value);
#else
  return __atomic_exchange_n(to, value, __ATOMIC_RELAXED);
#endif
}

SCREE_HD inline void add_to(double* to, double value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(to, value);
#else
  auto* const word = reinterpret_cast<std::uint64_t*>(to);
  std::uint64_t seen = __atomic_load_n(word, __ATOMIC_RELAXED), wanted;
  do {
    double sum;
    std::memcpy(&sum, &seen, sizeof sum);
    sum += value;
    std::memcpy(&wanted, &sum, sizeof sum);
  } while (!__atomic_compare_exchange_n(word, &seen, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
#endif
}

}  // namespace scree::paper
