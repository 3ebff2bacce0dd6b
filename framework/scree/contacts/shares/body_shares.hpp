#pragma once
/// \file What ranks tell each other of the forces on bodies. Of a body that lies in blocks of one rank alone that is
/// one wrench.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/evaluation/chunk_result.hpp"
#include "scree/contacts/lists/pair_lists.hpp"
#include "scree/contacts/shares/chunk_shares.hpp"

namespace scree {

/// A body sums what its blocks give it in their order, so the first rank of these may send the sum of its own. Further
/// ranks send what each block gives: their sum would associate in another way.
class SCREE_API BodyShares {
 public:
  /// For the lists and shares that there are now.
  void reset(const PairLists& lists, const ChunkShares& shares);

  /// How many wrenches this rank sends.
  std::size_t own_count() const { return own_.size(); }
  /// Sums one of them. \param slots  what chunks have left
  void sum_own(std::size_t k, std::span<const WrenchSlot> slots);
  /// Sends them and gets those of the others. All ranks call it together.
  void gather(Ranks& ranks);
  /// What all blocks give a body, when that is done.
  Wrench sum_of(std::size_t row) const;

 private:
  /// Consecutive places in PairLists::slots_of(), whose wrenches are sent as one.
  struct Run {
    const std::uint32_t* first;
    std::uint32_t count, share;  ///< index into shares_
  };
  struct Share {
    double force[3], torque[3];  ///< [N], [N m]
  };
  std::vector<Run> own_;
  std::vector<Share> shares_;       ///< rank by rank, of each by row
  std::vector<std::size_t> sizes_;  ///< of each rank's [bytes]
  std::vector<std::uint32_t> start_,
      share_of_;  ///< of each row, its places in share_of_, which are those of its shares
};

}  // namespace scree
