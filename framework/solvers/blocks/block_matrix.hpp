#pragma once
/// \file A symmetric sparse matrix of 6 x 6 blocks, one row of blocks per free body: three coordinates of translation,
/// three of rotation. Both triangles are stored, so that a row of a product reads nothing but its own blocks and any
/// number of threads gives the same bits.

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace scree::solvers {

using Block = Eigen::Matrix<double, 6, 6>;
using BlockVector = Eigen::VectorXd;  ///< six entries per row of blocks

/// Rows of blocks from which threads are worth their start: 20 us of work.
constexpr std::ptrdiff_t kRowsFrom = 500;

/// Which blocks there are. Columns of a row ascend; every row has its diagonal.
struct BlockPattern {
  std::vector<std::size_t> row_start;  ///< (rows + 1)
  std::vector<std::uint32_t> column;   ///< (blocks)
  std::vector<std::size_t> diagonal;   ///< (rows) where the diagonal block is

  /// \param pairs  of rows that couple, in any order, repeated or not
  BlockPattern(std::size_t rows, std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs);

  std::size_t rows() const { return diagonal.size(); }
  std::size_t blocks() const { return column.size(); }
  /// \pre the block exists
  std::size_t slot(std::uint32_t row, std::uint32_t of_column) const;
};

/// Values on a pattern, which must outlive them.
class BlockMatrix {
 public:
  explicit BlockMatrix(const BlockPattern& pattern);

  const BlockPattern& pattern() const { return *pattern_; }
  std::size_t rows() const { return pattern_->rows(); }
  Block& block(std::size_t slot) { return value_[slot]; }
  const Block& block(std::size_t slot) const { return value_[slot]; }
  const Block& diagonal(std::size_t row) const { return value_[pattern_->diagonal[row]]; }
  Block& diagonal(std::size_t row) { return value_[pattern_->diagonal[row]]; }
  void set_zero();

  /// y = A x. \pre y is not x
  void multiply(const BlockVector& x, BlockVector& y) const;

 private:
  const BlockPattern* pattern_;
  std::vector<Block> value_;
};

/// Sum of f(begin, end) over pieces of [0, n) that depend on n alone, added in order: the same bits for any number of
/// threads.
double ordered_dot(const BlockVector& x, const BlockVector& y);
/// Sum in the same manner.
double ordered_sum(std::span<const double> x);

}  // namespace scree::solvers
