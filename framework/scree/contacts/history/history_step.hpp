#pragma once
/// \file What laws remember of one chunk's contacts, around one evaluation: what they read, where they write, and how
/// that becomes what is committed.

#include <vector>

#include "scree/contacts/block_size.hpp"
#include "scree/contacts/history/chunk_history.hpp"
#include "scree/contacts/history/contact_matching.hpp"
#include "scree/contacts/lists/pair_chunk.hpp"
#include "scree/law/contact_law.hpp"

namespace scree {

/// What the law of a block of contacts reads, and where it writes.
struct BlockHistory {
  int columns = 0;
  const double* last[ForceFace::kMostHistory] = {};
  double* now[ForceFace::kMostHistory] = {};
  double* copies = nullptr;  ///< what `last` points to, a column per kColumnStride, where copies were asked for
  bool waits = false;        ///< what is written takes the place of what is read, when all is read
};

/// One thread's memory for one chunk after the other.
class HistoryStep {
 public:
  /// Begins with a chunk: finds what each of its contacts goes on from, and makes room for what is written.
  /// \param features  see ContactMatching::match()
  /// \return how many contacts go on
  std::size_t begin(ChunkHistory& history, const ChannelGroup& group, ContactBuffer& now, HistoryUpdate update,
                    bool features);
  /// Blocks in ascending order, contacts [first, first + count).
  /// \param in_place  whether the law reads each entry before it writes it  \param copy  it reads copies in any case
  BlockHistory of_block(std::size_t first, std::size_t count, int columns, bool in_place, bool copy);
  /// What the contacts of a block inherit: the committed columns where those lie together, else a copy.
  /// \param last  out, a pointer per column
  void inherited(std::size_t first, std::size_t count, int columns, bool copy, const double** last);
  /// After the law of a block: what it wrote takes the place of what it read, where that had to wait.
  void replace(std::size_t first, std::size_t count, const BlockHistory& history);
  /// After all blocks, for HistoryUpdate::commit: the contacts and their history are what is committed.
  void commit(const ContactBuffer& now);

 private:
  ChunkHistory* chunk_ = nullptr;
  HistoryUpdate update_ = HistoryUpdate::none;
  int columns_ = 0;
  detail::ContactMatching matching_;
  HistoryColumns changed_;         ///< of the chunk, where its contacts are others than before and no trial is kept
  std::vector<double> next_;       ///< of a block, where they are the same
  std::vector<double> inherited_;  ///< of a block whose history does not lie together
};

}  // namespace scree
