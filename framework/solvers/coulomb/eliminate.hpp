#pragma once
/// \file Gauss elimination for the blocks of one contact. Eigen's PartialPivLU does the same, but brings its blocked
/// algorithms for large matrices into every file that calls it, and does not unroll.

#include <cmath>

#include "solvers/coulomb/problem.hpp"

namespace scree::coulomb {

/// Without a branch: pivots of contacts follow no pattern.
inline void exchange_if(bool condition, double& x, double& y) {
  const double old = x;
  x = condition ? y : x;
  y = condition ? old : y;
}

/// \return x with a x = b, by elimination with partial pivoting; not finite where a is singular
template <int D>
inline Vec<D> eliminate(Mat<D> a, Vec<D> b) {
  for (int k = 0; k < D; ++k) {
    for (int i = k + 1; i < D; ++i) {
      const bool larger = std::fabs(a(i, k)) > std::fabs(a(k, k));
      for (int j = 0; j < D; ++j) exchange_if(larger, a(i, j), a(k, j));
      exchange_if(larger, b[i], b[k]);
    }
    for (int i = k + 1; i < D; ++i) {
      a(i, k) /= a(k, k);
      for (int j = k + 1; j < D; ++j) a(i, j) -= a(i, k) * a(k, j);
    }
  }
  for (int i = 1; i < D; ++i) {
    double sum = 0;
    for (int j = 0; j < i; ++j) sum += a(i, j) * b[j];
    b[i] -= sum;
  }
  for (int i = D; i-- > 0;) {
    double sum = 0;
    for (int j = i + 1; j < D; ++j) sum += a(i, j) * b[j];
    b[i] = (b[i] - sum) / a(i, i);
  }
  return b;
}

}  // namespace scree::coulomb
