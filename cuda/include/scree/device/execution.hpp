#pragma once
/// \file One source for kernels, two ways to run them: compiled by nvcc they run on a GPU, compiled as C++ on the
/// host's processors, block by block.
///
/// A kernel is a *body*: plain data with an operator(). Simple ones are called once per item (for_each). Those whose
/// threads work together are written in phases: code between two meetings of the threads stands in a lambda that is run
/// for each lane, and what lives longer than a phase is in Shared. Control flow around phases is the same for all
/// threads of a block, so the host needs no threads of its own for them.
///
/// The host runs blocks, and warps of a phase, in any order it is told: results must not depend on it. Shared memory is
/// filled with 0xff (NaN) before each block.

#include <cstdint>

#include "scree/base/api.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#else
#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>
#endif

namespace scree::device {

inline constexpr int kWarpSize = 32;

/// In which order the host runs blocks, and warps within a phase.
enum class Order : std::uint32_t { forward, reversed, shuffled };

/// Where bodies run.
struct Execution {
  void* stream = nullptr;  ///< cudaStream_t; on the host of no account
  Order order = Order::forward;
  std::uint32_t seed = 0;                 ///< of Order::shuffled
  bool threads = true;                    ///< the host shares out blocks among threads
  const std::uint32_t* halted = nullptr;  ///< in the device's memory: bodies do nothing where it is not 0; or null
};

/// Number of processors' worth of blocks that a grid has at most; bodies stride over the rest.
inline constexpr std::uint32_t kMostBlocks = 132 * 16;

// --- Integer atomics: the only ones there are, as their results do not depend on the order ---------------------------

/// \return what was there before, as atomic_or() does
template <class Integer>
SCREE_HD inline Integer atomic_add(Integer* to, Integer value) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(to, value);
#else
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
#endif
}
template <class Integer>
SCREE_HD inline Integer atomic_or(Integer* to, Integer bits) {
#if defined(__CUDA_ARCH__)
  return atomicOr(to, bits);
#else
  return __atomic_fetch_or(to, bits, __ATOMIC_RELAXED);
#endif
}
template <class Integer>
SCREE_HD inline void atomic_max(Integer* to, Integer value) {
#if defined(__CUDA_ARCH__)
  atomicMax(to, value);
#else
  Integer seen = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (seen < value && !__atomic_compare_exchange_n(to, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}
template <class Integer>
SCREE_HD inline void atomic_min(Integer* to, Integer value) {
#if defined(__CUDA_ARCH__)
  atomicMin(to, value);
#else
  Integer seen = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (seen > value && !__atomic_compare_exchange_n(to, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

SCREE_HD inline std::uint32_t bits_set(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popc(bits));
#else
  return static_cast<std::uint32_t>(__builtin_popcount(bits));
#endif
}

/// Number of the lowest bit that is set. \param bits  not 0
SCREE_HD inline std::uint32_t lowest_bit(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
#else
  return static_cast<std::uint32_t>(__builtin_ctz(bits));
#endif
}
/// The lowest n bits are set, up to 32.
SCREE_HD inline std::uint32_t low_bits(std::uint32_t n) { return n < 32 ? (1u << n) - 1 : ~0u; }
/// How many bits are set from the lowest that is on. \param bits  not 0
SCREE_HD inline std::uint32_t lowest_run(std::uint32_t bits) {
  const std::uint32_t rest = ~(bits >> lowest_bit(bits));
  return rest != 0 ? lowest_bit(rest) : 32;
}

/// A double >= 0 as an integer of the same order, for atomic_max(); from_ordered_bits() undoes it.
SCREE_HD inline unsigned long long ordered_bits(double value) {
#if defined(__CUDA_ARCH__)
  return static_cast<unsigned long long>(__double_as_longlong(value));
#else
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
#endif
}
SCREE_HD inline double from_ordered_bits(unsigned long long bits) {
#if defined(__CUDA_ARCH__)
  return __longlong_as_double(static_cast<long long>(bits));
#else
  double value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
#endif
}

// --- Threads that work together
// ---------------------------------------------------------------------------------------

/// One value per lane of a warp: a register on a device, 32 numbers on the host. Its size differs between the two, so
/// it has no place in bodies and Shared.
template <class T>
class Lane {
 public:
#if defined(__CUDA_ARCH__)
  __device__ T& operator[](int) { return value_; }
  __device__ const T& operator[](int) const { return value_; }

 private:
  T value_;
#else
  SCREE_HD T& operator[](int lane) { return value_[lane]; }
  SCREE_HD const T& operator[](int lane) const { return value_[lane]; }

 private:
  T value_[kWarpSize];
#endif
};

/// 32 threads that run in step.
struct Warp {
  std::uint32_t index;  ///< within its block

  /// f(lane) for every lane.
  template <class F>
  SCREE_HD void each(const F& f) const {
#if defined(__CUDA_ARCH__)
    f(static_cast<int>(threadIdx.x & 31));
#else
    for (int lane = 0; lane < kWarpSize; ++lane) f(lane);
#endif
  }
  /// Bit `lane` is flag[lane].
  SCREE_HD std::uint32_t ballot(const Lane<bool>& flag) const {
#if defined(__CUDA_ARCH__)
    return __ballot_sync(~0u, flag[0]);
#else
    std::uint32_t bits = 0;
    for (int lane = 0; lane < kWarpSize; ++lane) bits |= static_cast<std::uint32_t>(flag[lane]) << lane;
    return bits;
#endif
  }
  /// Each lane's value becomes the sum of those before it. \return the sum of all
  SCREE_HD std::uint32_t scan(Lane<std::uint32_t>& value) const {
#if defined(__CUDA_ARCH__)
    const std::uint32_t own = value[0], lane = threadIdx.x & 31;
    std::uint32_t sum = own;
    for (int step = 1; step < kWarpSize; step *= 2) {
      const std::uint32_t before = __shfl_up_sync(~0u, sum, step);
      if (lane >= static_cast<std::uint32_t>(step)) sum += before;
    }
    value[0] = sum - own;
    return __shfl_sync(~0u, sum, 31);
#else
    std::uint32_t sum = 0;
    for (int lane = 0; lane < kWarpSize; ++lane) {
      const std::uint32_t own = value[lane];
      value[lane] = sum;
      sum += own;
    }
    return sum;
#endif
  }
  /// The value of lane `from` (modulo 32), by lane.
  template <class T>
  SCREE_HD Lane<T> shuffle(const Lane<T>& value, const Lane<int>& from) const {
    Lane<T> result;
#if defined(__CUDA_ARCH__)
    result[0] = __shfl_sync(~0u, value[0], from[0]);
#else
    for (int lane = 0; lane < kWarpSize; ++lane) result[lane] = value[from[lane] & 31];
#endif
    return result;
  }
  /// What lanes have written, all see.
  SCREE_HD void meet() const {
#if defined(__CUDA_ARCH__)
    __syncwarp();
#endif
  }
  template <class T>
  SCREE_HD T sum(const Lane<T>& value) const {
#if defined(__CUDA_ARCH__)
    T all = value[0];
    for (int step = kWarpSize / 2; step > 0; step /= 2) all += __shfl_xor_sync(~0u, all, step);
    return all;
#else
    T all = value[0];
    for (int lane = 1; lane < kWarpSize; ++lane) all += value[lane];
    return all;
#endif
  }
  template <class T>
  SCREE_HD T largest(const Lane<T>& value) const {
#if defined(__CUDA_ARCH__)
    T most = value[0];
    for (int step = kWarpSize / 2; step > 0; step /= 2) {
      const T other = __shfl_xor_sync(~0u, most, step);
      most = other > most ? other : most;
    }
    return most;
#else
    T most = value[0];
    for (int lane = 1; lane < kWarpSize; ++lane) most = value[lane] > most ? value[lane] : most;
    return most;
#endif
  }
  template <class T>
  SCREE_HD T smallest(const Lane<T>& value) const {
    Lane<T> negative;
    each([&](int lane) { negative[lane] = -value[lane]; });
    return -largest(negative);
  }
};

/// The threads of one block.
struct Block {
  std::uint32_t index, warp_count;
  Execution execution;  ///< of the host

  /// phase(warp) for every warp; afterwards all threads see what it has written.
  template <class Phase>
  SCREE_HD void warps(const Phase& phase) const {
#if defined(__CUDA_ARCH__)
    phase(Warp{threadIdx.x >> 5});
    __syncthreads();
#else
    for (std::uint32_t k = 0; k < warp_count; ++k) {
      // Any permutation will do: of 2^n warps, an odd factor and an offset.
      std::uint32_t w = k;
      if (execution.order == Order::reversed) w = warp_count - 1 - k;
      if (execution.order == Order::shuffled) w = (k * 5 + execution.seed + index) % warp_count;
      phase(Warp{w});
    }
#endif
  }
};

/// Blocks that a multiprocessor is to hold at once: what the body says, or else `otherwise`. More leave fewer registers
/// for each thread.
template <class Body>
constexpr int least_blocks(int otherwise = 2) {
  if constexpr (requires { Body::kLeastBlocks; })
    return Body::kLeastBlocks;
  else
    return otherwise;
}

/// Of kernels whose warps work alone: what lanes add up over all their tiles, where a body has something to report.
struct NoTally {};
template <class Body>
constexpr bool reports() {
  return requires(const Body& body, const typename Body::Tally& tally) { body.report(tally); };
}

/// Of a body that has tiles_now() fewer tiles are worked on than tiles(): as many as the device's memory says.
template <class Body>
SCREE_HD inline std::uint32_t tiles_now(const Body& body) {
  if constexpr (requires { body.tiles_now(); })
    return body.tiles_now();
  else
    return body.tiles();
}

#if defined(__CUDACC__)

template <class Body>
__global__ void __launch_bounds__(256, least_blocks<Body>())
    for_each_kernel(const __grid_constant__ Body body, std::uint32_t items, const std::uint32_t* halted) {
  if (halted && *halted != 0) return;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < items; i += gridDim.x * blockDim.x) body(i);
}

template <class Body>
__global__ void __launch_bounds__(Body::kThreads, least_blocks<Body>())
    block_kernel(const __grid_constant__ Body body, std::uint32_t most, const std::uint32_t* halted) {
  if (halted && *halted != 0) return;
  __shared__ typename Body::Shared shared;
  const std::uint32_t blocks = body.blocks(most);
  for (std::uint32_t b = blockIdx.x; b < blocks; b += gridDim.x) {
    body(Block{b, Body::kThreads / kWarpSize, {}}, shared);
    __syncthreads();
  }
}

template <class Body>
__global__ void __launch_bounds__(256, least_blocks<Body>())
    warp_kernel(const __grid_constant__ Body body, const std::uint32_t* halted) {
  constexpr std::uint32_t kWarps = 256 / kWarpSize;
  if (halted && *halted != 0) return;
  const std::uint32_t tiles = tiles_now(body);
  __shared__ typename Body::Shared shared[kWarps];
  __shared__ typename Body::Tally tally[kWarps];
  const Warp warp{threadIdx.x / kWarpSize};
  Lane<typename Body::Tally> sum;
  sum[0] = {};
  for (std::uint32_t t = blockIdx.x * kWarps + warp.index; t < tiles; t += gridDim.x * kWarps)
    body(warp, t, shared[warp.index], sum);
  if constexpr (reports<Body>()) {
    const typename Body::Tally of_warp = Body::Tally::over(warp, sum);
    if (threadIdx.x % kWarpSize == 0) tally[warp.index] = of_warp;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (std::uint32_t w = 1; w < kWarps; ++w) tally[0].add(tally[w]);
    body.report(tally[0]);
  }
}

inline std::uint32_t grid_of(std::uint32_t blocks) { return blocks < kMostBlocks ? blocks : kMostBlocks; }

/// body(i) for i = 0 .. items - 1, in any order. \return 0, or the error's number
template <class Body>
int for_each(const Execution& e, std::uint32_t items, const Body& body) {
  if (items == 0) return 0;
  const auto stream = static_cast<cudaStream_t>(e.stream);
  for_each_kernel<<<grid_of((items + 255) / 256), 256, 0, stream>>>(body, items, e.halted);
  return cudaGetLastError();
}

/// body(warp, tile, shared, tally) for tiles 0 .. body.tiles() - 1, each by a warp that works alone.
template <class Body>
int for_tiles(const Execution& e, const Body& body) {
  if (body.tiles() == 0) return 0;
  warp_kernel<<<grid_of((body.tiles() + 7) / 8), 256, 0, static_cast<cudaStream_t>(e.stream)>>>(body, e.halted);
  return cudaGetLastError();
}

/// body(block, shared) for blocks 0 .. body.blocks(most) - 1, which is at most `most`.
template <class Body>
int for_blocks(const Execution& e, std::uint32_t most, const Body& body) {
  if (most == 0) return 0;
  block_kernel<<<grid_of(most), Body::kThreads, 0, static_cast<cudaStream_t>(e.stream)>>>(body, most, e.halted);
  return cudaGetLastError();
}

#else

/// run(b) for blocks 0 .. n - 1 in the order of `e`.
template <class Run>
void in_order(const Execution& e, std::uint32_t blocks, const Run& run) {
  std::vector<std::uint32_t> order;
  if (e.order != Order::forward) {
    order.resize(blocks);
    std::iota(order.rbegin(), order.rend(), 0u);
    if (e.order == Order::shuffled) std::shuffle(order.begin(), order.end(), std::mt19937(e.seed));
  }
#pragma omp parallel for schedule(dynamic, 8) if (e.threads && blocks > 32)
  for (std::uint32_t k = 0; k < blocks; ++k) run(order.empty() ? k : order[k]);
}

template <class Body>
int for_each(const Execution& e, std::uint32_t items, const Body& body) {
  if (e.halted && *e.halted != 0) return 0;
  const std::uint32_t threads = 256;
  in_order(e, (items + threads - 1) / threads, [&](std::uint32_t b) {
    const std::uint32_t begin = b * threads, end = begin + threads < items ? begin + threads : items;
    for (std::uint32_t k = begin; k < end; ++k) body(e.order == Order::forward ? k : end - 1 - (k - begin));
  });
  return 0;
}

template <class Body>
int for_tiles(const Execution& e, const Body& body) {
  if (e.halted && *e.halted != 0) return 0;
  constexpr std::uint32_t kWarps = 256 / kWarpSize;
  const std::uint32_t tiles = tiles_now(body);
  in_order(e, (tiles + kWarps - 1) / kWarps, [&](std::uint32_t b) {
    Lane<typename Body::Tally> sum;
    for (int lane = 0; lane < kWarpSize; ++lane) sum[lane] = {};
    const std::uint32_t begin = b * kWarps, end = begin + kWarps < tiles ? begin + kWarps : tiles;
    for (std::uint32_t k = begin; k < end; ++k) {
      const std::uint32_t tile = e.order == Order::forward ? k : end - 1 - (k - begin);
      typename Body::Shared shared;
      std::memset(static_cast<void*>(&shared), 0xff, sizeof shared);
      body(Warp{tile - begin}, tile, shared, sum);
    }
    if constexpr (reports<Body>()) body.report(Body::Tally::over(Warp{0}, sum));
  });
  return 0;
}

template <class Body>
int for_blocks(const Execution& e, std::uint32_t most, const Body& body) {
  if (e.halted && *e.halted != 0) return 0;
  in_order(e, body.blocks(most), [&](std::uint32_t b) {
    typename Body::Shared shared;
    std::memset(static_cast<void*>(&shared), 0xff, sizeof shared);
    body(Block{b, Body::kThreads / kWarpSize, e}, shared);
  });
  return 0;
}

#endif

}  // namespace scree::device
