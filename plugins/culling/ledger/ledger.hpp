#pragma once
/// \file Ledger of granules that were taken out of the World and will come back: those of rigid aggregates, unchanged.

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ledger/kept_history.hpp"
#include "ledger/rigid_motion.hpp"
#include "ledger/stored_granules.hpp"
#include "scree/hooks/history_store.hpp"
#include "scree/world/rigid_sum.hpp"

namespace scree::culling {

/// Two granules of one aggregate that touch, a < b; at least one of them is stored.
using Link = std::pair<Id, Id>;

/// Granules that move as one. Its owner is a body of World::frame_shape(), its interface granules are members of that.
struct Aggregate {
  Id owner = 0;
  Pose frame;  ///< frame of stored granules, in the owner's body frame; changes only if the owner's axes do
  StoredGranules stored;
  std::vector<Id> members;  ///< interface granules, ascending
  KeptHistory history;      ///< history of contacts within, by (interaction, a, b, image)
};

/// All aggregates, by owner.
struct Ledger {
  std::map<Id, Aggregate> aggregates;
  std::vector<std::string> columns;  ///< columns whose values stored granules keep

  std::size_t stored() const;
  std::vector<std::byte> save() const;
  void load(std::span<const std::byte> state);
  /// Bytes that stored granules take.
  std::size_t granule_bytes() const;
  /// Bytes that what contacts of stored granules remember takes.
  std::size_t contact_bytes() const;
};

/// Mass and moments of a stored granule, to the bit those that it has in the World.
MassProperties mass_of(const World& world, const StoredGranule& granule);
/// Bounding radius of a stored granule [m].
double radius_of(const World& world, const StoredGranule& granule);
/// Returns the frame of stored granules in the world: they move with their owner.
Pose world_frame(const World& world, const Aggregate& aggregate);
RigidBody part_of(const World& world, const StoredGranule& granule, const Pose& frame, const RigidBody& owner);
/// A granule that stands in the World.
RigidBody part_of(const World& world, std::size_t row);

/// Stored granules of one aggregate and members, in the order of ids.
std::vector<RigidBody> parts_of(const World& world, const Aggregate& aggregate);

}  // namespace scree::culling
