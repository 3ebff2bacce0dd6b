#pragma once
/// \file Division of rows among ranks: which rank advances which body, and how all bodies come together again.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/decomposition/curve_partition.hpp"
#include "scree/contacts/decomposition/halo_exchange.hpp"
#include "scree/contacts/lists/pair_lists.hpp"
#include "scree/integrate/mechanics.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Every rank holds all bodies, and sums the forces on those of its part of the space-filling curve; members go with
/// their owners. While rows are divided it advances them alone. Its chunks also see bodies of other ranks: see
/// HaloExchange. What it holds of all others is stale then. No result depends on the decomposition.
class SCREE_API Decomposition {
 public:
  Decomposition(World& world, const PairLists& lists, const CurvePartition& shares)
      : world_(world), lists_(lists), shares_(shares), halo_(*this, lists, shares) {}

  bool divided() const { return divided_; }
  /// Another number whenever rows were divided otherwise; never 0.
  std::uint64_t version() const { return version_; }
  /// Before lists are made: all ranks get what those depend on, the positions of all bodies. All call it together.
  void prepare();
  /// For the current lists and shares. Where rows are divided, bodies that another rank has now go there. All ranks
  /// call it together. \param row_now  of each row when prepare() was called
  void reset(std::span<const std::uint32_t> row_now);
  /// \pre all ranks hold the state of all bodies
  void divide() { divided_ = true; }
  /// Ends that: all ranks get the state of all bodies, and call it together.
  void join();

  /// Rows that this rank advances, ascending: all where they are not divided.
  std::span<const RowRange> own() const;
  /// Rows of which this rank sums the forces, ascending, in ranges that are short enough to be shared among threads
  /// whole.
  std::span<const RowRange> summed() const { return summed_; }
  /// The rank that sums the forces on a row.
  std::uint32_t rank_of(std::uint32_t row) const;
  /// All ranks get what each has of the rows that it sums, and call it together. \param values  by row
  template <class T>
  void gather(std::span<T> values) const {
    gather(reinterpret_cast<std::byte*>(values.data()), sizeof(T));
  }
  /// Gathers columns by name, those that are there.
  void gather_columns(std::span<const char* const> names) const;
  HaloExchange& halo() { return halo_; }
  const HaloExchange& halo() const { return halo_; }

 private:
  void gather(std::byte* rows, std::size_t row_bytes) const;
  void find_summed();
  std::vector<std::uint32_t> ghosts_of_bonds() const;
  void migrate(std::span<const std::uint32_t> row_now);

  World& world_;
  const PairLists& lists_;
  const CurvePartition& shares_;
  HaloExchange halo_;
  bool divided_ = false;
  std::uint64_t version_ = 0;
  std::vector<RowRange> summed_;
  /// By rank: its rows that are not in the range from its first place to the first one of the next rank. None where
  /// rows lie in the order of places.
  std::vector<std::vector<std::uint32_t>> off_range_;
  std::vector<std::uint32_t> owner_before_;  ///< by row, when prepare() was called
  mutable RowRange all_{};
};

}  // namespace scree
