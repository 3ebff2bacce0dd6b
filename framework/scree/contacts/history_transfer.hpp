#pragma once
/// \file Transfer from previous to new lists: history of contacts, and rows of caches.

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/ranks.hpp"
#include "scree/contacts/history/chunk_history.hpp"
#include "scree/contacts/lists/pair_lists.hpp"

namespace scree {

class ByteReader;
class ByteWriter;

/// Holds the chunks of the previous lists. Each is freed as soon as it is no longer needed.
class HistoryTransfer {
 public:
  HistoryTransfer(const Methods& methods, std::vector<PairChunk> lists, std::vector<ChunkHistory> history);

  /// Sends contacts to the rank that has their pairs from now on, before find_previous(). Collective over ranks.
  /// \param rank_of  rank of a pair (a, b) by current rows, the same on all ranks
  /// \param row_now  current row of each previous row, or kNowhere
  using RankOfPair = std::function<std::uint32_t(std::uint32_t, std::uint32_t)>;
  void exchange(Ranks& ranks, const RankOfPair& rank_of, std::span<const std::uint32_t> row_now);
  /// Finds, for each pair listed now, the old chunk and pair with its committed history and its row of the detector's
  /// cache. \param row_now  current row of each previous row, or kNowhere
  std::vector<PreviousPair> find_previous(const PairListing& now, std::span<const std::uint32_t> row_now);
  /// Moves committed history and cache rows of a chunk's pairs to their new place. Once for each listed pair; called by
  /// several threads at once. \param previous  previous places of its pairs
  void inherit(std::span<const PreviousPair> previous, PairChunk& list, ChunkHistory& history);

  /// Range of contacts of one pair.
 private:
  struct Contacts {
    std::size_t begin = 0, end = 0;  ///< range within an old chunk
  };
  /// Pair whose contacts are packed for another rank.
  struct PackedPair {
    std::uint32_t channel, a, b;  ///< previous rows
    std::int32_t image;
    std::size_t contacts;
  };
  void pack(std::size_t chunk, std::uint32_t pair, const Contacts& contacts, ByteWriter& to) const;
  void unpack(ByteReader& from);
  std::vector<Contacts> contacts_of(std::span<const PreviousPair> previous) const;
  void inherit_history(std::span<const PreviousPair> previous, int columns, ChunkHistory& to) const;
  void inherit_cache(std::span<const PreviousPair> previous, std::size_t row, PairChunk& to);
  void set_remaining(std::size_t chunk, std::size_t pairs);
  void release_taken(std::size_t chunk, std::size_t pairs);
  void free_chunk(std::size_t chunk);

  const Methods& methods_;
  std::vector<PairChunk> lists_;
  std::vector<ChunkHistory> history_;
  std::unique_ptr<std::atomic<std::size_t>[]> remaining_;  ///< pairs of each chunk that were not release_taken() yet
};

}  // namespace scree
