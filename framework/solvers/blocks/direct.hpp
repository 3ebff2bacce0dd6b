#pragma once
/// \file A block matrix for the sparse factorisations Eigen wraps, and the solver made of one.

#include <Eigen/SparseCore>

#include "solvers/blocks/solver.hpp"

namespace scree::solvers {

/// The lower triangle as a compressed column matrix of scalars; its pattern is built once.
class LowerTriangle {
 public:
  /// \return true when the pattern is new
  bool take(const BlockMatrix& a);
  const Eigen::SparseMatrix<double>& matrix() const { return matrix_; }

 private:
  const BlockPattern* pattern_ = nullptr;
  Eigen::SparseMatrix<double> matrix_;
};

/// \tparam Factorisation  an Eigen sparse solver with analyzePattern(), factorize(), solve()
template <class Factorisation>
class DirectSolver : public LinearSolver {
 public:
  bool prepare(const BlockMatrix& a) override {
    if (lower_.take(a)) factorisation_.analyzePattern(lower_.matrix());
    factorisation_.factorize(lower_.matrix());
    return factorisation_.info() == Eigen::Success;
  }
  SolveReport solve(const BlockMatrix& a, const BlockVector& b, double, BlockVector& x) override {
    x = factorisation_.solve(b);
    BlockVector ax;
    a.multiply(x, ax);
    ax -= b;
    const double size = ordered_dot(b, b);
    return {true, true, 1, size > 0 ? std::sqrt(ordered_dot(ax, ax) / size) : 0.0};
  }

 protected:
  LowerTriangle lower_;
  Factorisation factorisation_;
};

}  // namespace scree::solvers
