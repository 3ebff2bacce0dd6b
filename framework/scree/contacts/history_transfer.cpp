#include "scree/contacts/history_transfer.hpp"

#include <cstring>

#include "scree/base/release.hpp"
#include "scree/contacts/parallel_pairs.hpp"

namespace scree {

HistoryTransfer::HistoryTransfer(const Methods& methods, std::vector<PairChunk> lists,
                                 std::vector<ChunkHistory> history)
    : methods_(methods), lists_(std::move(lists)), history_(std::move(history)) {}

std::vector<PreviousPair> HistoryTransfer::find_previous(const PairListing& now,
                                                         std::span<const std::uint32_t> row_now) {
  std::vector<PreviousPair> previous(now.size());
  remaining_ = std::make_unique<std::atomic<std::size_t>[]>(lists_.size());
#pragma omp parallel for schedule(dynamic, 1) if (now.size() > kParallelPairs)
  for (std::uint32_t c = 0; c < lists_.size(); ++c) {
    const PairChunk& chunk = lists_[c];
    const bool all = ChannelGroup(methods_, chunk).cache_row > 0;
    const ContactKeys& keys = history_[c].keys;
    std::size_t begin = 0, end = 0;  // contacts of pair p
    std::size_t found = 0;
    for (std::uint32_t p = 0; p < chunk.pairs.size(); ++p, begin = end) {
      while (end < keys.size() && keys.pair[end] == p) ++end;
      if (!all && begin == end) continue;
      const std::uint32_t a = row_now[chunk.rows[chunk.pairs[p].a]], b = row_now[chunk.rows[chunk.pairs[p].b]];
      if (a == kNowhere || b == kNowhere) continue;
      const std::size_t k = now.find(chunk.channel_of(p), a, b, chunk.image_of(p));
      if (k != PairListing::kNone) previous[k] = {c, p}, ++found;
    }
    set_remaining(c, found);
  }
  return previous;
}

/// Sets the number of a chunk's pairs that are still listed, before any is released. Its own list is no longer needed.
void HistoryTransfer::set_remaining(std::size_t c, std::size_t pairs) {
  remaining_[c] = pairs;
  release(lists_[c].pairs);
  release(lists_[c].rows);
  if (pairs == 0) free_chunk(c);
}

/// Counts pairs of a chunk that were moved, and frees it after the last one.
void HistoryTransfer::release_taken(std::size_t c, std::size_t pairs) {
  if (remaining_[c].fetch_sub(pairs) == pairs) free_chunk(c);
}

void HistoryTransfer::free_chunk(std::size_t c) {
  lists_[c] = {};
  history_[c] = {};
}

void HistoryTransfer::inherit(std::span<const PreviousPair> previous, PairChunk& list, ChunkHistory& history) {
  const ChannelGroup group(methods_, list);
  inherit_history(previous, group.history, history);
  if (group.cache_row > 0) inherit_cache(previous, group.cache_row, list);
  for (std::size_t p = 0, end; p < previous.size(); p = end) {
    for (end = p + 1; end < previous.size() && previous[end].chunk == previous[p].chunk;) ++end;
    if (previous[p].chunk != kNowhere) release_taken(previous[p].chunk, end - p);
  }
}

/// Returns the contacts of old pairs: most follow each other as before, and many have none.
std::vector<HistoryTransfer::Contacts> HistoryTransfer::contacts_of(std::span<const PreviousPair> previous) const {
  std::vector<Contacts> contacts(previous.size());
  PreviousPair last;
  std::size_t last_end = 0;
  for (std::size_t p = 0; p < previous.size(); ++p) {
    const PreviousPair& of = previous[p];
    if (of.chunk == kNowhere) continue;
    const ContactKeys& keys = history_[of.chunk].keys;
    std::size_t begin = last_end;
    if (of.chunk != last.chunk || of.pair <= last.pair || (begin < keys.size() && keys.pair[begin] < of.pair))
      begin = keys.first_of_pair(of.pair);
    std::size_t end = begin;
    while (end < keys.size() && keys.pair[end] == of.pair) ++end;
    last = of;
    last_end = end;
    contacts[p] = {begin, end};
  }
  return contacts;
}

void HistoryTransfer::inherit_history(std::span<const PreviousPair> previous, int columns, ChunkHistory& to) const {
  const std::vector<Contacts> contacts = contacts_of(previous);
  std::size_t total = 0;
  for (const Contacts& c : contacts) total += c.end - c.begin;
  to.committed.resize(total, columns);
  std::vector<std::uint32_t> pair(total), feature(total);
  std::vector<std::uint64_t> payload(total);
  std::size_t i = 0;
  for (std::size_t p = 0; p < previous.size(); ++p) {
    if (previous[p].chunk == kNowhere) continue;
    const ChunkHistory& from = history_[previous[p].chunk];
    for (std::size_t j = contacts[p].begin; j < contacts[p].end; ++j, ++i) {
      pair[i] = static_cast<std::uint32_t>(p);
      feature[i] = from.keys.feature(j);
      payload[i] = from.keys.payload(j);
      for (int k = 0; k < columns; ++k) to.committed[k][i] = from.committed[k][j];
    }
  }
  to.keys.assign(total, pair.data(), feature.data(), payload.data());
}

/// Moves the cache rows of pairs. \param row  bytes per pair
void HistoryTransfer::inherit_cache(std::span<const PreviousPair> previous, std::size_t row, PairChunk& to) {
  std::byte* const cache = to.cache.rows<std::byte>(to.pairs.size() * row);
  for (std::size_t p = 0; p < previous.size(); ++p)
    if (const PreviousPair& of = previous[p]; of.chunk != kNowhere)
      std::memcpy(cache + p * row, lists_[of.chunk].cache.rows<std::byte>(0) + of.pair * row, row);
}

}  // namespace scree
