#pragma once
/// \file Which bodies of a level of multigrid become one of the next, and everything about that step that depends on
/// the pattern of the matrix alone: it is kept as long as the pattern is.

#include <memory>

#include "solvers/blocks/block_matrix.hpp"

namespace scree::solvers {

/// Aggregates of rows. Neighbourhoods that are wholly free first; then what touches them, each to the smallest it
/// touches that has room; then what is left, with its neighbours.
/// \param count  out: how many
/// \return (rows) the aggregate of each row
std::vector<std::uint32_t> aggregates_of(const BlockPattern& pattern, std::uint32_t& count);

/// From a fine level to a coarse one: P = (I - w D^-1 A) P_0, A_c = P^T A P.
struct Coarsening {
  std::uint32_t coarse = 0;              ///< how many aggregates; filled by what comes next
  std::vector<std::uint32_t> aggregate;  ///< (rows) in P_0

  /// Pattern of P: row r has the aggregates of its neighbours, its own first.
  std::vector<std::uint32_t> start, column;
  /// (blocks of A) where in its row of P the aggregate of the block's column is.
  std::vector<std::uint32_t> entry;

  /// Row r of A P has the coarse columns ap_column[ap_start[r]..ap_start[r + 1]).
  std::vector<std::uint32_t> ap_start, ap_column;
  /// For each block k of A, for each entry of the row of P of its column: which of the row of A P it adds to.
  std::vector<std::uint32_t> ap_entry;
  std::size_t longest = 0;  ///< row of A P

  std::unique_ptr<BlockPattern> pattern;  ///< of A_c
  /// For each row, each entry g of its row of P and h of its row of A P with h <= g: the block (g, h) of A_c.
  std::vector<std::uint32_t> slot;
  /// For each block of A_c above the diagonal its mirror image.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> mirrored;

  explicit Coarsening(const BlockPattern& fine);
  std::size_t bytes() const;
};

}  // namespace scree::solvers
