/// \file Migration of contacts to the rank that has their pairs from now on. Received contacts become chunks.

#include "scree/contacts/decomposition/all_to_all.hpp"
#include "scree/contacts/history_transfer.hpp"

namespace scree {

void HistoryTransfer::exchange(Ranks& ranks, const RankOfPair& rank_of, std::span<const std::uint32_t> row_now) {
  const auto me = static_cast<std::uint32_t>(ranks.rank());
  std::vector<ByteWriter> packed(static_cast<std::size_t>(ranks.size()));
  for (std::size_t c = 0; c < lists_.size(); ++c) {
    const PairChunk& list = lists_[c];
    const ContactKeys& keys = history_[c].keys;
    for (std::size_t begin = 0, end; begin < keys.size(); begin = end) {
      end = keys.end_of_pair(begin);
      const Pair& pair = list.pairs[keys.pair[begin]];
      const std::uint32_t a = row_now[list.rows[pair.a]], b = row_now[list.rows[pair.b]];
      if (a == kNowhere || b == kNowhere) continue;
      const std::uint32_t rank = rank_of(a, b);
      if (rank != me) pack(c, keys.pair[begin], {begin, end}, packed[rank]);
    }
  }
  for (const auto& of_rank : all_to_all_v(ranks, CollectiveTag::history, packed)) {
    ByteReader from(of_rank);
    unpack(from);
  }
}

void HistoryTransfer::pack(std::size_t c, std::uint32_t p, const Contacts& contacts, ByteWriter& to) const {
  const PairChunk& list = lists_[c];
  const ChunkHistory& history = history_[c];
  const Pair& pair = list.pairs[p];
  to.put(PackedPair{list.channel_of(p), list.rows[pair.a], list.rows[pair.b], list.image_of(p),
                    contacts.end - contacts.begin});
  const int columns = ChannelGroup(methods_, list).history;
  for (std::size_t i = contacts.begin; i < contacts.end; ++i) {
    to.put(history.keys.feature(i));
    to.put(history.keys.payload(i));
    for (int k = 0; k < columns; ++k) to.put(history.committed[k][i]);
  }
}

namespace {

/// Pairs of one channel and their contacts, as they are received one by one.
class ReceivedChunk {
 public:
  ReceivedChunk(const Methods& methods, std::uint32_t channel) {
    list_.segments.push_back({channel, 0});
    const ChannelGroup group(methods, list_);
    columns_ = static_cast<std::size_t>(group.history);
    cache_row_ = group.cache_row;
  }
  bool is_of(std::uint32_t channel) const { return list_.segments[0].channel == channel; }

  void add_pair(std::uint32_t a, std::uint32_t b, std::int32_t image) {
    const auto local = static_cast<std::uint32_t>(list_.rows.size());
    list_.rows.insert(list_.rows.end(), {a, b});
    list_.pairs.push_back({local, local + 1});
    list_.image.push_back(image);
    list_.segments[0].end = static_cast<std::uint32_t>(list_.pairs.size());
  }
  /// Adds a contact of the last pair.
  void add_contact(ByteReader& from) {
    pair_.push_back(list_.segments[0].end - 1);
    feature_.push_back(from.take<std::uint32_t>());
    payload_.push_back(from.take<std::uint64_t>());
    for (std::size_t k = 0; k < columns_; ++k) values_.push_back(from.take<double>());
  }

  /// Returns the list of the chunk. Its pairs have nothing in the detector's cache.
  PairChunk list() {
    list_.cache.rows<std::byte>(list_.pairs.size() * cache_row_);
    return std::move(list_);
  }
  ChunkHistory history() const {
    ChunkHistory history;
    history.keys.assign(pair_.size(), pair_.data(), feature_.data(), payload_.data());
    history.committed.resize(pair_.size(), static_cast<int>(columns_));
    for (std::size_t i = 0; i < pair_.size(); ++i)
      for (std::size_t k = 0; k < columns_; ++k) history.committed[static_cast<int>(k)][i] = values_[i * columns_ + k];
    return history;
  }

 private:
  PairChunk list_;
  std::size_t columns_, cache_row_;
  std::vector<std::uint32_t> pair_, feature_;
  std::vector<std::uint64_t> payload_;
  std::vector<double> values_;  ///< by contact
};

}  // namespace

/// Unpacks pairs; consecutive pairs of one channel become a chunk.
void HistoryTransfer::unpack(ByteReader& from) {
  std::vector<ReceivedChunk> received;
  while (!from.empty()) {
    const auto packed = from.take<PackedPair>();
    if (received.empty() || !received.back().is_of(packed.channel)) received.emplace_back(methods_, packed.channel);
    received.back().add_pair(packed.a, packed.b, packed.image);
    for (std::size_t i = 0; i < packed.contacts; ++i) received.back().add_contact(from);
  }
  for (ReceivedChunk& chunk : received) {
    history_.push_back(chunk.history());
    lists_.push_back(chunk.list());
  }
}

}  // namespace scree
