#pragma once
/// \file Comparisons of eight lanes as bits.

#include "scree/base/lanes.hpp"

namespace scree {

/// Returns a number whose bit k is set if lane k is true.
template <class Truths>
unsigned bits_of(const Truths& truths) {
  const Truths bits = truths & Truths{1, 2, 4, 8, 16, 32, 64, 128};
  const auto four = __builtin_shufflevector(bits, bits, 0, 1, 2, 3) | __builtin_shufflevector(bits, bits, 4, 5, 6, 7);
  const auto two = __builtin_shufflevector(four, four, 0, 1) | __builtin_shufflevector(four, four, 2, 3);
  return static_cast<unsigned>(two[0] | two[1]);
}

}  // namespace scree
