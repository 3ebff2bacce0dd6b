/// \file How contacts go to the rank that has their pairs from now on. What it hears becomes chunks like those it had.

#include "scree/contacts/handover.hpp"
#include "scree/contacts/shares/letters.hpp"

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
  for (const auto& of_rank : exchange_letters(ranks, Rendezvous::history, told)) {
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

namespace {

/// Pairs of one channel, and their contacts, as they are heard one by one.
class HeardChunk {
 public:
  HeardChunk(const Methods& methods, std::uint32_t channel) {
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
  /// Of the pair added last.
  void add_contact(ByteReader& from) {
    pair_.push_back(list_.segments[0].end - 1);
    feature_.push_back(from.take<std::uint32_t>());
    payload_.push_back(from.take<std::uint64_t>());
    for (std::size_t k = 0; k < columns_; ++k) values_.push_back(from.take<double>());
  }

  /// Its pairs have nothing in the detector's cache.
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
  std::vector<double> values_;  ///< contact by contact
};

}  // namespace

/// Pairs of one channel that follow each other become a chunk.
void Handover::hear(ByteReader& from) {
  std::vector<HeardChunk> heard;
  while (!from.empty()) {
    const auto told = from.take<ToldPair>();
    if (heard.empty() || !heard.back().is_of(told.channel)) heard.emplace_back(methods_, told.channel);
    heard.back().add_pair(told.a, told.b, told.image);
    for (std::size_t i = 0; i < told.contacts; ++i) heard.back().add_contact(from);
  }
  for (HeardChunk& chunk : heard) {
    history_.push_back(chunk.history());
    lists_.push_back(chunk.list());
  }
}

}  // namespace scree
