#include "scree/contacts/history/history_step.hpp"

#include <algorithm>

namespace scree {

std::size_t HistoryStep::begin(ChunkHistory& history, const ChannelGroup& group, ContactBuffer& now,
                               HistoryUpdate update, bool features) {
  chunk_ = &history;
  update_ = update;
  columns_ = group.history;
  const std::size_t hits = matching_.match(history.keys, now, *group.detector, features, group.impulses);
  history.same_keys = matching_.unchanged();
  if (update == HistoryUpdate::trial) {
    history.trial.resize(now.size(), columns_);
    if (!history.same_keys) history.trial_keys.assign(now.size(), now.pair(), now.feature(), now.payload());
  } else if (history.same_keys) {
    next_.resize(kColumnStride * ForceFace::kMostHistory);
  } else {
    changed_.resize(now.size(), columns_);
  }
  return hits;
}

void HistoryStep::inherited(std::size_t first, std::size_t count, int columns, bool copy, const double** last) {
  const std::size_t end = first + count;
  const HistoryColumns& committed = chunk_->committed;
  const auto from = matching_.together(first, end);
  if (from && !copy) {
    for (int k = 0; k < columns; ++k) last[k] = committed[k] + *from;
    return;
  }
  inherited_.resize(kColumnStride * static_cast<std::size_t>(columns));
  for (int k = 0; k < columns; ++k) {
    double* const column = inherited_.data() + static_cast<std::size_t>(k) * kColumnStride;
    matching_.copy(committed[k], first, end, column);
    last[k] = column;
  }
}

BlockHistory HistoryStep::of_block(std::size_t first, std::size_t count, int columns, bool in_place, bool copy) {
  BlockHistory history;
  history.columns = columns;
  if (columns == 0) return history;
  inherited(first, count, columns, copy, history.last);
  if (copy) history.copies = inherited_.data();
  const bool same = chunk_->same_keys, replaces = update_ == HistoryUpdate::commit && same;
  // True if the law may write while it reads: it reads copies, or each entry first.
  const bool may_overwrite = copy || in_place;
  history.waits = replaces && !may_overwrite;
  for (int k = 0; k < columns; ++k) {
    if (update_ == HistoryUpdate::trial)
      history.now[k] = chunk_->trial[k] + first;
    else if (!same)
      history.now[k] = changed_[k] + first;
    else if (replaces && may_overwrite)
      history.now[k] = chunk_->committed[k] + first;
    else
      history.now[k] = next_.data() + static_cast<std::size_t>(k) * kColumnStride;
  }
  return history;
}

void HistoryStep::replace(std::size_t first, std::size_t count, const BlockHistory& history) {
  if (!history.waits) return;
  for (int k = 0; k < history.columns; ++k) std::copy_n(history.now[k], count, chunk_->committed[k] + first);
}

void HistoryStep::commit(const ContactBuffer& now) {
  if (update_ != HistoryUpdate::commit || chunk_->same_keys) return;
  chunk_->keys.assign(now.size(), now.pair(), now.feature(), now.payload());
  chunk_->committed.resize(now.size(), columns_);
  for (int k = 0; k < columns_; ++k) std::copy_n(changed_[k], now.size(), chunk_->committed[k]);
}

}  // namespace scree
