/// \file Exchange of history between ranks.

#include "scree/base/packed_bytes.hpp"
#include "scree/contacts/history/contact_history.hpp"

namespace scree {

/// Appends the records of all other ranks. \param own  records of this rank's chunks
void ContactHistory::append_others(HistoryTable& own) const {
  if (ranks_.one()) return;
  ByteWriter mine;
  own.put_all(mine);
  const auto parts = ranks_.gather(CollectiveTag::history, mine.bytes());
  for (std::size_t r = 0; r < parts.size(); ++r) {
    ByteReader from(parts[r]);
    if (r != static_cast<std::size_t>(ranks_.rank())) own.append_all(from);
  }
}

/// Combines the flags of records that found their pairs on some rank. \param placed  in: those found on this one
void ContactHistory::agree_on_placed(std::span<char> placed) const {
  if (ranks_.one()) return;
  std::vector<char> of_rank;
  for (const auto& part : ranks_.gather(CollectiveTag::history, std::as_bytes(placed))) {
    ByteReader(part).take(of_rank, placed.size());
    for (std::size_t k = 0; k < placed.size(); ++k) placed[k] = static_cast<char>(placed[k] | of_rank[k]);
  }
}

}  // namespace scree
