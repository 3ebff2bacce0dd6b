#include "solvers/blocks/direct.hpp"

#include <Eigen/SparseCholesky>
#include <cmath>

namespace scree::solvers {

// Column c of block (i, j), i >= j, both of the lower triangle, is row c of block (j, i): a matrix column reads one row
// of blocks, whose columns ascend.
bool LowerTriangle::take(const BlockMatrix& a) {
  const BlockPattern& p = a.pattern();
  const bool fresh = pattern_ != &p;
  const auto scalars = static_cast<Eigen::Index>(6 * p.rows());
  if (fresh) {
    pattern_ = &p;
    std::size_t entries = 0;
    for (std::size_t row = 0; row < p.rows(); ++row) entries += 36 * (p.row_start[row + 1] - p.diagonal[row]) - 15;
    matrix_.resize(scalars, scalars);
    matrix_.resizeNonZeros(static_cast<Eigen::Index>(entries));
  }
  Eigen::Index at = 0;
  for (std::size_t j = 0; j < p.rows(); ++j)
    for (int c = 0; c < 6; ++c) {
      matrix_.outerIndexPtr()[6 * static_cast<Eigen::Index>(j) + c] = static_cast<int>(at);
      for (std::size_t k = p.diagonal[j]; k < p.row_start[j + 1]; ++k)
        for (int r = k == p.diagonal[j] ? c : 0; r < 6; ++r, ++at) {
          matrix_.innerIndexPtr()[at] = 6 * static_cast<int>(p.column[k]) + r;
          matrix_.valuePtr()[at] = a.block(k)(c, r);
        }
    }
  matrix_.outerIndexPtr()[scalars] = static_cast<int>(at);
  return fresh;
}

namespace {

class EigenCholesky final : public DirectSolver<Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower>> {
 public:
  std::string_view name() const override { return "direct"; }
  std::size_t bytes() const override {
    return static_cast<std::size_t>(lower_.matrix().nonZeros() +
                                    factorisation_.matrixL().nestedExpression().nonZeros()) *
           (sizeof(double) + sizeof(int));
  }
};

}  // namespace

std::unique_ptr<LinearSolver> direct_cholesky() { return std::make_unique<EigenCholesky>(); }

}  // namespace scree::solvers
