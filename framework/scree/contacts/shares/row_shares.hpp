#pragma once
/// \file Which rank advances which body while rows are divided, and how all bodies come together again.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/lists/pair_lists.hpp"
#include "scree/contacts/shares/border.hpp"
#include "scree/contacts/shares/chunk_shares.hpp"
#include "scree/integrate/own_rows.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Every rank holds all bodies. While rows are divided it advances those of its part of the space-filling curve alone;
/// members go with their owners. Its chunks also see bodies of other ranks: see Border. What it holds of all others is
/// of some time before. No result depends on who has which.
class SCREE_API RowShares {
 public:
  RowShares(World& world, const PairLists& lists, const ChunkShares& shares)
      : world_(world), lists_(lists), shares_(shares), border_(*this, lists, shares) {}

  bool divided() const { return divided_; }
  /// For the lists and chunks of now. \pre all ranks hold the state of all bodies
  void divide();
  /// Ends that: all ranks get the state of all bodies, and call it together.
  void join();
  /// Lists, or shares of chunks, are others now. \pre rows are not divided
  void outdate() { outdated_ = true; }

  /// Rows of this rank, ascending, all where they are not divided. Divided ones come in ranges that are short enough to
  /// be shared among threads whole.
  std::span<const RowRange> own() const;
  /// Who advances a row. \pre rows are divided
  std::uint32_t rank_of(std::uint32_t row) const;
  Border& border() { return border_; }
  const Border& border() const { return border_; }

 private:
  std::uint32_t rank_of_place(std::uint32_t row) const;
  void find_own();
  void gather(std::byte* rows, std::size_t row_bytes) const;

  World& world_;
  const PairLists& lists_;
  const ChunkShares& shares_;
  Border border_;
  bool divided_ = false, outdated_ = true;
  std::vector<RowRange> own_;
  std::vector<std::vector<std::uint32_t>> strays_;  ///< by rank: its rows that lie in the part of another
  mutable RowRange all_{};
};

}  // namespace scree
