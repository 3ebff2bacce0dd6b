#pragma once
/// \file Granules out of the World into the ledger, and back: every edit that culling makes, with momenta kept.

#include <span>
#include <vector>

#include "cull/groups.hpp"
#include "scree/hooks/history_store.hpp"

namespace scree::culling {

/// Ids, ascending.
struct Exchanged {
  std::vector<Id> stored, locked;   ///< out of the World; free before, interface now
  std::vector<Id> restored, freed;  ///< back in the World; exterior from now on
  std::vector<Id> unstored;         ///< back in the World as interface
};

class Exchange {
 public:
  /// \param gap  granules of an aggregate nearer than this touch [m]
  Exchange(World& world, HistoryStore& history, Ledger& ledger, double gap)
      : world_(world), history_(history), ledger_(ledger), gap_(gap) {}

  /// Makes a group one aggregate: mass, momentum and angular momentum stay, kinetic energy of motion against each other
  /// is booked as dissipated.
  Exchanged lock(const Granules& granules, const Group& group);

  /// Takes granules out of an aggregate. What is stored and touches one of them becomes interface; what touches nothing
  /// stored any more becomes exterior. The rest falls into connected pieces, which keep the rigid motion there was;
  /// those with fewer than `smallest` stored granules dissolve.
  /// \param out  stored granules and members, ascending
  Exchanged open(Id owner, std::span<const Id> out, std::size_t smallest);

 private:
  struct Piece;
  struct Cut;
  Cut cut(const Aggregate& aggregate, std::span<const Id> out, std::size_t smallest) const;
  void restore(std::span<const StoredGranule> stored, Id owner, std::span<const Id> ids, const Pose& frame);
  Id add_frame(const RigidBody& whole, std::uint32_t group);

  World& world_;
  HistoryStore& history_;
  Ledger& ledger_;
  double gap_;
};

}  // namespace scree::culling
