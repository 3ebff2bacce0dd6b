/// \file How ranks fetch the committed history of each other's chunks.

#include "scree/base/packed_bytes.hpp"
#include "scree/contacts/history/contact_history.hpp"

namespace scree {

void ContactHistory::complete() const {
  if (complete_) return;
  Ranks& ranks = shares_.ranks();
  ByteWriter own;
  for (const std::uint32_t c : shares_.own()) pack(c, own);
  const auto parts = ranks.gather(Rendezvous::history, own.bytes());
  for (std::size_t r = 0; r < parts.size(); ++r) {
    if (r == static_cast<std::size_t>(ranks.rank())) continue;
    ByteReader from(parts[r]);
    for (const std::uint32_t c : shares_.of(r)) unpack(from, c);
  }
  complete_ = true;
}

void ContactHistory::pack(std::size_t c, ByteWriter& to) const {
  const ContactKeys& keys = chunks_[c].keys;
  to.put(keys.size());
  to.put(keys.pair.data(), keys.size());
  to.put(keys.shared());
  for (std::size_t i = 0; i < keys.size() && (i == 0 || !keys.shared()); ++i) {
    to.put(keys.feature(i));
    to.put(keys.payload(i));
  }
  const int columns = ChannelGroup(methods_, lists_.chunks()[c]).history;
  for (int k = 0; k < columns; ++k) to.put(chunks_[c].committed[k], keys.size());
}

void ContactHistory::unpack(ByteReader& from, std::size_t c) const {
  const auto count = from.take<std::size_t>();
  std::vector<std::uint32_t> pair, feature;
  from.take(pair, count);
  const bool shared = from.take<bool>();
  std::vector<std::uint64_t> payload;
  for (std::size_t i = 0; i < count; ++i) {
    const bool told = i == 0 || !shared;
    feature.push_back(told ? from.take<std::uint32_t>() : feature[0]);
    payload.push_back(told ? from.take<std::uint64_t>() : payload[0]);
  }
  ChunkHistory& chunk = chunks_[c];
  chunk.keys.assign(count, pair.data(), feature.data(), payload.data());
  const int columns = ChannelGroup(methods_, lists_.chunks()[c]).history;
  chunk.committed.resize(count, columns);
  for (int k = 0; k < columns; ++k) from.take(chunk.committed[k], count);
}

}  // namespace scree
