/// \file Division of listed pairs into chunks.

#include <omp.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "scree/base/release.hpp"
#include "scree/contacts/lists/pair_lists.hpp"
#include "scree/contacts/parallel_pairs.hpp"

namespace scree {

namespace {

/// Limit of pairs in a chunk of several small blocks, which share a chunk because each has a cost of its own.
constexpr std::size_t kJoinedPairs = 1024;

}  // namespace

/// Divides the listed pairs into chunks. A chunk is a block of space with the pairs of one group of channels, or
/// several small ones.
void PairLists::cut(const PairListing& listing) {
  chunk_first_.clear();
  for (std::size_t first = 0, last = 0; first < listing.size(); first = last) {
    last = listing.end_of_block(first, listing.size());
    const bool joined = first > 0 && listing.same_group(first - 1, first) && last - chunk_first_.back() <= kJoinedPairs;
    if (!joined) chunk_first_.push_back(first);
  }
  chunks_.resize(chunk_first_.size());
  for (std::size_t c = 0; c < chunks_.size(); ++c) chunks_[c].place = listing.place(chunk_first_[c]);
  chunk_first_.push_back(listing.size());
}

void PairLists::fill(PairListing& listing, std::span<PreviousPair> previous, const Filled& filled,
                     FirstFailure& failure) {
  scratch_.resize(std::max<std::size_t>(scratch_.size(), static_cast<std::size_t>(omp_get_max_threads())));
  const auto make_chunk = [&](std::size_t k) {
    Scratch& scratch = scratch_[static_cast<std::size_t>(omp_get_thread_num())];
    PairChunk& chunk = chunks_[k];
    const std::size_t first = chunk_first_[k], last = chunk_first_[k + 1];
    fill_chunk(chunk, {listing, previous, first, last}, scratch);
    filled(k, previous.subspan(first, last - first));
    scratch.tile.gather(world_, reference(), chunk, true);
    const ChannelGroup group(methods_, chunk);
    group.detector->prepare(scratch.tile.view(), chunk.pairs, skin_of(chunk), group.margin, chunk.cache);
  };
#pragma omp parallel for schedule(dynamic, 1) if (listing.size() > kParallelPairs)
  for (std::size_t k = 0; k < chunks_.size(); ++k) failure.watch(k, [&] { make_chunk(k); });
  pair_count_ = pair_count_of_all_ = listing.size();
  for (Scratch& scratch : scratch_) {
    release_if_large(scratch.local);
    release_if_large(scratch.stamp);
  }
}

/// Sorts the pairs of a block by the place of their channel, and keeps their order otherwise: each law gets many at
/// once.
void PairLists::sort_by_channel(std::span<ListedPair> pairs, std::span<PreviousPair> previous) const {
  const std::uint32_t first = pairs[0].channel;
  if (std::ranges::all_of(pairs, [&](const ListedPair& p) { return p.channel == first; })) return;
  std::vector<std::pair<ListedPair, PreviousPair>> both(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) both[k] = {pairs[k], previous[k]};
  std::ranges::stable_sort(both, {}, [&](const auto& p) { return methods_.channels[p.first.channel].place; });
  for (std::size_t k = 0; k < pairs.size(); ++k) std::tie(pairs[k], previous[k]) = both[k];
}

/// Local rows of one block's bodies, which follow those of the previous blocks. A body that is in two blocks of a chunk
/// has a row in both.
class PairLists::LocalRows {
 public:
  /// Adds the bodies themselves in the order of their rows, so that copying them walks through memory.
  LocalRows(PairChunk& chunk, Scratch& scratch, std::span<const ListedPair> pairs)
      : chunk_(chunk), scratch_(scratch), stamp_(++scratch.stamp_now) {
    const std::size_t first = chunk.rows.size();
    const auto note = [&](std::uint32_t row) {
      if (is_new(row)) chunk.rows.push_back(row);
    };
    for (const ListedPair& p : pairs) {
      note(p.a);
      if (p.image == 0) note(p.b);
    }
    std::sort(chunk.rows.begin() + static_cast<std::ptrdiff_t>(first), chunk.rows.end());
    for (std::size_t k = first; k < chunk.rows.size(); ++k)
      scratch.local[chunk.rows[k]] = static_cast<std::uint32_t>(k);
  }

  std::uint32_t of(std::uint32_t row, std::int32_t image) {
    if (image != 0) {
      const auto [place, added] = images_.try_emplace({row, image}, 0);
      if (added) place->second = append(row, image);
      return place->second;
    }
    if (is_new(row)) scratch_.local[row] = append(row, 0);
    return scratch_.local[row];
  }

