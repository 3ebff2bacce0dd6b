#pragma once
/// \file Products of 6 x 6 blocks, columns one after the other, eight lanes at once of which six count. What is summed,
/// and in which order, is written out: the same bits on every instruction set.

#include <Eigen/Core>
#include <vector>

#include "solvers/blocks/block_matrix.hpp"
#include "scree/base/lanes.hpp"

namespace scree::solvers {

template <class Real>
struct EightOf;
template <>
struct EightOf<float> {
  using Type = float __attribute__((vector_size(32)));
};
template <>
struct EightOf<double> {
  using Type = double __attribute__((vector_size(64)));
};
template <class Real>
using Eight = typename EightOf<Real>::Type;

/// What multigrid keeps of a matrix: a preconditioner needs no more digits, and half the memory is twice the speed.
using FloatBlock = Eigen::Matrix<float, 6, 6>;
/// A vector of rows of eight, of which six count; the last two are 0 wherever dotted() reads them.
using FloatRows = std::vector<Eight<float>>;

/// Column c of a block in lanes 0 to 5; lanes 6 and 7 hold something finite. Reads nothing beyond the block.
template <int c, class Real>
inline Eight<Real> column_of(const Real* block) {
  if constexpr (c < 5) {
    return load_as<Eight<Real>>(block + 6 * c);
  } else {
    const auto v = load_as<Eight<Real>>(block + 28);
    return __builtin_shufflevector(v, v, 2, 3, 4, 5, 6, 7, 6, 7);
  }
}

/// Lanes 6 and 7 become 0.
inline Eight<float> six_of(Eight<float> v) {
  return __builtin_shufflevector(v, Eight<float>{}, 0, 1, 2, 3, 4, 5, 8, 8);
}

/// y + A x; lanes 6 and 7 are of no use.
inline Eight<float> times(const FloatBlock& a, Eight<float> x, Eight<float> y) {
  const float* m = a.data();
  y += column_of<0>(m) * x[0];
  y += column_of<1>(m) * x[1];
  y += column_of<2>(m) * x[2];
  y += column_of<3>(m) * x[3];
  y += column_of<4>(m) * x[4];
  y += column_of<5>(m) * x[5];
  return y;
}

/// y + A^T x. \pre lanes 6 and 7 of x are 0
inline Eight<float> dotted(const FloatBlock& a, Eight<float> x, Eight<float> y) {
  const float* m = a.data();
  // Sums over lanes of six vectors, as a tree: neighbours, then pairs, then halves.
  const auto pairs = [](Eight<float> p, Eight<float> q) {
    return __builtin_shufflevector(p, q, 0, 8, 2, 10, 4, 12, 6, 14) +
           __builtin_shufflevector(p, q, 1, 9, 3, 11, 5, 13, 7, 15);
  };
  const auto fours = [](Eight<float> p, Eight<float> q) {
    return __builtin_shufflevector(p, q, 0, 1, 8, 9, 4, 5, 12, 13) +
           __builtin_shufflevector(p, q, 2, 3, 10, 11, 6, 7, 14, 15);
  };
  const auto p01 = pairs(column_of<0>(m) * x, column_of<1>(m) * x);
  const auto p23 = pairs(column_of<2>(m) * x, column_of<3>(m) * x);
  const auto p45 = pairs(column_of<4>(m) * x, column_of<5>(m) * x);
  const auto low = fours(p01, p23), high = fours(p45, p45);
  return y + (__builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11) +
              __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15));
}

/// A block in six registers of eight lanes.
struct WideBlock {
  Eight<double> column[6];

  static WideBlock of(const Block& b) {
    const double* m = b.data();
    return {{column_of<0>(m), column_of<1>(m), column_of<2>(m), column_of<3>(m), column_of<4>(m), column_of<5>(m)}};
  }
  static WideBlock zero() { return {}; }
  /// Adds the six lanes that count.
  void add_to(Block& b) const {
    double* m = b.data();
    for (int c = 0; c < 6; ++c) {
      double lanes[8];
      store_lanes(lanes, column[c]);
      for (int r = 0; r < 6; ++r) m[6 * c + r] += lanes[r];
    }
  }
};

/// C += A B, B by columns from `b`.
template <class Real>
inline void add_product(const WideBlock& a, const Real* b, WideBlock& c) {
  for (int j = 0; j < 6; ++j) {
    Eight<double> sum = c.column[j];
    for (int k = 0; k < 6; ++k) sum += a.column[k] * static_cast<double>(b[6 * j + k]);
    c.column[j] = sum;
  }
}

}  // namespace scree::solvers
