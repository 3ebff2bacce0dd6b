#pragma once
/// \file What ranks tell each other in a step: the state of bodies that chunks or bonds of another rank see, and what
/// those chunks give them. Two messages between neighbours; all others hear nothing.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/evaluation/chunk_result.hpp"
#include "scree/contacts/lists/pair_lists.hpp"
#include "scree/contacts/shares/curve_shares.hpp"

namespace scree {

class RowShares;

/// Each rank lists pairs of its own, and tells others which of their bodies those see. A body sums what its blocks give
/// it in their order: by group of channels, then along the curve. A rank has a part of the curve, so that is by group,
/// then by rank. The sum is that of one rank, bit for bit, where each block's wrench is sent separately.
class SCREE_API Border {
 public:
  Border(const RowShares& rows, const PairLists& lists, const CurveShares& shares)
      : rows_(rows), lists_(lists), shares_(shares) {}

  /// For the lists and shares that there are now. All ranks call it together.
  /// \param bonded  rows of others that this rank's bodies have bonds with
  void reset(std::span<const std::uint32_t> bonded);

  /// Fetches position, velocity, angular velocity and orientation of the bodies of others that this rank sees. All
  /// ranks call it together.
  void exchange_states(World& world);
  /// Collects what this rank's chunks have left for bodies of others. \param slots  what chunks have left
  void pack_wrenches(std::span<const WrenchSlot> slots);
  /// Sends that, and gets what chunks of others have left for bodies of this rank. All ranks call it together.
  void exchange_wrenches();
  /// Whether blocks of other ranks give this row something. \pre it is of this rank
  bool crossed(std::size_t row) const { return crossed_[row] != kNowhere; }
  /// What all blocks give it, when that is exchanged. \pre crossed(row)
  Wrench sum_of(std::size_t row, std::span<const WrenchSlot> slots) const;

 private:
  struct Share {
    double force[3] = {}, torque[3] = {};  ///< [N], [N m]
    template <class Other>
    void add(const Other& other) {
      for (int k = 0; k < 3; ++k) force[k] += other.force[k], torque[k] += other.torque[k];
    }
  };
  struct State {
    Vec3 position, velocity, angular_velocity;
    Quat orientation;
  };
  /// A slot that chunks of one rank leave for a body of another.
  struct Gift {
    std::uint32_t row, group;  ///< of channels
  };
  /// One term of a crossed row's sum, in the order of terms.
  struct Part {
    std::uint32_t row, group, rank;
    std::uint32_t index;  ///< of a slot, where the rank is this one; else of what it sends
    auto operator<=>(const Part&) const = default;
  };
  struct Neighbour {
    int rank;
    std::vector<std::uint32_t> shown, seen;  ///< rows of this rank that it sees, rows of it that this rank sees
    std::vector<std::uint32_t> sent;         ///< slots
    std::vector<State> shown_states, seen_states;
    std::vector<Share> sent_shares, received_shares;
  };
  /// All that this rank needs of another one, or that one of it.
  struct Need {
    std::vector<Gift> gifts;
    std::vector<std::uint32_t> bonded;  ///< rows
    bool empty() const { return gifts.empty() && bonded.empty(); }
    std::vector<std::uint32_t> rows() const;
  };
  using Needs = std::vector<Need>;  ///< by rank
  Needs find_needs(std::span<const std::uint32_t> bonded, std::vector<std::vector<std::uint32_t>>& slots) const;
  Needs hear_of_others(const Needs& own) const;
  void find_neighbours(const Needs& own, const Needs& theirs, std::vector<std::vector<std::uint32_t>>& slots);
  void find_parts(const Needs& theirs);

  const RowShares& rows_;
  const PairLists& lists_;
  const CurveShares& shares_;
  std::vector<Neighbour> neighbours_;
  std::vector<std::uint32_t> number_of_;      ///< of each rank in neighbours_, or kNowhere
  std::vector<std::uint32_t> crossed_;        ///< by row: its number among crossed rows, or kNowhere
  std::vector<std::uint32_t> first_part_{0};  ///< of each crossed row, and one behind the last
  std::vector<Part> parts_;
};

}  // namespace scree
