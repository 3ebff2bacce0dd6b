#pragma once
/// \file Wall-clock time for timings.

#include <chrono>

namespace scree {

/// Seconds on a clock that never goes back.
inline double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace scree
