// Smoothed aggregation on 6 x 6 blocks. Each aggregate of bodies becomes one coarse body with six coordinates, those of
// a rigid motion about its centre, so that every level is a matrix of 6 x 6 blocks of bodies at centres.
//
// Source: Vanek, Mandel, Brezina, Algebraic multigrid by smoothed aggregation, Computing 56 (1996) 179; the rigid
// motions as near-nullspace are theirs, too. They orthonormalise the near-nullspace in each aggregate; the choice of
// coordinates within a block changes nothing for block smoothers.

#include "solvers/blocks/direct.hpp"
#include "solvers/blocks/multigrid_level.hpp"
#include "solvers/blocks/preconditioned.hpp"

namespace scree::solvers {

namespace {

/// Rows from which a level is worth another.
constexpr std::size_t kCoarsest = 150;
/// On the finest level rho(D^-1 A) <= 2: a bond joins two bodies, and is positive semidefinite where a solver has to
/// work.
constexpr double kFinestRadius = 2;

/// z = W-cycle(r): one sweep forward before, one backward after, so that it is symmetric.
class Multigrid {
 public:
  static constexpr std::string_view kName = "multigrid";
  static constexpr bool kLasts = true;

  void set_centres(std::span<const Vec3> centres) { centres_.assign(centres.begin(), centres.end()); }

  bool prepare(const BlockMatrix& a) {
    if (pattern_ != &a.pattern()) take_pattern(a.pattern());
    std::vector<Vec3> centres = std::move(centres_);
    centres.resize(a.rows(), Vec3::Zero());
    centres_.clear();
    const BlockMatrix* matrix = &a;
    for (std::size_t depth = 0; depth < level_.size(); ++depth) {
      MultigridLevel& level = *level_[depth];
      if (!level.take(*matrix)) return false;
      const double radius = depth == 0 ? kFinestRadius : level.spectral_radius(*matrix);
      centres = level.prolong(*matrix, centres, 4 / (3 * radius));
      level.galerkin(*matrix, *matrix_[depth]);
      matrix = matrix_[depth].get();
    }
    coarsest_matrix_ = matrix;
    coarsest_rows_.resize(matrix->rows());
    coarsest_right_.resize(6 * static_cast<Eigen::Index>(matrix->rows()));
    return coarsest_->prepare(*matrix);
  }

  void apply(const BlockVector& r, BlockVector& z) {
    if (level_.empty()) {
      coarsest_->solve(*coarsest_matrix_, r, 0, z);
      return;
    }
    to_rows(r, level_[0]->right);
    cycle(0, false);
    z.resize(r.size());
    from_rows(level_[0]->answer, z);
  }
  std::size_t bytes() const {
    std::size_t sum = coarsest_ ? coarsest_->bytes() : 0;
    for (const auto& level : level_) sum += level->bytes();
    for (const auto& matrix : matrix_) sum += matrix->pattern().blocks() * sizeof(Block);
    return sum;
  }

 private:
  void take_pattern(const BlockPattern& finest) {
    pattern_ = &finest;
    level_.clear();
    matrix_.clear();
    coarsest_ = direct_cholesky();
    for (const BlockPattern* pattern = &finest; pattern->rows() > kCoarsest;) {
      auto level = std::make_unique<MultigridLevel>(*pattern);
      if (!level->coarsen()) break;  // nothing couples: no coarser level helps
      pattern = &level->coarse_pattern();
      matrix_.push_back(std::make_unique<BlockMatrix>(*pattern));
      level_.push_back(std::move(level));
    }
  }

  static void to_rows(const BlockVector& from, FloatRows& to) {
    for (std::size_t row = 0; row < to.size(); ++row) {
      const double* v = from.data() + 6 * row;
      to[row] = Eight<float>{static_cast<float>(v[0]),
                             static_cast<float>(v[1]),
                             static_cast<float>(v[2]),
                             static_cast<float>(v[3]),
                             static_cast<float>(v[4]),
                             static_cast<float>(v[5]),
                             0,
                             0};
    }
  }
  static void from_rows(const FloatRows& from, BlockVector& to) {
    for (std::size_t row = 0; row < from.size(); ++row)
      for (int k = 0; k < 6; ++k) to[6 * static_cast<Eigen::Index>(row) + k] = static_cast<double>(from[row][k]);
  }

  /// answer of the level at `depth` from its right side. \param residual  whether that is wanted too
  void cycle(std::size_t depth, bool residual) {
    MultigridLevel& level = *level_[depth];
    level.sweep_forward();
    if (depth + 1 < level_.size()) {
      // Twice: each coarse level costs a fifth of the one above, and what one visit leaves of long waves costs more.
      MultigridLevel& coarse = *level_[depth + 1];
      level.restrict_to(coarse.right);
      cycle(depth + 1, true);
      level.correct_from(coarse.answer);
      coarse.right.swap(coarse.residual);
      cycle(depth + 1, false);
      level.correct_from(coarse.answer);
    } else {
      level.restrict_to(coarsest_rows_);
      from_rows(coarsest_rows_, coarsest_right_);
      coarsest_->solve(*coarsest_matrix_, coarsest_right_, 0, coarsest_answer_);
      to_rows(coarsest_answer_, coarsest_rows_);
      level.correct_from(coarsest_rows_);
    }
    level.sweep_backward(residual);
  }

  const BlockPattern* pattern_ = nullptr;
  std::vector<Vec3> centres_;
  std::vector<std::unique_ptr<MultigridLevel>> level_;
  std::vector<std::unique_ptr<BlockMatrix>> matrix_;  ///< of the level after each
  std::unique_ptr<LinearSolver> coarsest_;
  const BlockMatrix* coarsest_matrix_ = nullptr;
  FloatRows coarsest_rows_;
  BlockVector coarsest_right_, coarsest_answer_;
};

}  // namespace

std::unique_ptr<LinearSolver> multigrid_cg(int max_iterations) {
  return std::make_unique<ConjugateGradients<Multigrid>>(max_iterations);
}

}  // namespace scree::solvers
