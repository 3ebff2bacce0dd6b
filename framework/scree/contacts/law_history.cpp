/// \file What laws remember of contacts, around one evaluation of ContactPipeline: what they read, where they write,
/// and how that becomes what is committed.

#include <algorithm>

#include "scree/contacts/detail/pipeline_parts.hpp"

namespace scree {

/// Room for what an evaluation writes, once the chunk's contacts are known.
void ContactPipeline::make_room(Chunk& chunk, Keep keep, Scratch& s) const {
  const ContactBuffer& now = s.contacts;
  const int columns = group_of(chunk).history;
  if (keep == Keep::trial) {
    chunk.history.trial.resize(now.size(), columns);
    if (!chunk.history.same_keys) chunk.history.trial_keys.assign(now.size(), now.pair(), now.feature(), now.payload());
  } else if (chunk.history.same_keys) {
    s.next.resize(Scratch::kStride * ForceFace::kMostHistory);
  } else {
    s.history.resize(now.size(), columns);
  }
}

/// What the contacts of a block inherit: the committed columns where those lie together, else a copy.
/// \param copy  wanted in any case
/// \param last  out, a pointer per column
void ContactPipeline::inherited(const Chunk& chunk, const detail::ContactBlock& block, bool copy, int columns,
                                Scratch& s, const double** last) const {
  const std::size_t begin = block.first, end = block.first + block.count;
  const HistoryColumns& committed = chunk.history.committed;
  const auto from = s.succession.together(begin, end);
  if (from && !copy) {
    for (int k = 0; k < columns; ++k) last[k] = committed[k] + *from;
    return;
  }
  s.inherited.resize(Scratch::kStride * static_cast<std::size_t>(columns));
  for (int k = 0; k < columns; ++k) {
    double* const column = s.inherited.data() + static_cast<std::size_t>(k) * Scratch::kStride;
    s.succession.copy(committed[k], begin, end, column);
    last[k] = column;
  }
}

/// What the law of a block reads and where it writes.
/// \param copy  whether it reads copies in any case
ContactPipeline::LawHistory ContactPipeline::law_history(Chunk& chunk, const detail::ContactBlock& block, Keep keep,
                                                         bool copy, Scratch& s) const {
  const Interaction& interaction = methods_.interactions[methods_.channels[block.channel].interaction];
  LawHistory history;
  history.columns = interaction.history;
  if (history.columns == 0) return history;
  inherited(chunk, block, copy, history.columns, s, history.last);
  const bool same = chunk.history.same_keys, replaces = keep == Keep::committed && same;
  // Whether what the law reads may change while it writes: it reads copies, or each entry first.
  const bool may_overwrite = copy || interaction.needs.history_in_place;
  history.waits = replaces && !may_overwrite;
  for (int k = 0; k < history.columns; ++k) {
    if (keep == Keep::trial)
      history.now[k] = chunk.history.trial[k] + block.first;
    else if (!same)
      history.now[k] = s.history[k] + block.first;
    else if (replaces && may_overwrite)
      history.now[k] = chunk.history.committed[k] + block.first;
    else
      history.now[k] = s.next.data() + static_cast<std::size_t>(k) * Scratch::kStride;
  }
  return history;
}

/// After the law of a block: what it wrote takes the place of what it read, where that had to wait.
void ContactPipeline::replace(Chunk& chunk, const detail::ContactBlock& block, const LawHistory& history) {
  if (!history.waits) return;
  for (int k = 0; k < history.columns; ++k)
    std::copy_n(history.now[k], block.count, chunk.history.committed[k] + block.first);
}

/// After all blocks of a chunk: its contacts and their history are what is committed.
void ContactPipeline::commit_at_once(Chunk& chunk, Scratch& s) const {
  if (chunk.history.same_keys) return;
  const ContactBuffer& now = s.contacts;
  const int columns = group_of(chunk).history;
  chunk.history.keys.assign(now.size(), now.pair(), now.feature(), now.payload());
  chunk.history.committed.resize(now.size(), columns);
  for (int k = 0; k < columns; ++k) std::copy_n(s.history[k], now.size(), chunk.history.committed[k]);
}

void ContactPipeline::commit_trial() {
  for (Chunk& chunk : chunks_) chunk.history.commit();
}

}  // namespace scree
