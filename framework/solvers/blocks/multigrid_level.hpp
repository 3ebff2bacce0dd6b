#pragma once
/// \file One level of multigrid: what a cycle does on it, in single precision, and how the matrix of the next comes
/// about, in double.
///
/// The matrix is kept as L, its blocks below the diagonal by rows, and the inverses of the diagonal blocks. A sweep
/// reads L once: the forward sweep starts from 0, so that it needs no blocks above the diagonal, and while a row of L
/// is in cache its transpose gives what the row leaves over for those above. The backward sweep is its mirror image.
///
/// Single precision is enough because only smoothing and transfers happen in it. A coarse matrix has to have rigid
/// motions as soft as they are, down to (element/body)^4: products that make it are in double.

#include <memory>

#include "solvers/blocks/block_kernels.hpp"
#include "solvers/blocks/coarsening.hpp"
#include "scree/base/types.hpp"

namespace scree::solvers {

class MultigridLevel {
 public:
  explicit MultigridLevel(const BlockPattern& pattern);

  /// Symbolic work for the next level. \return false where coarsening does not pay
  bool coarsen();
  const BlockPattern& coarse_pattern() const { return *coarsening_->pattern; }

  /// New values. \return false: a diagonal block is not positive definite
  bool take(const BlockMatrix& a);
  /// P, and A_c = P^T A P. \param centres  (rows) of bodies [m]  \return those of the aggregates
  std::vector<Vec3> prolong(const BlockMatrix& a, std::span<const Vec3> centres, double omega);
  void galerkin(const BlockMatrix& a, BlockMatrix& coarse) const;
  /// Of D^-1 A, by power iterations; from below, raised a little.
  double spectral_radius(const BlockMatrix& a) const;

  /// answer = (D + L)^-1 right, residual = right - A answer.
  void sweep_forward();
  /// answer = (D + L^T)^-1 (right - L answer). \param residual  whether to compute right - A answer
  void sweep_backward(bool residual);
  /// coarse = P^T residual.
  void restrict_to(FloatRows& coarse) const;
  /// answer += P coarse.
  void correct_from(const FloatRows& coarse);

  std::size_t rows() const { return inverse_.size(); }
  std::size_t bytes() const;

  FloatRows right, answer, residual;

 private:
  const BlockPattern* pattern_;
  std::unique_ptr<Coarsening> coarsening_;
  std::vector<std::uint32_t> start_, column_;  ///< of L
  std::vector<FloatBlock> lower_, inverse_, prolongation_;
  FloatRows before_;
};

}  // namespace scree::solvers
