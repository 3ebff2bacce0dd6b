#include "solvers/drucker_prager/sweep_order.hpp"

#include <algorithm>
#include <numeric>

namespace scree::continuum {
namespace {

/// Rows of one colour make blocks of this size: small enough for threads to share them evenly.
constexpr std::uint32_t kBlock = 16;

/// Bits per node: the colours of the rows that meet it.
class NodeColours {
 public:
  explicit NodeColours(std::size_t nodes) : nodes_(nodes), taken_(nodes, 0) {}

  /// \return the first colour that none of these nodes has, which is theirs from now on
  std::uint32_t take(std::span<const std::uint32_t> nodes) {
    for (std::size_t w = 0;; ++w) {
      if (w == words_) add_word();
      std::uint64_t used = 0;
      for (const std::uint32_t i : nodes) used |= taken_[w * nodes_ + i];
      if (~used == 0) continue;
      const int bit = __builtin_ctzll(~used);
      for (const std::uint32_t i : nodes) taken_[w * nodes_ + i] |= std::uint64_t{1} << bit;
      return static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(bit));
    }
  }

 private:
  void add_word() {
    ++words_;
    taken_.resize(words_ * nodes_, 0);
  }

  std::size_t nodes_, words_ = 1;
  std::vector<std::uint64_t> taken_;
};

template <int D>
std::vector<std::uint32_t> colours_of(const StrainProblem<D>& problem) {
  NodeColours taken(problem.velocity.size());
  std::vector<std::uint32_t> colour;
  colour.reserve(problem.strain.size());
  for (const StrainRow<D>& row : problem.strain) {
    std::uint32_t nodes[kNeighbours<D>];
    std::size_t count = 0;
    for (const std::uint32_t i : row.node) {
      if (i != kNoNode && !problem.inverse_mass[i].isZero(0)) nodes[count++] = i;
    }
    colour.push_back(taken.take({nodes, count}));
  }
  return colour;
}

/// Counting sort of rows by colour, as they come within one; blocks of equal size.
void sort_by_colour(const std::vector<std::uint32_t>& colour, SweepOrder& order) {
  const std::size_t colours = colour.empty() ? 0 : 1 + *std::max_element(colour.begin(), colour.end());
  std::vector<std::uint32_t> start(colours + 1, 0);
  for (const std::uint32_t c : colour) ++start[c + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  order.block_start = {0};
  order.colour_start = {0};
  for (std::size_t c = 0; c < colours; ++c) {
    for (std::uint32_t end = start[c]; end < start[c + 1];) {
      end = std::min(end + kBlock, start[c + 1]);
      order.block_start.push_back(end);
    }
    order.colour_start.push_back(static_cast<std::uint32_t>(order.blocks()));
  }
  order.row.resize(colour.size());
  for (std::uint32_t j = 0; j < colour.size(); ++j) order.row[start[colour[j]]++] = j;
}

}  // namespace

template <int D>
void find_order(const StrainProblem<D>& problem, SweepOrder& order) {
  if (problem.blocks.empty()) return sort_by_colour(colours_of(problem), order);
  const auto& [blocks, colours] = problem.blocks;
  order.block_start.assign(blocks.begin(), blocks.end());
  order.colour_start.assign(colours.begin(), colours.end());
  order.row.resize(problem.strain.size());
  std::iota(order.row.begin(), order.row.end(), 0u);
}

template void find_order(const StrainProblem<2>&, SweepOrder&);
template void find_order(const StrainProblem<3>&, SweepOrder&);

}  // namespace scree::continuum
