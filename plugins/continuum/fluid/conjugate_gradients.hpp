#pragma once
/// \file Conjugate gradients with a diagonal preconditioner, over vectors of scalars or of small vectors. Sums are by
/// chunks of a fixed size: results have the same bits for any number of threads.
/// \source M. R. Hestenes, E. Stiefel, J. Res. Nat. Bur. Stand. 49 (1952) 409

#include <cmath>
#include <span>
#include <vector>

#include "solvers/coulomb/parallel.hpp"

namespace scree::continuum {

inline double inner(double a, double b) { return a * b; }
inline double scaled(double a, double b) { return a * b; }
template <class V>
double inner(const V& a, const V& b) {
  return a.dot(b);
}
template <class V>
V scaled(const V& a, const V& b) {
  return a.cwiseProduct(b);
}

template <class T>
double sum_of_products(std::span<const T> a, std::span<const T> b, int threads) {
  return coulomb::chunked_sum<1>(a.size(), threads,
                                 [&](std::size_t i, auto& sums) { sums[0] += inner(a[i], b[i]); })[0];
}

/// Solves A x = r for a symmetric positive semidefinite A.
template <class T>
class ConjugateGradients {
 public:
  /// \param inverse_diagonal  inverse diagonal of A; 0 leaves a component of x at 0
  /// \param apply     apply(p, q): q = A p
  /// \param residual  in: r, out: r - A x    \param x  out
  /// \param least     stops where |residual|^2 is no more than this
  /// \return iterations
  template <class Apply>
  int solve(std::span<const T> inverse_diagonal, const Apply& apply, std::vector<T>& residual, std::vector<T>& x,
            double least, int most, int threads) {
    const std::size_t n = residual.size();
    x.assign(n, zero());
    q_.resize(n), z_.resize(n), p_.assign(n, zero());
    double before = 0;
    for (int it = 0; it < most; ++it) {
      if (sum_of_products<T>(residual, residual, threads) <= least) return it;
      each(n, threads, [&](std::size_t i) { z_[i] = scaled(inverse_diagonal[i], residual[i]); });
      const double now = sum_of_products<T>(residual, z_, threads);
      if (!(now > 0)) return it;
      const double beta = it == 0 ? 0 : now / before;
      each(n, threads, [&](std::size_t i) { p_[i] = z_[i] + beta * p_[i]; });
      apply(std::span<const T>(p_), std::span<T>(q_));
      const double curvature = sum_of_products<T>(p_, q_, threads);
      if (!(curvature > 0)) return it;
      const double alpha = now / curvature;
      each(n, threads, [&](std::size_t i) {
        x[i] += alpha * p_[i];
        residual[i] -= alpha * q_[i];
      });
      before = now;
    }
    return most;
  }

 private:
  static T zero() {
    if constexpr (std::is_same_v<T, double>)
      return 0;
    else
      return T::Zero();
  }
  template <class F>
  static void each(std::size_t n, int threads, const F& f) {
    coulomb::for_chunks(n, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) f(i);
    });
  }

  std::vector<T> z_, p_, q_;
};

}  // namespace scree::continuum
