#pragma once
/// \file Bodies as users count them, whether they stand in the World or a modifier keeps them outside of it for a time.

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/hooks/history_store.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// A body that moves freely, as it is now.
struct BodyState {
  Id id = 0;
  Id owner = 0;  ///< own id, or the id of the body it moves with
  std::uint32_t shape = 0, material = 0, group = 0;
  double scale = 1;
  RigidBody rigid;  ///< its own mass and moments, place and twist
};
using VisitBody = std::function<void(const BodyState&)>;

/// The facet of the frame shape (World::frame_shape()) of a modifier that takes bodies out of the World and brings them
/// back. Meanwhile they move as one with a frame that is a body of this shape, and so do its members in the World.
class SCREE_API StoredBodies {
 public:
  static constexpr std::string_view kName = "StoredBodies/1";
  virtual ~StoredBodies();

  /// How many are stored.
  virtual std::size_t size() const = 0;
  /// Calls visit for each body that is stored, in the order of the frames' ids, then of ids. It stands where it would
  /// be if it came back now.
  virtual void each(const World& world, const VisitBody& visit) const = 0;
  /// Makes these free bodies of the World, whether they are stored or members of a frame, with the motion they have.
  /// Bodies next to them may come back too. Ids that are neither are ignored.
  virtual void bring_back(World& world, HistoryStore& history, std::span<const Id> ids) const = 0;
};

/// Of all modifiers of this World that store bodies.
SCREE_API std::vector<const StoredBodies*> stored_bodies(const World& world);

/// Whether the row is a body that moves freely: alone, or as a member of a frame.
SCREE_API bool moves_freely(const World& world, std::size_t row);

/// The state of a body in the World. A member has the motion of its owner.
SCREE_API BodyState state_of(const World& world, std::size_t row);

/// Calls visit for each body that moves freely: those in the World in the order of rows, then those that are stored.
SCREE_API void for_each_free_body(const World& world, const VisitBody& visit);

/// How many that are.
SCREE_API std::size_t count_free_bodies(const World& world);

/// StoredBodies::bring_back() of all modifiers: for hooks that remove bodies, before they do.
SCREE_API void bring_back(World& world, HistoryStore& history, std::span<const Id> ids);

}  // namespace scree
