// Smoothed aggregation on 6 x 6 blocks. Each aggregate of bodies becomes one coarse body with six coordinates, so that
// every level is a matrix of 6 x 6 blocks.
//
// Source: Vanek, Mandel, Brezina, Algebraic multigrid by smoothed aggregation, Computing 56 (1996) 179; the rigid
// motions as near-nullspace are theirs, too.

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <limits>

#include "linear/direct.hpp"
#include "linear/preconditioned.hpp"
#include "scree/base/parallel.hpp"

namespace scree::bonded {

namespace {

constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
/// Rows from which a level is worth another.
constexpr std::size_t kCoarsest = 150;
constexpr std::ptrdiff_t kRowsFrom = 200;

/// Blocks by row: prolongations, and products on the way to a coarse matrix.
struct BlockRows {
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<Block> block;

  std::size_t rows() const { return start.size() - 1; }
};

/// Which aggregate each row belongs to. Neighbourhoods that are wholly free first, then what touches them, then the
/// rest.
std::vector<std::uint32_t> aggregates_of(const BlockPattern& p, std::uint32_t& count) {
  std::vector<std::uint32_t> of(p.rows(), kFree);
  count = 0;
  const auto neighbours = [&](std::size_t row) {
    return std::span(p.column).subspan(p.row_start[row], p.row_start[row + 1] - p.row_start[row]);
  };
  for (std::size_t row = 0; row < p.rows(); ++row) {
    const auto near = neighbours(row);
    if (!std::all_of(near.begin(), near.end(), [&](std::uint32_t j) { return of[j] == kFree; })) continue;
    for (const std::uint32_t j : near) of[j] = count;
    ++count;
  }
  const std::vector<std::uint32_t> first = of;
  for (std::size_t row = 0; row < p.rows(); ++row) {
    if (of[row] != kFree) continue;
    for (const std::uint32_t j : neighbours(row))
      if (first[j] != kFree) of[row] = first[j];
  }
  for (std::size_t row = 0; row < p.rows(); ++row) {
    if (of[row] != kFree) continue;
    for (const std::uint32_t j : neighbours(row))
      if (of[j] == kFree) of[j] = count;
    ++count;
  }
  return of;
}

/// One level of the hierarchy and the way to the next.
class Level {
 public:
  /// The finest level refers to the matrix that is solved for; the others own theirs.
  void take(const BlockMatrix& a) { a_ = &a; }
  void own(std::unique_ptr<BlockPattern> pattern) {
    pattern_ = std::move(pattern);
    matrix_ = std::make_unique<BlockMatrix>(*pattern_);
    a_ = matrix_.get();
  }
  const BlockMatrix& matrix() const { return *a_; }
  BlockMatrix& owned() { return *matrix_; }
  std::size_t rows() const { return a_->rows(); }

  bool invert_diagonal() {
    inverse_.resize(rows());
    for (std::size_t row = 0; row < rows(); ++row) {
      const Eigen::LLT<Block> factor(a_->diagonal(row));
      if (factor.info() != Eigen::Success) return false;
      inverse_[row] = factor.solve(Block::Identity());
    }
    return true;
  }

  /// Tentative prolongation: rows of the near-nullspace, orthonormal per aggregate. \return that of the coarse level
  std::vector<Block> aggregate(const std::vector<Block>& modes) {
    of_ = aggregates_of(a_->pattern(), coarse_);
    std::vector<std::vector<std::uint32_t>> members(coarse_);
    for (std::uint32_t row = 0; row < of_.size(); ++row) members[of_[row]].push_back(row);
    tentative_.resize(rows());
    std::vector<Block> coarse(coarse_);
    for (std::uint32_t g = 0; g < coarse_; ++g) {
      const auto n = static_cast<Eigen::Index>(members[g].size());
      Eigen::Matrix<double, Eigen::Dynamic, 6> stack(6 * n, 6);
      for (Eigen::Index k = 0; k < n; ++k) stack.middleRows<6>(6 * k) = modes[members[g][static_cast<std::size_t>(k)]];
      const Eigen::HouseholderQR<Eigen::Matrix<double, Eigen::Dynamic, 6>> qr(stack);
      const Eigen::Matrix<double, Eigen::Dynamic, 6> q = qr.householderQ() * Eigen::MatrixXd::Identity(6 * n, 6);
      for (Eigen::Index k = 0; k < n; ++k) tentative_[members[g][static_cast<std::size_t>(k)]] = q.middleRows<6>(6 * k);
      coarse[g] = qr.matrixQR().topRows<6>().triangularView<Eigen::Upper>();
    }
    return coarse;
  }

