#pragma once
/// \file What ranks tell each other in a step while rows are divided: the state of bodies that chunks of another rank
/// see, and what those chunks give them. Two messages between neighbours; all others hear nothing.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/evaluation/chunk_result.hpp"
#include "scree/contacts/lists/pair_lists.hpp"
#include "scree/contacts/shares/chunk_shares.hpp"

namespace scree {

class RowShares;

/// All ranks hold the same lists, so each finds by itself what it sends and what it gets. A body sums what its blocks
/// give it in their order, as BodyShares explains: the sum is that of one rank, bit for bit.
class SCREE_API Border {
 public:
  Border(const RowShares& rows, const PairLists& lists, const ChunkShares& shares)
      : rows_(rows), lists_(lists), shares_(shares) {}

  /// For the lists and shares that there are now.
  void reset();

  /// Fetches position, velocity, angular velocity and orientation of the bodies of others that this rank's chunks see.
  /// All ranks call it together.
  void exchange_states(World& world);

  /// How many wrenches this rank sends.
  std::size_t sent_count() const { return sent_.size(); }
  /// Sums one of them. \param slots  what chunks have left
  void sum_sent(std::size_t k, std::span<const WrenchSlot> slots);
  /// Sends them and gets those of the others. All ranks call it together.
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
  /// Consecutive places in PairLists::slots_of(), whose wrenches are sent as one.
  struct Run {
    const std::uint32_t* first;
    std::uint32_t count;
  };
  /// One term of a crossed row's sum.
  struct Part {
    std::uint32_t neighbour, index;  ///< of what it sends; or kHere, and a slot
  };
  static constexpr std::uint32_t kHere = kNowhere;
  struct Neighbour {
    int rank;
    std::vector<std::uint32_t> shown, seen;  ///< rows of this rank that it sees, rows of it that this rank sees
    std::vector<Run> sent;
    std::uint32_t expected = 0;  ///< shares that it sends
    std::vector<State> shown_states, seen_states;
    std::vector<Share> sent_shares, received_shares;
  };
  std::uint32_t neighbour_of(std::uint32_t rank);
  void add(std::uint32_t row, std::span<const std::uint32_t> rank_of_slot);

  const RowShares& rows_;
  const PairLists& lists_;
  const ChunkShares& shares_;
  std::vector<Neighbour> neighbours_;
  std::vector<std::uint32_t> number_of_;                       ///< of each rank in neighbours_, or kNowhere
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sent_;  ///< neighbour, and number of its Run
  std::vector<std::uint32_t> crossed_;                         ///< by row: its number among crossed rows, or kNowhere
  std::vector<std::uint32_t> first_part_{0};                   ///< of each crossed row, and one behind the last
  std::vector<Part> parts_;
};

}  // namespace scree
