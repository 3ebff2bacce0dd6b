#pragma once
/// \file When sharing work between threads pays.

#include <cstddef>

namespace scree {

/// Fewer pairs than this are faster on one thread than shared.
inline constexpr std::size_t kParallelPairs = 1500;

}  // namespace scree
