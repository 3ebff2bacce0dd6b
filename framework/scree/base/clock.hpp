#pragma once
/// \file Wall-clock time for timings.

#include <chrono>

namespace scree {

/// Returns seconds on a clock that never goes back.
inline double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds of wall-clock time spent in each stage.
struct StageSeconds {
  double grid = 0, detect = 0, law = 0, integrate = 0, output = 0;
};

}  // namespace scree
