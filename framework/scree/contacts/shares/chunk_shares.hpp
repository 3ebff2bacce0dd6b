#pragma once
/// \file Which rank works on which chunk. All ranks hold the same lists, so all find the same shares.

#include <cstddef>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/ranks.hpp"
#include "scree/contacts/lists/pair_chunk.hpp"

namespace scree {

/// A rank has chunks that follow each other, with about as many pairs as every other. No result depends on who has
/// which.
class SCREE_API ChunkShares {
 public:
  explicit ChunkShares(Ranks& ranks) : ranks_(ranks), first_(static_cast<std::size_t>(ranks.size()) + 1, 0) {}

  Ranks& ranks() const { return ranks_; }
  /// Whether there is one rank, which has them all.
  bool whole() const { return ranks_.one(); }
  /// For the chunks that there are now.
  void deal(std::span<const PairChunk> chunks);

  struct Range {
    std::size_t first, end;
    std::size_t size() const { return end - first; }
  };
  /// Chunks of a rank.
  Range of(std::size_t rank) const { return {first_[rank], first_[rank + 1]}; }
  Range own() const { return of(static_cast<std::size_t>(ranks_.rank())); }

 private:
  Ranks& ranks_;
  std::vector<std::size_t> first_;  ///< chunk of each rank, and one behind the last
};

}  // namespace scree
