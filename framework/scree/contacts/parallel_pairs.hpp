#pragma once
/// \file Threshold of work above which parallel threads pay.

#include <cstddef>

namespace scree {

/// Number of pairs below which one thread is faster than several.
inline constexpr std::size_t kParallelPairs = 1500;

}  // namespace scree
