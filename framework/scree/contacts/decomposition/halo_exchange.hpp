#pragma once
/// \file The halo exchange of a step: states of owned rows that chunks or bonds of other ranks see as ghosts, and the
/// wrenches that those chunks return. Two messages between neighbouring ranks, none between others.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/decomposition/curve_partition.hpp"
#include "scree/contacts/evaluation/chunk_result.hpp"
#include "scree/contacts/lists/pair_lists.hpp"

namespace scree {

class Decomposition;

/// Exchanges ghosts and their wrenches.
///
///     rank 0  | rows of blocks 0..k        |  rank 1  | rows of blocks k+1..n      |
///               body a   body b  ----------- pair (b, c) has its home in block k -- body c
///
///   1. exchange_states():    rank 1 sends position, velocities and orientation of c; c is a ghost on rank 0
///   2. chunks of rank 0 compute the pair (b, c) and leave a wrench for each of the two rows
///   3. exchange_wrenches():  rank 0 returns the wrench of c to its owner, rank 1
///
/// A pair is computed once, by the rank that has its home block, and its history lives there. The alternative,
/// computing it on both sides, would save message 3 and double the work and the history at each cut, and both copies of
/// a spring would have to stay equal.
///
/// Why wrenches are returned block by block and not as one sum per body: floating-point sums depend on their order. On
/// one rank a body adds what its blocks give it by group of channels, then along the curve. A rank has a contiguous
/// part of the curve, so this order is by group, then by rank, then within the rank. sum_of() merges own and received
/// terms in that order. So the sum is that of one rank, bit for bit, whatever the number of ranks.
class SCREE_API HaloExchange {
 public:
  HaloExchange(const Decomposition& rows, const PairLists& lists, const CurvePartition& shares)
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
  /// Tells whether blocks of other ranks add to the wrench of this row. \pre this rank owns the row
  bool is_shared(std::size_t row) const { return shared_index_[row] != kNowhere; }
  /// Sum of the wrenches of all blocks on a row, after exchange_wrenches(). \pre is_shared(row)
  Wrench sum_of(std::size_t row, std::span<const WrenchSlot> slots) const;

 private:
  struct WrenchSum {
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
  struct RemoteWrench {
    std::uint32_t row, group;  ///< a row of the World, and a group of channels
  };
  /// One term of a shared row's sum, in the order of terms.
  struct Term {
    std::uint32_t row, group, rank;
    std::uint32_t index;  ///< number of a slot, where the rank is this one; else of a wrench that it sends
    auto operator<=>(const Term&) const = default;
  };
  struct Neighbour {
    int rank;
    std::vector<std::uint32_t> sent_rows,
        ghost_rows;                   ///< rows of this rank that it sees, rows of it that this rank sees
    std::vector<std::uint32_t> sent;  ///< slots
    std::vector<State> sent_states, ghost_states;
    std::vector<WrenchSum> sent_wrenches, received_wrenches;
  };
  /// All that this rank requests of another one, or that one of it.
  struct GhostRequest {
    std::vector<RemoteWrench> wrenches;
    std::vector<std::uint32_t> bonded;  ///< rows
    bool empty() const { return wrenches.empty() && bonded.empty(); }
    std::vector<std::uint32_t> rows() const;
  };
  using GhostRequests = std::vector<GhostRequest>;  ///< by rank
  GhostRequests find_requests(std::span<const std::uint32_t> bonded,
                              std::vector<std::vector<std::uint32_t>>& slots) const;
  GhostRequests exchange_requests(const GhostRequests& own) const;
  void find_neighbours(const GhostRequests& own, const GhostRequests& of_others,
                       std::vector<std::vector<std::uint32_t>>& slots);
  void find_terms(const GhostRequests& of_others);

  const Decomposition& rows_;
  const PairLists& lists_;
  const CurvePartition& shares_;
  std::vector<Neighbour> neighbours_;
  std::vector<std::uint32_t> number_of_;      ///< number of each rank in neighbours_, or kNowhere
  std::vector<std::uint32_t> shared_index_;   ///< by row: its number among shared rows, or kNowhere
  std::vector<std::uint32_t> first_term_{0};  ///< first term of each shared row, and one behind the last
  std::vector<Term> terms_;
};

}  // namespace scree
