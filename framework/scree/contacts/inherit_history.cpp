/// \file What pairs keep goes from the lists before to those made anew: history of contacts, rows of caches.

#include <algorithm>
#include <cstring>
#include <utility>

#include "scree/contacts/detail/old_chunks.hpp"
#include "scree/contacts/detail/pipeline_parts.hpp"

namespace scree {

/// For each listed pair, the old chunk and pair that hold its committed history and its row of the detector's cache.
std::vector<ContactPipeline::Origin> ContactPipeline::origins(OldChunks& old,
                                                              std::span<const std::uint32_t> new_row) const {
  std::vector<Origin> origin(listed_.size());
  const std::size_t n = world_.size();
#pragma omp parallel for schedule(dynamic, 1) if (listed_.size() > kParallelPairs)
  for (std::uint32_t c = 0; c < old.size(); ++c) {
    const Chunk& chunk = old[c];
    const bool all = group_of(chunk).cache_row > 0;
    const ContactKeys& keys = chunk.history.keys;
    std::size_t begin = 0, end = 0;  // contacts of pair p
    std::size_t found = 0;
    for (std::uint32_t p = 0; p < chunk.pairs.size(); ++p, begin = end) {
      while (end < keys.size() && keys.pair[end] == p) ++end;
      if (!all && begin == end) continue;
      const std::uint32_t a = new_row[chunk.rows[chunk.pairs[p].a]], b = new_row[chunk.rows[chunk.pairs[p].b]];
      if (a == kNowhere || b == kNowhere) continue;
      const auto [home, other] = blocks_.home_first(a, b);
      const std::uint32_t channel = chunk.channel_of(p);
      const std::size_t bucket = methods_.channels[channel].group * n + blocks_.rank(home);
      for (std::size_t k = row_start_[bucket]; k < row_start_[bucket + 1]; ++k)
        if (listed_[k].other() == other && listed_[k].image == chunk.image_of(p) && listed_[k].channel == channel)
          origin[k] = {c, p}, ++found;
    }
    old.expect(c, found);
  }
  return origin;
}

/// Moves committed history and cache rows of the chunk's pairs to their new place.
void ContactPipeline::inherit(OldChunks& old, std::span<const Origin> from, Chunk& chunk, Scratch& scratch) const {
  const Group group = group_of(chunk);
  const int columns = group.history;
  const std::size_t row = group.cache_row;
  // Contacts of an old pair: most pairs follow each other as they did before, and many have none.
  Origin last;
  std::size_t last_end = 0;
  const auto contacts_of = [&](const Origin& origin) {
    const ContactKeys& keys = old[origin.chunk].history.keys;
    std::size_t begin = last_end;
    if (origin.chunk != last.chunk || origin.pair <= last.pair ||
        (begin < keys.size() && keys.pair[begin] < origin.pair))
      begin = keys.first_of_pair(origin.pair);
    std::size_t end = begin;
    while (end < keys.size() && keys.pair[end] == origin.pair) ++end;
    last = origin;
    last_end = end;
    return std::pair(begin, end);
  };

  std::vector<std::pair<std::size_t, std::size_t>> contacts(from.size());
  std::size_t total = 0;
  for (std::size_t p = 0; p < from.size(); ++p) {
    if (from[p].chunk == kNowhere) continue;
    contacts[p] = contacts_of(from[p]);
    total += contacts[p].second - contacts[p].first;
  }
  ChunkHistory& to = chunk.history;
  to.committed.resize(total, columns);
  scratch.contacts.clear();
  const ContactBuffer::Rows keys = scratch.contacts.extend(total);
  std::byte* cache = row > 0 ? chunk.cache.rows<std::byte>(chunk.pairs.size() * row) : nullptr;
  std::size_t i = 0;
  for (std::size_t p = 0; p < from.size(); ++p) {
    const Origin& origin = from[p];
    if (origin.chunk == kNowhere) continue;
    Chunk& source_chunk = old[origin.chunk];
    if (row > 0) std::memcpy(cache + p * row, source_chunk.cache.rows<std::byte>(0) + origin.pair * row, row);
    const ChunkHistory& source = source_chunk.history;
    for (std::size_t j = contacts[p].first; j < contacts[p].second; ++j, ++i) {
      keys.pair[i] = static_cast<std::uint32_t>(p);
      keys.feature[i] = source.keys.feature(j);
      keys.payload[i] = source.keys.payload(j);
      for (int k = 0; k < columns; ++k) to.committed[k][i] = source.committed[k][j];
    }
  }
  to.keys.assign(total, keys.pair, keys.feature, keys.payload);
  for (std::size_t p = 0, end; p < from.size(); p = end) {
    for (end = p + 1; end < from.size() && from[end].chunk == from[p].chunk;) ++end;
    if (from[p].chunk != kNowhere) old.taken(from[p].chunk, end - p);
  }
}

}  // namespace scree
