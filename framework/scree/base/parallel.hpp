#pragma once
/// \file Loops over bodies: on all threads if there are many, else on one, as starting threads costs more than it
/// saves. Users of this header link OpenMP.

#include <algorithm>
#include <cstddef>
#include <limits>

namespace scree {

/// Number of items from which threads pay, at some ten nanoseconds per item, as when bodies move.
inline constexpr std::ptrdiff_t kParallelFrom = 1000;

/// Calls f(i) for i = 0..n-1. Each i must write only its own data: then neither schedule nor number of threads changes
/// a bit.
/// \param from  n from which threads pay
template <class F>
void parallel_for(std::ptrdiff_t n, F&& f, std::ptrdiff_t from = kParallelFrom) {
  if (n < from) {
    for (std::ptrdiff_t i = 0; i < n; ++i) f(i);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < n; ++i) f(i);
}

/// Returns the largest f(i), at least 0; the order of comparisons does not matter. NaN is ignored.
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

/// Largest number of ranges of rows that are each divided among threads. More ranges are short, and each goes to one
/// thread.
inline constexpr std::ptrdiff_t kFewRanges = 4;

/// Returns the number of fours in a range from which threads pay, for this number of ranges.
inline std::ptrdiff_t fours_to_share(std::size_t ranges) {
  return static_cast<std::ptrdiff_t>(ranges) < kFewRanges ? kParallelFrom / 4
                                                          : std::numeric_limits<std::ptrdiff_t>::max();
}

/// Calls four(i) for rows i to i + 3 of some ranges at once, and one(i) for the last few of a range. If four(i) returns
/// false, one(i) is called for each of its rows. Both must give the same bits.
/// \param ranges  with members first and end
template <class Ranges, class Four, class One>
void parallel_for_fours(const Ranges& ranges, Four&& four, One&& one) {
  const auto over = [&](std::ptrdiff_t r) {
    const auto first = static_cast<std::ptrdiff_t>(ranges[static_cast<std::size_t>(r)].first);
    const auto last = static_cast<std::ptrdiff_t>(ranges[static_cast<std::size_t>(r)].end);
    const auto block = [&, first, last](std::ptrdiff_t k) {
      const std::ptrdiff_t begin = first + 4 * k, end = std::min(begin + 4, last);
      if (end - begin == 4 && four(begin)) return;
      for (std::ptrdiff_t i = begin; i < end; ++i) one(i);
    };
    parallel_for((last - first + 3) / 4, block, fours_to_share(ranges.size()));
  };
  parallel_for(static_cast<std::ptrdiff_t>(ranges.size()), over, kFewRanges);
}

/// Returns parallel_max() over ranges of rows: four(i) returns f(i) .. f(i + 3) at once, and one(i) each of the last
/// few.
template <class Ranges, class Four, class One>
double parallel_max_of_fours(const Ranges& ranges, Four&& four, One&& one) {
  const auto over = [&](std::ptrdiff_t r) {
    const auto first = static_cast<std::ptrdiff_t>(ranges[static_cast<std::size_t>(r)].first);
    const auto last = static_cast<std::ptrdiff_t>(ranges[static_cast<std::size_t>(r)].end);
    const auto block = [&, first, last](std::ptrdiff_t k) {
      const std::ptrdiff_t begin = first + 4 * k, end = std::min(begin + 4, last);
      if (end - begin == 4) {
        const auto values = four(begin);
        return std::max(std::max(values[0], values[1]), std::max(values[2], values[3]));
      }
      double largest = 0;
      for (std::ptrdiff_t i = begin; i < end; ++i) largest = std::max(largest, one(i));
      return largest;
    };
    return parallel_max((last - first + 3) / 4, block, fours_to_share(ranges.size()));
  };
  return parallel_max(static_cast<std::ptrdiff_t>(ranges.size()), over, kFewRanges);
}

}  // namespace scree
