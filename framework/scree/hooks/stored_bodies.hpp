#pragma once
/// \file Bodies as users count them: both those in the World and those that a modifier stores outside of it for a time.

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/hooks/history_store.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// State of a body that moves freely.
struct BodyState {
  Id id = 0;
  Id owner = 0;  ///< own id, or the id of the body it moves with
  std::uint32_t shape = 0, material = 0, group = 0;
  double scale = 1;
  RigidBody rigid;  ///< mass and moments of the body alone, its place and twist
};
using VisitBody = std::function<void(const BodyState&)>;

/// Facet of the frame shape (World::frame_shape()) of a modifier that takes bodies out of the World and brings them
/// back. Meanwhile they move as one with a frame that is a body of this shape, and so do its members in the World.
class SCREE_API StoredBodies {
 public:
  static constexpr std::string_view kName = "StoredBodies/1";
  virtual ~StoredBodies();

  /// Number of stored bodies.
  virtual std::size_t size() const = 0;
  /// Calls visit for each stored body, in the order of the frames' ids, then of ids. Its state is the state it would
  /// have if it came back now.
  virtual void each(const World& world, const VisitBody& visit) const = 0;
  /// Makes these free bodies of the World, with their present motion, whether they are stored or members of a frame.
  /// Bodies next to them may come back too. Ids that are neither are ignored.
  virtual void bring_back(World& world, HistoryStore& history, std::span<const Id> ids) const = 0;
};

/// Returns the StoredBodies of all modifiers of this World that have them.
SCREE_API std::vector<const StoredBodies*> stored_bodies(const World& world);

/// Checks whether the row is a body that moves freely: alone, or as a member of a frame.
SCREE_API bool moves_freely(const World& world, std::size_t row);

/// Returns the state of a body in the World. A member has the motion of its owner.
SCREE_API BodyState state_of(const World& world, std::size_t row);

/// Calls visit for each body that moves freely: those in the World in the order of rows, then the stored ones.
SCREE_API void for_each_free_body(const World& world, const VisitBody& visit);

/// Returns the number of bodies that move freely, in the World and stored.
SCREE_API std::size_t count_free_bodies(const World& world);

/// Calls StoredBodies::bring_back() of all modifiers: for hooks that remove bodies, before they do.
SCREE_API void bring_back(World& world, HistoryStore& history, std::span<const Id> ids);

}  // namespace scree
