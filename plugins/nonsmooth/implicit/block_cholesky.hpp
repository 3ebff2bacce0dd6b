#pragma once
/// \file Cholesky's factorisation of the systems of fragments, and entries of their inverses. Rows are eliminated in
/// the reversed order of a search breadth first: in trees nothing fills in, rings and solids fill as far as a band.

#include <array>

#include "solvers/blocks/block_matrix.hpp"
#include "scree/base/wide.hpp"

namespace scree::nonsmooth {

/// In which order the rows of a fragment are eliminated, and what that couples. By number of elimination, which begins
/// with the last row.
struct Elimination {
  static constexpr std::size_t kFill = ~std::size_t{0};

  std::vector<std::uint32_t> rows;    ///< rows of the system; elimination ends with the first
  std::vector<std::size_t> start;     ///< (size + 1), into `column`
  std::vector<std::uint32_t> column;  ///< numbers of elimination that come later, ascending
  std::vector<std::size_t> source;    ///< source of each block: block of the matrix, or kFill

  Elimination(const solvers::BlockPattern& pattern, std::span<const std::uint32_t> rows);
  /// Checks whether two fragments take the same steps.
  bool like(const Elimination& other) const;
};

/// One fragment (Real is double), or four that are alike (Wide), lane by lane.
template <class Real>
class BlockCholesky {
 public:
  static constexpr std::size_t kLanes = sizeof(Real) / sizeof(double);

  /// \param of  elimination of each lane, all alike
  explicit BlockCholesky(const std::array<Elimination, kLanes>& of);

  std::size_t size() const { return size_; }
  /// \param added  to the diagonal blocks, by row of the system, or empty
  /// \return flags by lane; false: not positive definite, and there are no factors
  std::array<bool, kLanes> factor(const solvers::BlockMatrix& a, std::span<const solvers::Block> added = {});
  /// Solves the rows of these fragments; others are left alone. \param x  in: the right side; out: the solution
  void solve(solvers::BlockVector& x) const;
  /// Diagonal blocks of the inverse. \param out  by row of the system; those of other fragments are left alone
  void diagonal_of_inverse(std::span<solvers::Block> out) const;
  /// Blocks of the inverse of one lane. \param places  where the rows are in Elimination::rows
  /// \param out  (places^2), row by row
  void inverse(std::size_t lane, std::span<const std::uint32_t> places, std::span<solvers::Block> out) const;

 private:
  using RealBlock = Eigen::Matrix<Real, 6, 6>;

  std::size_t slot(std::size_t k, std::uint32_t column) const;
  /// Returns a value of a row, by lane.
  template <class Of>
  auto of_lanes(std::size_t k, const Of& of) const;

  std::array<Elimination, kLanes> of_;
  std::size_t size_;
  std::vector<RealBlock> diagonal_, off_;  ///< inverses of the pivots D; F = D^-1 U
};

extern template class BlockCholesky<double>;
extern template class BlockCholesky<Wide>;

}  // namespace scree::nonsmooth
