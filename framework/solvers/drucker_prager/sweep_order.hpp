#pragma once
/// \file The order in which strain rows are visited.

#include <vector>

#include "solvers/drucker_prager/problem.hpp"

namespace scree::continuum {

/// Blocks of places, each one thread's; blocks of one colour share no moving node, so that their order, and what thread
/// visits them, leaves no trace in the result.
struct SweepOrder {
  std::vector<std::uint32_t> row;           ///< (rows) the strain row visited at each place
  std::vector<std::uint32_t> block_start;   ///< (blocks + 1) first place of each block
  std::vector<std::uint32_t> colour_start;  ///< (colours + 1) first block of each colour

  std::size_t blocks() const { return block_start.empty() ? 0 : block_start.size() - 1; }
  std::size_t colours() const { return colour_start.empty() ? 0 : colour_start.size() - 1; }
};

/// The caller's blocks; without them each row takes the first colour that none of its moving nodes has yet.
template <int D>
void find_order(const StrainProblem<D>& problem, SweepOrder& order);

/// Calls visit(block) for all blocks, colour by colour. To be called by all threads of a team.
template <class Visit>
void visit_blocks(const SweepOrder& order, const Visit& visit) {
  for (std::size_t c = 0; c < order.colours(); ++c) {
#pragma omp for schedule(static)
    for (std::uint32_t b = order.colour_start[c]; b < order.colour_start[c + 1]; ++b) visit(b);
  }
}

}  // namespace scree::continuum
