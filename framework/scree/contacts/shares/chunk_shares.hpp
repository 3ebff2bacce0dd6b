#pragma once
/// \file Which rank works on which chunk. All ranks hold the same lists, so all find the same shares.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/ranks.hpp"
#include "scree/contacts/lists/pair_chunk.hpp"

namespace scree {

/// A rank has the chunks of a part of the space-filling curve: at first as many pairs as every other, then fewer where
/// it took longer. No result depends on who has which.
class SCREE_API ChunkShares {
 public:
  explicit ChunkShares(Ranks& ranks);

  Ranks& ranks() const { return ranks_; }
  /// Whether there is one rank, which has them all.
  bool whole() const { return ranks_.one(); }
  /// For the chunks that there are now. \param places  along the curve, their number
  void deal(std::span<const PairChunk> chunks, std::size_t places);
  /// From the next deal() on. \param seconds  that each rank has worked on its chunks; the same numbers on all ranks
  /// \return whether parts have changed
  bool balance(std::span<const double> seconds);
  /// From the next deal() on, and until ranks are balanced again. \param parts  of all pairs, by rank, in any unit;
  /// the same numbers on all ranks, above 0
  void aim_at(std::vector<double> parts) { parts_ = std::move(parts); }
  const std::vector<double>& parts() const { return parts_; }

  /// Chunks of a rank, ascending.
  std::span<const std::uint32_t> of(std::size_t rank) const { return chunks_[rank]; }
  std::span<const std::uint32_t> own() const { return of(static_cast<std::size_t>(ranks_.rank())); }
  /// Who works on a chunk.
  std::uint32_t rank_of(std::size_t chunk) const { return rank_of_[chunk]; }
  /// The same of each wrench that chunks leave. \param chunks  those that were dealt
  std::vector<std::uint32_t> ranks_of_slots(std::span<const PairChunk> chunks) const;
  /// Where the part of a rank begins, as a place along the curve. \param rank  that of the size(): where the last ends
  std::uint32_t first_place(std::size_t rank) const { return first_place_[rank]; }

 private:
  Ranks& ranks_;
  std::vector<double> parts_;                       ///< of all pairs, by rank: see aim_at()
  std::vector<std::vector<std::uint32_t>> chunks_;  ///< by rank
  std::vector<std::uint32_t> rank_of_;              ///< by chunk
  std::vector<std::uint32_t> first_place_;          ///< of each rank, and one behind the last
};

}  // namespace scree
