#include "scree/contacts/shares/body_shares.hpp"

namespace scree {

void BodyShares::reset(const PairLists& lists, const ChunkShares& shares) {
  const std::span<const PairChunk> chunks = lists.chunks();
  const auto ranks = static_cast<std::size_t>(shares.ranks().size());
  const std::vector<std::uint32_t> rank_of_slot = shares.ranks_of_slots(chunks);
  const auto rank_of = [&](std::uint32_t slot) { return static_cast<std::size_t>(rank_of_slot[slot]); };
  /// Calls each(rank, first, count) for what is sent of a row.
  const auto over_runs = [&](std::size_t row, const auto& each) {
    const std::span<const std::uint32_t> slots = lists.slots_of(row);
    for (std::size_t k = 0, count; k < slots.size(); k += count) {
      const std::size_t rank = rank_of(slots[k]);
      count = 1;
      while (k == 0 && count < slots.size() && rank_of(slots[count]) == rank) ++count;
      each(rank, slots.data() + k, static_cast<std::uint32_t>(count));
    }
  };
  const std::size_t rows = lists.ids().size();
  std::vector<std::size_t> counts(ranks, 0);
  start_.assign(rows + 1, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    start_[row + 1] = start_[row];
    over_runs(row, [&](std::size_t rank, const std::uint32_t*, std::uint32_t) { ++counts[rank], ++start_[row + 1]; });
  }
  std::vector<std::uint32_t> next(ranks, 0);
  for (std::size_t r = 1; r < ranks; ++r) next[r] = next[r - 1] + static_cast<std::uint32_t>(counts[r - 1]);
  share_of_.clear();
  own_.clear();
  for (std::size_t row = 0; row < rows; ++row)
    over_runs(row, [&](std::size_t rank, const std::uint32_t* first, std::uint32_t count) {
      share_of_.push_back(next[rank]++);
      if (rank == static_cast<std::size_t>(shares.ranks().rank())) own_.push_back({first, count, share_of_.back()});
    });
  shares_.resize(share_of_.size());
  sizes_.clear();
  for (const std::size_t count : counts) sizes_.push_back(count * sizeof(Share));
}

void BodyShares::sum_own(std::size_t k, std::span<const WrenchSlot> slots) {
  const Run& run = own_[k];
  Share sum{};
  for (std::uint32_t s = 0; s < run.count; ++s) {
    const WrenchSlot& slot = slots[run.first[s]];
    for (int axis = 0; axis < 3; ++axis) {
      sum.force[axis] += slot.force[axis];
      sum.torque[axis] += slot.torque[axis];
    }
  }
  shares_[run.share] = sum;
}

void BodyShares::gather(Ranks& ranks) { ranks.gather_in_place(std::as_writable_bytes(std::span(shares_)), sizes_); }

Wrench BodyShares::sum_of(std::size_t row) const {
  Wrench sum{Vec3::Zero(), Vec3::Zero()};
  for (std::uint32_t k = start_[row]; k < start_[row + 1]; ++k) {
    const Share& share = shares_[share_of_[k]];
    for (int axis = 0; axis < 3; ++axis) {
      sum.force[axis] += share.force[axis];
      sum.torque[axis] += share.torque[axis];
    }
  }
  return sum;
}

}  // namespace scree
