#pragma once
/// \file Linear solvers for symmetric systems of 6 x 6 blocks behind one interface, and the rule that picks one.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/blocks/block_matrix.hpp"
#include "scree/base/types.hpp"

namespace scree::solvers {

struct SolveReport {
  bool converged = false;         ///< the tolerance was met
  bool positive_definite = true;  ///< false: a direction of no or negative curvature turned up, the answer is unusable
  int iterations = 0;             ///< 1 for a direct solver
  double residual = 0;            ///< |b - A x|/|b|, as the solver knows it
};

/// Solves A x = b for many A of one pattern.
class LinearSolver {
 public:
  virtual ~LinearSolver();
  virtual std::string_view name() const = 0;

  /// Where the body of each row is [m], for solvers that know rigid motions; the others do not listen. Before
  /// prepare(). \param centres  (rows)
  virtual void set_centres(std::span<const Vec3> centres);

  /// Takes new values: factors, or sets a preconditioner up. Symbolic work is kept as long as the pattern is the same
  /// object. \return false: A is not positive definite, which direct solvers find out here
  virtual bool prepare(const BlockMatrix& a) = 0;

  /// Takes values near those of the last prepare(): what was made then may do for these. Preconditioners that cost as
  /// much as several iterations are kept as long as they help nearly as well as when they were made.
  virtual bool refresh(const BlockMatrix& a) { return prepare(a); }

  /// \pre prepare(a) or refresh(a) returned true
  /// \param tolerance  of |b - A x|/|b|; direct solvers ignore it
  /// \param x          out; starts from 0
  virtual SolveReport solve(const BlockMatrix& a, const BlockVector& b, double tolerance, BlockVector& x) = 0;

  virtual std::size_t bytes() const = 0;  ///< held beyond the matrix
};

/// Conjugate gradients, preconditioned with the inverses of the diagonal blocks. \param max_iterations  0: 20 per row,
/// at least 1000
std::unique_ptr<LinearSolver> block_jacobi_cg(int max_iterations = 0);
/// Conjugate gradients, preconditioned with a block incomplete Cholesky factor on the pattern of A. Rows in the order
/// of space make it good. Breakdown: the diagonal is raised until it factors.
std::unique_ptr<LinearSolver> block_ic_cg(int max_iterations = 0);
/// Conjugate gradients, preconditioned with a V-cycle of smoothed aggregation whose coarse spaces hold the six rigid
/// motions. Wants set_centres(); without, it knows translations and spins but not how they go together, and is slow.
std::unique_ptr<LinearSolver> multigrid_cg(int max_iterations = 0);
/// Sparse Cholesky of Eigen, minimum-degree ordering: always there, one thread.
std::unique_ptr<LinearSolver> direct_cholesky();
/// Supernodal Cholesky of CHOLMOD with nested dissection; null where the build has none.
std::unique_ptr<LinearSolver> cholmod_cholesky();

/// What shape a body has, as far as a factorisation cares.
struct SystemShape {
  std::size_t rows = 0;
  std::size_t blocks = 0;
  std::size_t cross_section = 0;  ///< estimate of rows in a separator: the median level of a breadth-first search
};
SystemShape shape_of(const BlockPattern& pattern);

struct SolverChoice {
  std::unique_ptr<LinearSolver> solver;
  std::string reason;  ///< for the log: what was chosen, and by which numbers
};

/// Names choose_solver() takes: "auto", "block-jacobi", "block-ic", "multigrid", "direct", "cholmod".
std::vector<std::string> solver_names();

/// \param name  one of solver_names()
/// \throws std::invalid_argument  for another name, or "cholmod" where the build has none
SolverChoice choose_solver(const BlockPattern& pattern, std::string_view name = "auto");

}  // namespace scree::solvers
