#pragma once
/// \file What was taken out of the World and will come back: granules of rigid aggregates, exactly as they were.

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ledger/rigid_motion.hpp"
#include "scree/hooks/history_store.hpp"
#include "scree/world/rigid_sum.hpp"

namespace scree::culling {

/// A granule that is not in the World. Its place is that in the frame of its aggregate, as doubles: nothing is
/// rounded away.
struct StoredGranule {
  Id id = 0;
  std::uint32_t shape = 0, material = 0, group = 0;
  double scale = 1, mass = 0, radius = 0;
  Vec3 inertia = Vec3::Zero();  ///< principal moments [kg m^2]
  Pose pose;                    ///< in the aggregate's frame
};

/// Two granules of one aggregate that touch, a < b; at least one of them is, or was, stored.
using Link = std::pair<Id, Id>;

/// Granules that move as one. Its owner is a body of World::frame_shape(), its interface granules are members of that.
struct Aggregate {
  Id owner = 0;
  Pose frame;  ///< of stored granules, in the owner's body frame; changes only where the owner's axes do
  std::vector<StoredGranule> stored;         ///< by ascending id
  std::vector<std::vector<std::byte>> more;  ///< (stored) values of columns, in the order of Ledger::columns
  std::vector<Id> members;                   ///< interface granules, ascending
  std::vector<Link> links;                   ///< ascending
  std::vector<HistoryRecord> history;        ///< of contacts within, by (interaction, a, b, image)
};

/// All aggregates, by owner.
struct Ledger {
  std::map<Id, Aggregate> aggregates;
  std::vector<std::string> columns;  ///< whose values stored granules keep

  std::size_t stored() const;
  std::vector<std::byte> save() const;
  void load(std::span<const std::byte> state);
  /// Bytes that stored granules take, about.
  std::size_t memory() const;
};

/// Where stored granules are, and how they move: as their owner does.
Pose world_frame(const World& world, const Aggregate& aggregate);
RigidBody part_of(const StoredGranule& granule, const Pose& frame, const Pose& owner, const Twist& twist);
/// A granule that stands in the World.
RigidBody part_of(const World& world, std::size_t row);

/// Stored granules of one aggregate and members, in the order of ids.
std::vector<RigidBody> parts_of(const World& world, const Aggregate& aggregate);

}  // namespace scree::culling