 private:
  bool is_new(std::uint32_t row) { return std::exchange(scratch_.stamp[row], stamp_) != stamp_; }

  std::uint32_t append(std::uint32_t row, std::int32_t image) {
    chunk_.rows.push_back(row);
    const auto local = static_cast<std::uint32_t>(chunk_.rows.size() - 1);
    if (image != 0) chunk_.images.push_back({local, image});
    return local;
  }

  PairChunk& chunk_;
  Scratch& scratch_;
  std::uint32_t stamp_;
  std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> images_;  ///< few: bodies across the cell's sides
};

void PairLists::fill_chunk(PairChunk& chunk, const Part& part, Scratch& scratch) const {
  const auto [listing, previous, first, last] = part;
  for (std::size_t begin = first, end; begin < last; begin = end) {
    end = listing.end_of_block(begin, last);
    sort_by_channel(listing.pairs().subspan(begin, end - begin), previous.subspan(begin, end - begin));
  }
  const std::span<const ListedPair> listed = listing.pairs().subspan(first, last - first);
  scratch.local.resize(world_.size());
  scratch.stamp.resize(world_.size(), 0);
  chunk.pairs.reserve(listed.size());
  if (world_.cell.any()) {
    chunk.image.reserve(listed.size());
    for (const ListedPair& p : listed) chunk.image.push_back(p.image);
  }
  const auto ids = world_.id.read();
  if (!world_.bonds().tolerated().empty())
    for (const ListedPair& p : listed) chunk.tolerated.push_back(world_.bonds().tolerated(ids[p.a], ids[p.b]));
  for (std::size_t begin = first, end; begin < last; begin = end) {
    end = listing.end_of_block(begin, last);
    fill_block(chunk, listed.subspan(begin - first, end - begin), scratch);
  }
}

void PairLists::fill_block(PairChunk& chunk, std::span<const ListedPair> listed, Scratch& scratch) const {
  const std::size_t first_pair = chunk.pairs.size(), first_row = chunk.rows.size();
  LocalRows local(chunk, scratch, listed);
  for (const ListedPair& p : listed) {
    const std::uint32_t a = local.of(p.a, 0);
    chunk.pairs.push_back({a, local.of(p.b, p.image)});
    const auto end = static_cast<std::uint32_t>(chunk.pairs.size());
    if (!chunk.segments.empty() && chunk.segments.back().channel == p.channel)
      chunk.segments.back().end = end;
    else
      chunk.segments.push_back({p.channel, end});
  }
  if (!owner_row_.empty()) find_owners(chunk, first_pair, first_row, local);
}

/// Finds the owners of the block's rows, which are the last of the chunk. An owner is in the same image as its member.
void PairLists::find_owners(PairChunk& chunk, std::size_t first_pair, std::size_t first_row, LocalRows& local) const {
  std::vector<std::uint32_t> owner_of(chunk.rows.size() - first_row, kNowhere);
  const auto find_owner = [&](std::uint32_t r, std::int32_t image) {
    std::uint32_t& owner = owner_of[r - first_row];
    if (owner == kNowhere) owner = local.of(owner_row_[chunk.rows[r]], image);
  };
  for (std::size_t k = first_pair; k < chunk.pairs.size(); ++k) {
    find_owner(chunk.pairs[k].a, 0);
    find_owner(chunk.pairs[k].b, chunk.image_of(k));
  }
  chunk.owner.insert(chunk.owner.end(), owner_of.begin(), owner_of.end());
  for (std::size_t r = chunk.owner.size(); r < chunk.rows.size(); ++r)
    chunk.owner.push_back(static_cast<std::uint32_t>(r));
}

/// Numbers the wrench slots: for each body the list of slots where chunks leave their share of its force.
void PairLists::index_slots() {
  const std::size_t n = world_.size();
  std::size_t total = 0;
  slot_start_.assign(n + 1, 0);
  for (PairChunk& chunk : chunks_) {
    chunk.first_slot = total;
    total += chunk.rows.size();
    for (const std::uint32_t row : chunk.rows) ++slot_start_[row + 1];
  }
  for (std::size_t i = 0; i < n; ++i) slot_start_[i + 1] += slot_start_[i];
  slots_.resize(total);
  std::vector<std::uint32_t> filled(slot_start_.begin(), slot_start_.end() - 1);
  std::uint32_t slot = 0;
  for (const PairChunk& chunk : chunks_)
    for (const std::uint32_t row : chunk.rows) slots_[filled[row]++] = slot++;
}

}  // namespace scree
