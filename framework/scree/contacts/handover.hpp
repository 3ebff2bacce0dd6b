#pragma once
/// \file What pairs keep goes from the lists before to those made anew: history of contacts, rows of caches.

#include <atomic>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "scree/contacts/history/chunk_history.hpp"
#include "scree/contacts/lists/pair_lists.hpp"

namespace scree {

/// Holds the chunks of the lists before. Each gives back its memory as soon as nothing more is wanted from it.
class Handover {
 public:
  Handover(const Methods& methods, std::vector<PairChunk> lists, std::vector<ChunkHistory> history);

  /// For each pair listed now, the old chunk and pair that hold its committed history and its row of the detector's
  /// cache. \param row_now  of each row of before, or kNowhere
  std::vector<PreviousPair> find_previous(const PairListing& now, std::span<const std::uint32_t> row_now);
  /// Moves committed history and cache rows of a chunk's pairs to their new place. For each listed pair once; several
  /// threads at once. \param previous  of its pairs
  void inherit(std::span<const PreviousPair> previous, PairChunk& list, ChunkHistory& history);

 private:
  struct Contacts {
    std::size_t begin = 0, end = 0;  ///< of an old chunk
  };
  std::vector<Contacts> contacts_of(std::span<const PreviousPair> previous) const;
  void inherit_history(std::span<const PreviousPair> previous, int columns, ChunkHistory& to) const;
  void inherit_cache(std::span<const PreviousPair> previous, std::size_t row, PairChunk& to);
  void expect(std::size_t chunk, std::size_t pairs);
  void taken(std::size_t chunk, std::size_t pairs);
  void give_back(std::size_t chunk);

  const Methods& methods_;
  std::vector<PairChunk> lists_;
  std::vector<ChunkHistory> history_;
  std::unique_ptr<std::atomic<std::size_t>[]> wanted_;  ///< pairs of each chunk that are still to be taken
};

}  // namespace scree
