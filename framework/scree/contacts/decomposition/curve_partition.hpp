#pragma once
/// \file Parts of the space-filling curve, one for each rank. All ranks know all bodies when lists are made, so all
/// find the same parts.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/ranks.hpp"
#include "scree/contacts/lists/space_blocks.hpp"

namespace scree {

/// A rank has consecutive blocks of space: at first as many bodies as every other, then fewer where it took longer. It
/// lists the pairs whose homes stand there, works on them, and advances the bodies. No result depends on the cuts.
class SCREE_API CurvePartition {
 public:
  explicit CurvePartition(Ranks& ranks);

  Ranks& ranks() const { return ranks_; }
  /// True where there is one rank, which owns everything.
  bool whole() const { return ranks_.one(); }
  /// Times that a rank has measured since the last note().
  struct Effort {
    double work = 0;   ///< on its pairs [s]
    double lists = 0;  ///< to make lists, the last time [s]
  };
  /// Notes how long ranks took: a slow one gets less of the curve at the next deal(). All ranks call it together.
  void note(const Effort& own);
  /// Tells whether it pays to deal again: since the last time, ranks have waited for the slowest as long as lists take
  /// to make.
  bool pays() const;
  /// Deals the curve again. \param blocks  all current ones, along the curve \param places  how many bodies
  void deal(std::span<const SpaceBlocks::Stretch> blocks, std::size_t places);
  /// Sets the parts of the next deal(), whatever ranks have noted.
  /// \param parts  shares of all bodies, by rank, in any unit; the same numbers on all ranks, above 0
  void aim_at(std::vector<double> parts) { parts_ = std::move(parts), aimed_ = true; }
  const std::vector<double>& parts() const { return parts_; }

  /// First place of a rank's part along the curve. \param rank  Ranks::size() gives the end of the last part
  std::uint32_t first_place(std::size_t rank) const { return first_place_[rank]; }
  std::uint32_t own_first() const { return first_place(own()); }
  std::uint32_t own_end() const { return first_place(own() + 1); }
  /// The rank that owns a place.
  std::uint32_t rank_of(std::uint32_t place) const;
  /// A hash of the cuts: equal on ranks that have found the same parts.
  std::uint64_t hash_of_cuts() const;
  /// The numbers of the first block of this rank and of the first one behind.
  std::pair<std::uint64_t, std::uint64_t> own_blocks() const { return {first_block_[own()], first_block_[own() + 1]}; }

 private:
  std::size_t own() const { return static_cast<std::size_t>(ranks_.rank()); }

  void adapt_parts();

  Ranks& ranks_;
  std::vector<double> parts_;  ///< shares of all bodies, by rank: see aim_at()
  bool aimed_ = false;
  std::vector<double> work_;                ///< work of each rank since the curve was dealt [s]
  double lists_ = 0;                        ///< Effort::lists of the slowest [s]
  std::vector<std::uint32_t> first_place_;  ///< first place of each rank, and one behind the last
  std::vector<std::uint64_t> first_block_;  ///< first block of each rank, and one behind the last
};

}  // namespace scree
