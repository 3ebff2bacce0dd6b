#pragma once
/// \file Which rank works on which chunk. All ranks hold the same lists, so all find the same shares.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/ranks.hpp"
#include "scree/contacts/lists/pair_chunk.hpp"

namespace scree {

/// A rank has chunks that follow each other: at first as many pairs as every other, then fewer where it took longer.
/// No result depends on who has which.
class SCREE_API ChunkShares {
 public:
  explicit ChunkShares(Ranks& ranks);

  Ranks& ranks() const { return ranks_; }
  /// Whether there is one rank, which has them all.
  bool whole() const { return ranks_.one(); }
  /// For the chunks that there are now.
  void deal(std::span<const PairChunk> chunks);
  /// From the next deal() on. \param seconds  that each rank has worked on its chunks; the same numbers on all ranks
  /// \return whether parts have changed
  bool balance(std::span<const double> seconds);
  /// From the next deal() on, and until ranks are balanced again. \param parts  of all pairs, by rank, in any unit;
  /// the same numbers on all ranks, above 0
  void aim_at(std::vector<double> parts) { parts_ = std::move(parts); }
  const std::vector<double>& parts() const { return parts_; }

  struct Range {
    std::size_t first, end;
    std::size_t size() const { return end - first; }
  };
  /// Chunks of a rank.
  Range of(std::size_t rank) const { return {first_[rank], first_[rank + 1]}; }
  Range own() const { return of(static_cast<std::size_t>(ranks_.rank())); }

 private:
  Ranks& ranks_;
  std::vector<double> parts_;       ///< of all pairs, by rank: see aim_at()
  std::vector<std::size_t> first_;  ///< chunk of each rank, and one behind the last
};

}  // namespace scree
