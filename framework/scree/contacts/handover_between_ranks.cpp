/// \file How contacts go to the rank that has their pairs from now on. What it hears becomes chunks like those it had.

#include "scree/base/packed_bytes.hpp"
#include "scree/contacts/handover.hpp"

namespace scree {

void Handover::exchange(Ranks& ranks, const RankOfPair& rank_of, std::span<const std::uint32_t> row_now) {
  const auto me = static_cast<std::uint32_t>(ranks.rank());
  std::vector<ByteWriter> told(static_cast<std::size_t>(ranks.size()));
  for (std::size_t c = 0; c < lists_.size(); ++c) {
    const PairChunk& list = lists_[c];
    const ContactKeys& keys = history_[c].keys;
    for (std::size_t begin = 0, end; begin < keys.size(); begin = end) {
      end = keys.end_of_pair(begin);
      const Pair& pair = list.pairs[keys.pair[begin]];
      const std::uint32_t a = row_now[list.rows[pair.a]], b = row_now[list.rows[pair.b]];
      if (a == kNowhere || b == kNowhere) continue;
      const std::uint32_t rank = rank_of(a, b);
      if (rank != me) tell(c, keys.pair[begin], {begin, end}, told[rank]);
    }
  }
  std::vector<std::size_t> sizes;
  for (const ByteWriter& to_rank : told) sizes.push_back(to_rank.bytes().size());
  const auto all = ranks.gather(Rendezvous::history, std::as_bytes(std::span(sizes)));
  std::vector<std::vector<std::byte>> heard(told.size());
  std::vector<OutgoingMessage> send;
  std::vector<IncomingMessage> receive;
  for (std::size_t r = 0; r < told.size(); ++r) {
    ByteReader(all[r]).take(sizes, told.size());
    heard[r].resize(sizes[me]);
    if (!told[r].bytes().empty()) send.push_back({static_cast<int>(r), told[r].bytes()});
    if (!heard[r].empty()) receive.push_back({static_cast<int>(r), heard[r]});
  }
  ranks.exchange(send, receive);
  for (const auto& of_rank : heard) {
    ByteReader from(of_rank);
    hear(from);
  }
}

void Handover::tell(std::size_t c, std::uint32_t p, const Contacts& contacts, ByteWriter& to) const {
  const PairChunk& list = lists_[c];
  const ChunkHistory& history = history_[c];
  const Pair& pair = list.pairs[p];
  to.put(ToldPair{list.channel_of(p), list.rows[pair.a], list.rows[pair.b], list.image_of(p),
                  contacts.end - contacts.begin});
  const int columns = ChannelGroup(methods_, list).history;
  for (std::size_t i = contacts.begin; i < contacts.end; ++i) {
    to.put(history.keys.feature(i));
    to.put(history.keys.payload(i));
    for (int k = 0; k < columns; ++k) to.put(history.committed[k][i]);
  }
}

/// Pairs of one channel that follow each other become a chunk.
void Handover::hear(ByteReader& from) {
  std::vector<std::uint32_t> pair, feature;
  std::vector<std::uint64_t> payload;
  std::vector<double> values;  // contact by contact
  PairChunk list;
  int columns = 0;
  const auto close = [&] {
    if (list.pairs.empty()) return;
    const ChannelGroup group(methods_, list);
    list.segments[0].end = static_cast<std::uint32_t>(list.pairs.size());
    list.cache.rows<std::byte>(list.pairs.size() * group.cache_row);
    ChunkHistory history;
    history.keys.assign(pair.size(), pair.data(), feature.data(), payload.data());
    history.committed.resize(pair.size(), columns);
    for (std::size_t i = 0; i < pair.size(); ++i)
      for (int k = 0; k < columns; ++k)
        history.committed[k][i] = values[i * static_cast<std::size_t>(columns) + static_cast<std::size_t>(k)];
    lists_.push_back(std::move(list));
    history_.push_back(std::move(history));
    list = {};
    pair.clear(), feature.clear(), payload.clear(), values.clear();
  };
  while (!from.empty()) {
    const auto told = from.take<ToldPair>();
    if (list.segments.empty() || list.segments[0].channel != told.channel) {
      close();
      list.segments.push_back({told.channel, 0});
      columns = ChannelGroup(methods_, list).history;
    }
    const auto row = static_cast<std::uint32_t>(list.rows.size());
    list.rows.insert(list.rows.end(), {told.a, told.b});
    list.image.push_back(told.image);
    for (std::size_t i = 0; i < told.contacts; ++i) {
      pair.push_back(static_cast<std::uint32_t>(list.pairs.size()));
      feature.push_back(from.take<std::uint32_t>());
      payload.push_back(from.take<std::uint64_t>());
      for (int k = 0; k < columns; ++k) values.push_back(from.take<double>());
    }
    list.pairs.push_back({row, row + 1});
  }
  close();
}

}  // namespace scree
