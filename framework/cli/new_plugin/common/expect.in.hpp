#pragma once

#include <cmath>
#include <cstdio>

inline int failures = 0;

/// Counts and prints what is off by more than `tolerance` of what is wanted.
inline void expect(const char* what, double got, double wanted, double tolerance = 1e-6) {
  if (std::abs(got - wanted) <= tolerance * std::abs(wanted)) return;
  std::printf("%s: got %.12g, wanted %.12g\n", what, got, wanted);
  ++failures;
}
