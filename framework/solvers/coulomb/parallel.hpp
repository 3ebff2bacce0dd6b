#pragma once
/// \file Loops over contacts whose results have the same bits for any number of threads.

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace scree::coulomb {

inline constexpr std::size_t kChunk = 512;

/// Sums of N quantities: by chunks of a fixed size, and these in order.
/// \param add  add(i, sums) adds the share of contact i
template <int N, class Add>
std::array<double, N> chunked_sum(std::size_t count, int threads, const Add& add) {
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  std::vector<std::array<double, N>> partial(chunks);
#pragma omp parallel for schedule(static) num_threads(threads) if (chunks > 1)
  for (std::size_t c = 0; c < chunks; ++c) {
    std::array<double, N> sums{};
    const std::size_t end = std::min(count, (c + 1) * kChunk);
    for (std::size_t i = c * kChunk; i < end; ++i) add(i, sums);
    partial[c] = sums;
  }
  std::array<double, N> total{};
  for (const auto& sums : partial) {
    for (int k = 0; k < N; ++k) total[k] += sums[k];
  }
  return total;
}

/// \param visit  visit(begin, end) for stretches that no two threads share
template <class Visit>
void for_chunks(std::size_t count, int threads, const Visit& visit) {
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
#pragma omp parallel for schedule(static) num_threads(threads) if (chunks > 1)
  for (std::size_t c = 0; c < chunks; ++c) visit(c * kChunk, std::min(count, (c + 1) * kChunk));
}

}  // namespace scree::coulomb
