#include "solvers/fclib/reduce.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

namespace scree::fclib {

bool is_triangular(const SparseMatrix& matrix) {
  bool above = false, below = false;
  for (int row = 0; row < matrix.outerSize(); ++row)
    for (SparseMatrix::InnerIterator e(matrix, row); e; ++e) {
      above |= e.col() > row && e.value() != 0;
      below |= e.col() < row && e.value() != 0;
    }
  return above != below;
}

SparseMatrix mirrored(const SparseMatrix& triangle) {
  SparseMatrix whole = triangle + SparseMatrix(triangle.transpose());
  for (int row = 0; row < whole.outerSize(); ++row)
    for (SparseMatrix::InnerIterator e(whole, row); e; ++e)
      if (e.col() == row) e.valueRef() /= 2;
  return whole;
}

namespace {

double largest(const SparseMatrix& matrix) {
  double value = 0;
  for (int row = 0; row < matrix.outerSize(); ++row)
    for (SparseMatrix::InnerIterator e(matrix, row); e; ++e) value = std::max(value, std::abs(e.value()));
  return value;
}

}  // namespace

double asymmetry(const SparseMatrix& matrix) {
  const SparseMatrix difference = matrix - SparseMatrix(matrix.transpose());
  const double scale = largest(matrix);
  return scale > 0 ? largest(difference) / scale : 0;
}

std::optional<LocalForm> reduced(const GlobalForm& form) {
  using Columns = Eigen::SparseMatrix<double>;  // what Eigen's factorisation takes
  const Columns h = form.directions;
  const Eigen::SimplicialLDLT<Columns> factors{Columns(form.mass)};
  if (factors.info() != Eigen::Success || (factors.vectorD().array() <= 0).any()) return std::nullopt;
  const Columns response = factors.solve(h);
  LocalForm local;
  local.w = SparseMatrix(h.transpose() * response);
  const Eigen::VectorXd velocity = factors.solve(form.f);
  const Eigen::VectorXd q = form.w + h.transpose() * velocity;
  local.q.assign(q.begin(), q.end());
  return local;
}

}  // namespace scree::fclib
