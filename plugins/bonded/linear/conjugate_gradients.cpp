#include <Eigen/Cholesky>
#include <cmath>

#include "linear/solver.hpp"
#include "scree/base/parallel.hpp"

namespace scree::bonded {

namespace {

constexpr std::ptrdiff_t kRowsFrom = 500;

auto rows_of(BlockVector& x, std::size_t row) { return x.segment<6>(6 * static_cast<Eigen::Index>(row)); }
auto rows_of(const BlockVector& x, std::size_t row) { return x.segment<6>(6 * static_cast<Eigen::Index>(row)); }

/// z = M^-1 r for M the diagonal blocks.
class BlockJacobi {
 public:
  static constexpr std::string_view kName = "block-jacobi";

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
class BlockIncompleteCholesky {
 public:
  static constexpr std::string_view kName = "block-ic";

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

/// Preconditioned conjugate gradients. Stops at the first direction of non-positive curvature.
template <class Preconditioner>
class ConjugateGradients final : public LinearSolver {
 public:
  explicit ConjugateGradients(int max_iterations) : max_iterations_(max_iterations) {}

  std::string_view name() const override { return Preconditioner::kName; }
  bool prepare(const BlockMatrix& a) override { return preconditioner_.prepare(a); }
  std::size_t bytes() const override {
    return preconditioner_.bytes() + 4 * static_cast<std::size_t>(r_.size()) * sizeof(double);
  }

  SolveReport solve(const BlockMatrix& a, const BlockVector& b, double tolerance, BlockVector& x) override {
    SolveReport report;
    x.setZero(b.size());
    r_ = b;
    const double size = std::sqrt(ordered_dot(b, b));
    if (size == 0) return report.converged = true, report;
    preconditioner_.apply(r_, z_);
    p_ = z_;
    double rz = ordered_dot(r_, z_);
    const int limit = max_iterations_ > 0 ? max_iterations_ : std::max(1000, 20 * static_cast<int>(a.rows()));
    for (report.residual = 1; report.iterations < limit; ++report.iterations) {
      a.multiply(p_, ap_);
      const double curvature = ordered_dot(p_, ap_);
      if (!(curvature > 0)) return report.positive_definite = false, report;
      const double alpha = rz / curvature;
      x += alpha * p_;
      r_ -= alpha * ap_;
      report.residual = std::sqrt(ordered_dot(r_, r_)) / size;
      if (report.residual <= tolerance) return report.converged = true, ++report.iterations, report;
      preconditioner_.apply(r_, z_);
      const double next = ordered_dot(r_, z_);
      p_ = z_ + (next / rz) * p_;
      rz = next;
    }
    return report;
  }

 private:
  int max_iterations_;
  Preconditioner preconditioner_;
  BlockVector r_, z_, p_, ap_;
};

}  // namespace

LinearSolver::~LinearSolver() = default;

std::unique_ptr<LinearSolver> block_jacobi_cg(int max_iterations) {
  return std::make_unique<ConjugateGradients<BlockJacobi>>(max_iterations);
}
std::unique_ptr<LinearSolver> block_ic_cg(int max_iterations) {
  return std::make_unique<ConjugateGradients<BlockIncompleteCholesky>>(max_iterations);
}

}  // namespace scree::bonded
