#pragma once
/// \file Contact history: chunk by chunk beside the pair lists, and by id for hooks and checkpoints.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/ranks.hpp"
#include "scree/contacts/history/chunk_history.hpp"
#include "scree/contacts/lists/pair_lists.hpp"
#include "scree/hooks/history_store.hpp"
#include "scree/hooks/history_table.hpp"

namespace scree {

/// History of contacts: the numbers that laws keep from step to step, such as tangential springs.
///
/// Contacts of a chunk are in the order of its pairs. History is a set of columns in the same order, beside the chunk:
///
///   pairs of the chunk     p0     p1     p2     p3
///   contacts (keys)        p0            p2 p2  p3     two contacts of p2 differ in feature or payload
///   committed column 0     x             x  x   x
///             column 1     y             y  y   y
///
/// ContactMatching compares the contacts of an evaluation with the committed ones. Both are sorted, and in most steps
/// most contacts are unchanged, so long ranges match at once. The law then reads the committed columns in place. A hash
/// map by (a, b, feature) would need a look-up for each contact, and would scatter the values over memory.
///
/// Trial and commit: integrators may evaluate forces several times within a step, always from the history of the last
/// finished step. Therefore an evaluation states what becomes of its new values (HistoryUpdate):
/// - trial: they go into columns of their own. commit_trial() swaps these with the committed ones after the step.
/// - commit: for integrators that evaluate once per step. New values replace the committed ones, which saves a second
///   copy.
/// - none: new values are discarded, for example when only the contacts of the initial state are wanted.
///
/// With commit, a law whose ForceNeeds::history_in_place is true writes over the values that it reads. Other laws write
/// to a buffer of one block, which replaces the values after the block. If contacts have changed, columns of the whole
/// chunk are written and then copied. Keys are copied only in that case.
///
/// A rebuild makes other chunks; HistoryTransfer moves history to them. Hooks and checkpoints see history by id.
///
/// Each rank keeps the history of its own chunks. Functions that return the history of all ranks exchange it, and are
/// collective over ranks.
class SCREE_API ContactHistory {
 public:
  ContactHistory(const Methods& methods, const PairLists& lists, Ranks& ranks)
      : methods_(methods), lists_(lists), ranks_(ranks) {}

  /// History by chunk of the lists.
  std::span<ChunkHistory> chunks() { return chunks_; }
  std::span<const ChunkHistory> chunks() const { return chunks_; }
  /// Moves out the chunks. Trials end.
  std::vector<ChunkHistory> take_chunks();
  /// Makes one empty history for each chunk of the lists.
  void reset() { chunks_.assign(lists_.chunks().size(), {}); }

  /// Commits the history of the last evaluation that kept a trial.
  void commit_trial();

  /// Returns all committed history, of all ranks.
  HistoryTable table() const;
  /// Returns the history of these bodies, of all ranks, by (interaction, a, b, image, order of contacts in the pair).
  std::vector<HistoryRecord> of_bodies(std::span<const Id> bodies) const;
  /// Inserts records into their pairs: at once if lists are current, otherwise at the next rebuild. All ranks pass the
  /// same records.
  /// \throws Error for a record that no pair can have
  void insert(std::span<const HistoryRecord> records);
  /// Inserts pending records into pairs that are listed now; the others stay pending.
  void place_pending();
  /// Drops pending records, whose pairs are not listed.
  void drop_pending();
  void rename_images(const std::function<std::int32_t(std::int32_t, Id, Id)>& renamed);

 private:
  HistoryRecord record_of(std::size_t chunk, std::uint32_t pair) const;
  void append(std::size_t chunk, std::size_t contact, std::vector<double>& values, HistoryTable& to) const;
  void append_chunk(std::size_t chunk, HistoryTable& to) const;
  void append_others(HistoryTable& own) const;
  void agree_on_placed(std::span<char> placed) const;
  void check(const HistoryRecord& record) const;
  void place_in(std::size_t chunk, std::span<char> placed);
  std::vector<std::uint32_t> chunks_of_pending() const;

  const Methods& methods_;
  const PairLists& lists_;
  Ranks& ranks_;
  std::vector<ChunkHistory> chunks_;
  std::vector<HistoryRecord> pending_;  ///< inserted records, until the next rebuild
};

}  // namespace scree
