#pragma once
/// \file Exact sums of vectors.

#include "scree/base/exact_sum.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// Exact sum of vectors: an ExactSum along each axis.
struct ExactVector {
  ExactSum axis[3];
  void add(const Vec3& term) {
    for (int k = 0; k < 3; ++k) axis[k].add(term[k]);
  }
  Vec3 value() const { return {axis[0].value(), axis[1].value(), axis[2].value()}; }
};

}  // namespace scree
