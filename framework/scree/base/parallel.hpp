#pragma once
/// \file Loops over bodies: on all threads where there are many, plain where starting threads costs more than it saves.
/// Who includes this links OpenMP.

#include <algorithm>
#include <cstddef>

namespace scree {

inline constexpr std::ptrdiff_t kParallelFrom = 3000;

/// f(i) for i = 0..n-1. Each i must write only what is its own: then neither schedule nor thread count changes a bit.
/// \param from  n from which it is worth sharing
template <class F>
void parallel_for(std::ptrdiff_t n, F&& f, std::ptrdiff_t from = kParallelFrom) {
  if (n < from) {
    for (std::ptrdiff_t i = 0; i < n; ++i) f(i);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < n; ++i) f(i);
}

/// The largest f(i), at least 0; the order of comparisons does not matter. NaN is passed over.
template <class F>
double parallel_max(std::ptrdiff_t n, F&& f, std::ptrdiff_t from = kParallelFrom) {
  double largest = 0;
  if (n < from) {
    for (std::ptrdiff_t i = 0; i < n; ++i) largest = std::max(largest, f(i));
    return largest;
  }
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (std::ptrdiff_t i = 0; i < n; ++i) largest = std::max(largest, f(i));
  return largest;
}

/// parallel_for() in fours: four(i) for i = 0, 4, ...; where it returns false, and for the last few, one(i) does each
/// of them. Both must give the same bits.
template <class Four, class One>
void parallel_for_fours(std::ptrdiff_t n, Four&& four, One&& one) {
  const auto block = [&](std::ptrdiff_t k) {
    const std::ptrdiff_t begin = 4 * k, end = std::min(begin + 4, n);
    if (end - begin == 4 && four(begin)) return;
    for (std::ptrdiff_t i = begin; i < end; ++i) one(i);
  };
  parallel_for((n + 3) / 4, block, kParallelFrom / 4);
}

/// parallel_max() where four(i) gives f(i) .. f(i + 3) at once and one(i) each of the last few.
template <class Four, class One>
double parallel_max_of_fours(std::ptrdiff_t n, Four&& four, One&& one) {
  const auto block = [&](std::ptrdiff_t k) {
    const std::ptrdiff_t begin = 4 * k, end = std::min(begin + 4, n);
    if (end - begin == 4) {
      const auto values = four(begin);
      return std::max(std::max(values[0], values[1]), std::max(values[2], values[3]));
    }
    double largest = 0;
    for (std::ptrdiff_t i = begin; i < end; ++i) largest = std::max(largest, one(i));
    return largest;
  };
  return parallel_max((n + 3) / 4, block, kParallelFrom / 4);
}

/// Ranges so few are each shared among threads; more are short, and each goes to one thread.
inline constexpr std::ptrdiff_t kFewRanges = 4;

/// parallel_for_fours() over ranges of rows, in fours from the first row of each. \param ranges  with first and end
template <class Ranges, class Four, class One>
void parallel_for_fours_of(const Ranges& ranges, Four&& four, One&& one) {
  const auto over = [&](std::ptrdiff_t k) {
    const auto range = ranges[static_cast<std::size_t>(k)];
    const auto first = static_cast<std::ptrdiff_t>(range.first);
    parallel_for_fours(
        static_cast<std::ptrdiff_t>(range.end) - first, [&](std::ptrdiff_t i) { return four(first + i); },
        [&](std::ptrdiff_t i) { one(first + i); });
  };
  parallel_for(static_cast<std::ptrdiff_t>(ranges.size()), over, kFewRanges);
}

/// parallel_max_of_fours() likewise.
template <class Ranges, class Four, class One>
double parallel_max_of_fours_of(const Ranges& ranges, Four&& four, One&& one) {
  const auto over = [&](std::ptrdiff_t k) {
    const auto range = ranges[static_cast<std::size_t>(k)];
    const auto first = static_cast<std::ptrdiff_t>(range.first);
    return parallel_max_of_fours(
        static_cast<std::ptrdiff_t>(range.end) - first, [&](std::ptrdiff_t i) { return four(first + i); },
        [&](std::ptrdiff_t i) { return one(first + i); });
  };
  return parallel_max(static_cast<std::ptrdiff_t>(ranges.size()), over, kFewRanges);
}

}  // namespace scree
