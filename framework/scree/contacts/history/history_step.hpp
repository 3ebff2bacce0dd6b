#pragma once
/// \file History of one chunk's contacts during one evaluation: values that laws read, destinations of new values, and
/// their commit.

#include <vector>

#include "scree/contacts/block_size.hpp"
#include "scree/contacts/history/chunk_history.hpp"
#include "scree/contacts/history/contact_matching.hpp"
#include "scree/contacts/lists/pair_chunk.hpp"
#include "scree/law/contact_law.hpp"

namespace scree {

/// Columns of history that the law of a block of contacts reads and writes.
struct BlockHistory {
  int columns = 0;
  const double* last[ForceFace::kMostHistory] = {};
  double* now[ForceFace::kMostHistory] = {};
  double* copies = nullptr;  ///< target of `last`, a column per kColumnStride, if copies were requested
  bool waits = false;        ///< true if written values replace those read only after all are read
};

/// Working memory of one thread for one chunk after the other.
class HistoryStep {
 public:
  /// Begins a chunk: finds the predecessor of each contact, and makes room for new values.
  /// \param features  see ContactMatching::match()
  /// \return number of contacts that have a predecessor
  std::size_t begin(ChunkHistory& history, const ChannelGroup& group, ContactBuffer& now, HistoryUpdate update,
                    bool features);
  /// Returns the columns of a block of contacts [first, first + count); blocks come in ascending order.
  /// \param in_place  true if the law reads each entry before it writes it
  /// \param copy      true to read copies in any case
  BlockHistory of_block(std::size_t first, std::size_t count, int columns, bool in_place, bool copy);
  /// Finds the values that the contacts of a block inherit: pointers to the committed columns if they are contiguous
  /// there, else to a copy. \param last  out, a pointer per column
  void inherited(std::size_t first, std::size_t count, int columns, bool copy, const double** last);
  /// Replaces the values read by those written, if that had to wait; called after the law of a block.
  void replace(std::size_t first, std::size_t count, const BlockHistory& history);
  /// Commits the contacts and their history, for HistoryUpdate::commit; called after all blocks.
  void commit(const ContactBuffer& now);

 private:
  ChunkHistory* chunk_ = nullptr;
  HistoryUpdate update_ = HistoryUpdate::none;
  int columns_ = 0;
  detail::ContactMatching matching_;
  HistoryColumns changed_;         ///< new values of the chunk, if its contacts have changed and no trial is kept
  std::vector<double> next_;       ///< new values of a block, if contacts are the same
  std::vector<double> inherited_;  ///< values of a block whose history is not contiguous
};

}  // namespace scree
