#pragma once
/// \file What laws remember of contacts: chunk by chunk beside the pair lists, and by id for hooks and checkpoints.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/history/chunk_history.hpp"
#include "scree/contacts/lists/pair_lists.hpp"
#include "scree/contacts/shares/chunk_shares.hpp"
#include "scree/hooks/history_store.hpp"
#include "scree/hooks/history_table.hpp"

namespace scree {

class ByteReader;
class ByteWriter;

/// Of several ranks each keeps the history of its own chunks from step to step. That of the others is fetched when
/// somebody asks: all ranks do so together.
class SCREE_API ContactHistory {
 public:
  ContactHistory(const Methods& methods, const PairLists& lists, const ChunkShares& shares)
      : methods_(methods), lists_(lists), shares_(shares) {}

  /// One for each chunk of the lists.
  std::span<ChunkHistory> chunks() { return chunks_; }
  std::span<const ChunkHistory> chunks() const { return chunks_; }
  /// Fetches what other ranks have committed. \pre the lists have the chunks that history is of
  void complete() const;
  /// Gives up the chunks there are. Trials end. \pre complete() was called
  std::vector<ChunkHistory> take_chunks();
  /// As many as the lists have, empty.
  void reset() { chunks_.assign(lists_.chunks().size(), {}); }

  /// What this rank has committed is news to the others.
  void own_changed() { complete_ = shares_.whole(); }
  /// The history of the last evaluation that kept a trial becomes what is committed.
  void commit_trial();

  /// All committed history.
  HistoryTable table() const;
  /// That of these bodies, by (interaction, a, b, image, order of contacts in the pair).
  std::vector<HistoryRecord> of_bodies(std::span<const Id> bodies) const;
  /// Records go to their pairs at once where lists are those of now, else when lists are made next.
  /// \throws Error for a record that no pair can have
  void insert(std::span<const HistoryRecord> records);
  /// Gives records that wait to the pairs that are listed by now; the others go on waiting.
  void place_pending();
  /// Records that wait are of pairs that are not there.
  void drop_pending();
  void rename_images(const std::function<std::int32_t(std::int32_t, Id, Id)>& renamed);

 private:
  void pack(std::size_t chunk, ByteWriter& to) const;
  void unpack(ByteReader& from, std::size_t chunk) const;
  HistoryRecord record_of(std::size_t chunk, std::uint32_t pair) const;
  void append(std::size_t chunk, std::size_t contact, std::vector<double>& values, HistoryTable& to) const;
  void check(const HistoryRecord& record) const;
  void place_in(std::size_t chunk, std::span<char> placed);
  std::vector<std::uint32_t> chunks_of_pending() const;

  const Methods& methods_;
  const PairLists& lists_;
  const ChunkShares& shares_;
  mutable std::vector<ChunkHistory> chunks_;
  mutable bool complete_ = true;        ///< chunks of other ranks are as those have them
  std::vector<HistoryRecord> pending_;  ///< inserted, until lists are made next
};

}  // namespace scree
