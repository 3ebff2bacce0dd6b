#pragma once
/// \file What pairs keep passes from the previous lists to the new ones: history of contacts, rows of caches.

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

/// Holds the chunks of the previous lists. Each frees its memory as soon as nothing more is wanted from it.
class Handover {
 public:
  Handover(const Methods& methods, std::vector<PairChunk> lists, std::vector<ChunkHistory> history);

  /// Of several ranks: contacts go to the rank that has their pairs from now on, before find_previous(). All ranks call
  /// it together. \param rank_of(a, b)  the same, by current rows \param row_now  of each previous row, or kNowhere
  using RankOfPair = std::function<std::uint32_t(std::uint32_t, std::uint32_t)>;
  void exchange(Ranks& ranks, const RankOfPair& rank_of, std::span<const std::uint32_t> row_now);
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
  /// A pair whose contacts are told to another rank.
  struct ToldPair {
    std::uint32_t channel, a, b;  ///< rows of before
    std::int32_t image;
    std::size_t contacts;
  };
  void tell(std::size_t chunk, std::uint32_t pair, const Contacts& contacts, ByteWriter& to) const;
  void hear(ByteReader& from);
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
