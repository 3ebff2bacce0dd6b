#include "scree/contacts/shares/chunk_shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree {

namespace {

/// Ranks that differ by less stay as they are: clocks are not better than that.
constexpr double kBalanced = 1.05;

/// A part changes by no more than this factor at once.
constexpr double kLargestChange = 2;

}  // namespace

ChunkShares::ChunkShares(Ranks& ranks)
    : ranks_(ranks),
      parts_(static_cast<std::size_t>(ranks.size()), 1),
      chunks_(static_cast<std::size_t>(ranks.size())),
      first_place_(static_cast<std::size_t>(ranks.size()) + 1, 0) {}

/// A chunk goes to the rank that the middle of its pairs falls to, counted along the curve.
void ChunkShares::deal(std::span<const PairChunk> chunks, std::size_t places) {
  const std::size_t ranks = parts_.size();
  double total = 0;
  for (const PairChunk& chunk : chunks) total += static_cast<double>(chunk.pairs.size());
  std::vector<std::uint32_t> order(chunks.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t c) { return chunks[c].place; });

  rank_of_.assign(chunks.size(), 0);
  for (auto& of_rank : chunks_) of_rank.clear();
  first_place_.assign(ranks + 1, static_cast<std::uint32_t>(places));
  first_place_[0] = 0;
  const double pairs_of_part = total / std::accumulate(parts_.begin(), parts_.end(), 0.0);
  double before = 0, end_of_rank = parts_[0] * pairs_of_part;
  std::uint32_t rank = 0;
  for (const std::uint32_t c : order) {
    const auto pairs = static_cast<double>(chunks[c].pairs.size());
    while (rank + 1 < ranks && before + pairs / 2 >= end_of_rank) {
      end_of_rank += parts_[++rank] * pairs_of_part;
      first_place_[rank] = chunks[c].place;
    }
    rank_of_[c] = rank;
    before += pairs;
  }
  for (std::uint32_t c = 0; c < chunks.size(); ++c) chunks_[rank_of_[c]].push_back(c);
}

std::vector<std::uint32_t> ChunkShares::ranks_of_slots(std::span<const PairChunk> chunks) const {
  std::vector<std::uint32_t> ranks;
  for (std::size_t c = 0; c < chunks.size(); ++c) ranks.insert(ranks.end(), chunks[c].rows.size(), rank_of_[c]);
  return ranks;
}

/// Half of the way, as a logarithm, to where all would have taken as long. Near blocks are not the same as those that a
/// rank has, and the next steps not the same as the last.
bool ChunkShares::balance(std::span<const double> seconds) {
  const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
  if (!(mean > 0) || !(std::ranges::max(seconds) > kBalanced * mean)) return false;
  for (std::size_t r = 0; r < parts_.size(); ++r) {
    const double faster = seconds[r] > 0 ? mean / seconds[r] : kLargestChange * kLargestChange;
    parts_[r] *= std::clamp(std::sqrt(faster), 1 / kLargestChange, kLargestChange);
  }
  // Parts stay near 1, and nobody's so small that one chunk more would not be noticed.
  const double unit = std::accumulate(parts_.begin(), parts_.end(), 0.0) / static_cast<double>(parts_.size());
  for (double& part : parts_) part = std::max(part / unit, 1e-3);
  return true;
}

}  // namespace scree