  /// P = (I - w D^-1 A) P_0 with w = 4/(3 rho(D^-1 A)).
  void smooth_prolongation() {
    const double omega = 4 / (3 * spectral_radius());
    const BlockPattern& p = a_->pattern();
    prolongation_ = {};
    std::vector<std::size_t> slot(coarse_, std::numeric_limits<std::size_t>::max());
    for (std::size_t row = 0; row < rows(); ++row) {
      const std::size_t begin = prolongation_.column.size();
      const auto at = [&](std::uint32_t g) -> Block& {
        if (slot[g] == std::numeric_limits<std::size_t>::max() || slot[g] < begin) {
          slot[g] = prolongation_.column.size();
          prolongation_.column.push_back(g);
          prolongation_.block.push_back(Block::Zero());
        }
        return prolongation_.block[slot[g]];
      };
      at(of_[row]) += tentative_[row];
      const Block scaled = omega * inverse_[row];
      for (std::size_t k = p.row_start[row]; k < p.row_start[row + 1]; ++k) {
        const Block d = scaled.lazyProduct(a_->block(k));
        at(of_[p.column[k]]).noalias() -= d.lazyProduct(tentative_[p.column[k]]);
      }
      prolongation_.start.push_back(prolongation_.column.size());
    }
  }

  /// A_c = P^T A P.
  void galerkin(Level& coarse) const {
    const BlockPattern& p = a_->pattern();
    // A P, row by row; with it every pair of coarse bodies that couples.
    BlockRows ap;
    std::vector<std::size_t> slot(coarse_, std::numeric_limits<std::size_t>::max());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::size_t row = 0; row < rows(); ++row) {
      const std::size_t begin = ap.column.size();
      for (std::size_t k = p.row_start[row]; k < p.row_start[row + 1]; ++k)
        for (std::size_t q = prolongation_.start[p.column[k]]; q < prolongation_.start[p.column[k] + 1]; ++q) {
          const std::uint32_t g = prolongation_.column[q];
          if (slot[g] == std::numeric_limits<std::size_t>::max() || slot[g] < begin) {
            slot[g] = ap.column.size();
            ap.column.push_back(g);
            ap.block.push_back(Block::Zero());
          }
          ap.block[slot[g]].noalias() += a_->block(k).lazyProduct(prolongation_.block[q]);
        }
      ap.start.push_back(ap.column.size());
      for (std::size_t q = prolongation_.start[row]; q < prolongation_.start[row + 1]; ++q)
        for (std::size_t k = begin; k < ap.column.size(); ++k)
          if (prolongation_.column[q] < ap.column[k]) pairs.emplace_back(prolongation_.column[q], ap.column[k]);
      if (pairs.size() > 4000000) {
        std::sort(pairs.begin(), pairs.end());
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
      }
    }
    coarse.own(std::make_unique<BlockPattern>(coarse_, std::move(pairs)));
    for (std::size_t row = 0; row < rows(); ++row)
      for (std::size_t q = prolongation_.start[row]; q < prolongation_.start[row + 1]; ++q)
        for (std::size_t k = ap.start[row]; k < ap.start[row + 1]; ++k)
          coarse.owned().block(coarse.owned().pattern().slot(prolongation_.column[q], ap.column[k])).noalias() +=
              prolongation_.block[q].transpose().lazyProduct(ap.block[k]);
  }

  /// One sweep of block Gauss-Seidel, forward or backward.
  void sweep(const BlockVector& b, BlockVector& x, bool forward) const {
    const BlockPattern& p = a_->pattern();
    const std::size_t n = rows();
    for (std::size_t step = 0; step < n; ++step) {
      const std::size_t row = forward ? step : n - 1 - step;
      Eigen::Matrix<double, 6, 1> rest = rows_of(b, row);
      for (std::size_t k = p.row_start[row]; k < p.row_start[row + 1]; ++k)
        if (p.column[k] != row) rest -= a_->block(k).lazyProduct(rows_of(x, p.column[k]));
      rows_of(x, row).noalias() = inverse_[row].lazyProduct(rest);
    }
  }

  /// b_c = P^T (b - A x).
  void restrict_residual(const BlockVector& b, const BlockVector& x, BlockVector& coarse) {
    a_->multiply(x, ax_);
    coarse.setZero(6 * static_cast<Eigen::Index>(coarse_));
    for (std::size_t row = 0; row < rows(); ++row) {
      const Eigen::Matrix<double, 6, 1> r = rows_of(b, row) - rows_of(ax_, row);
      for (std::size_t q = prolongation_.start[row]; q < prolongation_.start[row + 1]; ++q)
        rows_of(coarse, prolongation_.column[q]) += prolongation_.block[q].transpose().lazyProduct(r);
    }
  }
  void add_correction(const BlockVector& coarse, BlockVector& x) const {
    parallel_for(
        static_cast<std::ptrdiff_t>(rows()),
        [&](std::ptrdiff_t r) {
          const auto row = static_cast<std::size_t>(r);
          for (std::size_t q = prolongation_.start[row]; q < prolongation_.start[row + 1]; ++q)
            rows_of(x, row) += prolongation_.block[q].lazyProduct(rows_of(coarse, prolongation_.column[q]));
        },
        kRowsFrom);
  }

