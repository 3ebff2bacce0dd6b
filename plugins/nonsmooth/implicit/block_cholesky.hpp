#pragma once
/// \file Cholesky's factorisation of the system of one fragment, and entries of its inverse. Rows are eliminated in the
/// reversed order of a search breadth first: in trees nothing fills in, rings and solids fill as far as a band.

#include "linear/block_matrix.hpp"

namespace scree::nonsmooth {

class BlockCholesky {
 public:
  /// \param rows  of the system, in the order that elimination ends with the first
  BlockCholesky(const bonded::BlockPattern& pattern, std::span<const std::uint32_t> rows);

  std::size_t size() const { return rows_.size(); }
  std::span<const std::uint32_t> rows() const { return rows_; }
  /// \param added  to the diagonal blocks, by row of the system, or empty
  /// \return false: not positive definite, and there are no factors
  bool factor(const bonded::BlockMatrix& a, std::span<const bonded::Block> added = {});
  /// Of the rows of this fragment; others are left alone. \param x  in: the right side; out: the solution
  void solve(bonded::BlockVector& x) const;
  /// Blocks of the inverse. \param places  where the rows are in rows()  \param out  (places^2), row by row
  void inverse(std::span<const std::uint32_t> places, std::span<bonded::Block> out) const;
  /// Diagonal blocks of the inverse. \param out  by row of the system; those of other fragments are left alone
  void diagonal_of_inverse(std::span<bonded::Block> out) const;
  /// Doubles of the factors.
  std::size_t entries() const { return 36 * (diagonal_.size() + off_.size()); }

 private:
  std::span<const std::uint32_t> later(std::size_t k) const {
    return std::span(column_).subspan(start_[k], start_[k + 1] - start_[k]);
  }
  std::size_t slot(std::size_t k, std::uint32_t column) const;

  std::vector<std::uint32_t> rows_;            ///< by place
  std::vector<std::size_t> start_;             ///< by number of elimination, (size + 1)
  std::vector<std::uint32_t> column_;          ///< numbers of elimination that come later, ascending
  std::vector<std::size_t> source_;            ///< of each: block of the matrix, or kFill
  std::vector<bonded::Block> diagonal_, off_;  ///< inverses of the pivots D; F = D^-1 U
};

}  // namespace scree::nonsmooth
