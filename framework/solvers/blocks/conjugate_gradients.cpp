#include <Eigen/Cholesky>
#include <cmath>

#include "solvers/blocks/preconditioned.hpp"
#include "scree/base/parallel.hpp"

namespace scree::solvers {

namespace {

/// z = M^-1 r for M the diagonal blocks.
class BlockJacobi : public BlindPreconditioner {
 public:
  static constexpr std::string_view kName = "block-jacobi";
  static constexpr bool kLasts = false;

  bool prepare(const BlockMatrix& a) {
    inverse_.resize(a.rows());
    bool positive = true;
    for (std::size_t row = 0; row < a.rows(); ++row) {
      const Eigen::LLT<Block> factor(a.diagonal(row));
      positive = positive && factor.info() == Eigen::Success;
      inverse_[row] = factor.solve(Block::Identity());
    }
    return positive;
  }
  void apply(const BlockVector& r, BlockVector& z) const {
    z.resize(r.size());
    parallel_for(
        static_cast<std::ptrdiff_t>(inverse_.size()),
        [&](std::ptrdiff_t row) {
          const auto k = static_cast<std::size_t>(row);
          rows_of(z, k).noalias() = inverse_[k].lazyProduct(rows_of(r, k));
        },
        kRowsFrom);
  }
  std::size_t bytes() const { return inverse_.size() * sizeof(Block); }

 private:
  std::vector<Block> inverse_;
};

/// z = (L L^T)^-1 r with L on the lower pattern of A.
class BlockIncompleteCholesky : public BlindPreconditioner {
 public:
  static constexpr std::string_view kName = "block-ic";
  static constexpr bool kLasts = true;

  bool prepare(const BlockMatrix& a) {
    if (pattern_ != &a.pattern()) take_pattern(a.pattern());
    // A few per cent more on the diagonal costs a few per cent of iterations: try, double, try again.
    for (double raise = 0; raise < 1; raise = raise == 0 ? 1e-3 : 4 * raise)
      if (factored(a, raise)) return true;
    return false;
  }

  void apply(const BlockVector& r, BlockVector& z) const {
    z = r;
    const std::size_t n = inverse_.size();
    for (std::size_t row = 0; row < n; ++row) {
      Eigen::Matrix<double, 6, 1> sum = rows_of(z, row);
      for (std::size_t k = start_[row]; k < start_[row + 1]; ++k) sum -= lower_[k].lazyProduct(rows_of(z, column_[k]));
      rows_of(z, row).noalias() = inverse_[row].lazyProduct(sum);
    }
    for (std::size_t row = n; row-- > 0;) {
      const Eigen::Matrix<double, 6, 1> x = inverse_[row].transpose().lazyProduct(rows_of(z, row));
      rows_of(z, row) = x;
      for (std::size_t k = start_[row]; k < start_[row + 1]; ++k)
        rows_of(z, column_[k]) -= lower_[k].transpose().lazyProduct(x);
    }
  }
  std::size_t bytes() const { return (lower_.size() + inverse_.size()) * sizeof(Block); }

 private:
  void take_pattern(const BlockPattern& pattern) {
    pattern_ = &pattern;
    start_.assign(1, 0);
    column_.clear();
    from_.clear();
    for (std::size_t row = 0; row < pattern.rows(); ++row) {
      for (std::size_t k = pattern.row_start[row]; k < pattern.diagonal[row]; ++k) {
        column_.push_back(pattern.column[k]);
        from_.push_back(k);
      }
      start_.push_back(column_.size());
    }
    lower_.resize(column_.size());
    inverse_.resize(pattern.rows());
  }

  /// L_ik = (A_ik - sum_j L_ij L_kj^T) L_kk^-T, L_ii L_ii^T = A_ii - sum_j L_ij L_ij^T, j on the pattern of both rows.
  bool factored(const BlockMatrix& a, double raise) {
    for (std::size_t i = 0; i < inverse_.size(); ++i) {
      Block pivot = a.diagonal(i);
      pivot.diagonal() *= 1 + raise;
      for (std::size_t at = start_[i]; at < start_[i + 1]; ++at) {
        const std::uint32_t k = column_[at];
        Block rest = a.block(from_[at]);
        for (std::size_t p = start_[i], q = start_[k]; p < at && q < start_[k + 1];) {
          if (column_[p] < column_[q])
            ++p;
          else if (column_[q] < column_[p])
            ++q;
          else
            rest.noalias() -= lower_[p++].lazyProduct(lower_[q++].transpose());
        }
        lower_[at].noalias() = rest.lazyProduct(inverse_[k].transpose());
        pivot.noalias() -= lower_[at].lazyProduct(lower_[at].transpose());
      }
      const Eigen::LLT<Block> factor(pivot);
      if (factor.info() != Eigen::Success) return false;
      inverse_[i] = factor.matrixL().solve(Block::Identity());
    }
    return true;
  }

  const BlockPattern* pattern_ = nullptr;
  std::vector<std::size_t> start_, from_;
  std::vector<std::uint32_t> column_;
  std::vector<Block> lower_, inverse_;  ///< L below the diagonal; inverses of its diagonal blocks
};

}  // namespace

LinearSolver::~LinearSolver() = default;
void LinearSolver::set_centres(std::span<const Vec3>) {}

std::unique_ptr<LinearSolver> block_jacobi_cg(int max_iterations) {
  return std::make_unique<ConjugateGradients<BlockJacobi>>(max_iterations);
}
std::unique_ptr<LinearSolver> block_ic_cg(int max_iterations) {
  return std::make_unique<ConjugateGradients<BlockIncompleteCholesky>>(max_iterations);
}

}  // namespace scree::solvers