  std::size_t bytes() const {
    const std::size_t own = matrix_ ? matrix_->pattern().blocks() : 0;
    return (own + inverse_.size() + tentative_.size() + prolongation_.block.size()) * sizeof(Block);
  }

  BlockVector right, answer;  ///< of this level, during a cycle

 private:
  /// Of D^-1 A, by a fixed number of power iterations, raised as they come from below.
  double spectral_radius() {
    BlockVector v(6 * static_cast<Eigen::Index>(rows())), av;
    for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = 1 + 0.5 * std::sin(1.7 * static_cast<double>(k));
    double radius = 1;
    for (int k = 0; k < 12; ++k) {
      const double size = std::sqrt(ordered_dot(v, v));
      a_->multiply(v, av);
      for (std::size_t row = 0; row < rows(); ++row)
        rows_of(v, row) = inverse_[row].lazyProduct(rows_of(av, row)).eval();
      radius = std::sqrt(ordered_dot(v, v)) / size;
      v /= radius * size;
    }
    return 1.1 * radius;
  }

  const BlockMatrix* a_ = nullptr;
  std::unique_ptr<BlockPattern> pattern_;
  std::unique_ptr<BlockMatrix> matrix_;
  std::vector<Block> inverse_, tentative_;
  std::vector<std::uint32_t> of_;
  std::uint32_t coarse_ = 0;
  BlockRows prolongation_;
  BlockVector ax_;
};

/// Translation and rotation about `origin` as the body at `centre` sees them.
Block rigid_modes(const Vec3& arm) {
  Block m = Block::Identity();
  m.topRightCorner<3, 3>() << 0, arm.z(), -arm.y(), -arm.z(), 0, arm.x(), arm.y(), -arm.x(), 0;
  return m;
}

/// z = V-cycle(r): one sweep forward before, one backward after, so that it is symmetric.
class Multigrid {
 public:
  static constexpr std::string_view kName = "multigrid";

  void set_centres(std::span<const Vec3> centres) { centres_.assign(centres.begin(), centres.end()); }

  bool prepare(const BlockMatrix& a) {
    level_.clear();
    level_.emplace_back().take(a);
    std::vector<Block> modes(a.rows());
    for (std::size_t row = 0; row < modes.size(); ++row)
      modes[row] = rigid_modes(row < centres_.size() ? Vec3(centres_[row] - centres_[0]) : Vec3(Vec3::Zero()));
    while (level_.back().rows() > kCoarsest) {
      Level& fine = level_.back();
      if (!fine.invert_diagonal()) return false;
      modes = fine.aggregate(modes);
      if (modes.size() > 0.9 * static_cast<double>(fine.rows())) break;  // nothing couples: no coarser level helps
      fine.smooth_prolongation();
      Level coarse;
      fine.galerkin(coarse);
      level_.push_back(std::move(coarse));
    }
    coarsest_ = direct_cholesky();
    return coarsest_->prepare(level_.back().matrix());
  }

  void apply(const BlockVector& r, BlockVector& z) {
    level_[0].right = r;
    cycle(0);
    z = level_[0].answer;
  }
  std::size_t bytes() const {
    std::size_t sum = coarsest_ ? coarsest_->bytes() : 0;
    for (const Level& level : level_) sum += level.bytes();
    return sum;
  }

 private:
  void cycle(std::size_t depth) {
    Level& level = level_[depth];
    if (depth + 1 == level_.size()) {
      coarsest_->solve(level.matrix(), level.right, 0, level.answer);
      return;
    }
    level.answer.setZero(level.right.size());
    level.sweep(level.right, level.answer, true);
    level.restrict_residual(level.right, level.answer, level_[depth + 1].right);
    cycle(depth + 1);
    level.add_correction(level_[depth + 1].answer, level.answer);
    level.sweep(level.right, level.answer, false);
  }

  std::vector<Vec3> centres_;
  std::vector<Level> level_;
  std::unique_ptr<LinearSolver> coarsest_;
};

}  // namespace

std::unique_ptr<LinearSolver> multigrid_cg(int max_iterations) {
  return std::make_unique<ConjugateGradients<Multigrid>>(max_iterations);
}

}  // namespace scree::bonded
