#include "scree/contacts/shares/chunk_shares.hpp"

namespace scree {

/// A chunk goes to the rank that the middle of its pairs falls to.
void ChunkShares::deal(std::span<const PairChunk> chunks) {
  const std::size_t ranks = first_.size() - 1;
  std::size_t total = 0;
  for (const PairChunk& chunk : chunks) total += chunk.pairs.size();
  std::size_t before = 0, next = 1;
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const std::size_t pairs = chunks[c].pairs.size();
    while (next < ranks && (2 * before + pairs) * ranks >= 2 * total * next) first_[next++] = c;
    before += pairs;
  }
  while (next <= ranks) first_[next++] = chunks.size();
}

}  // namespace scree
