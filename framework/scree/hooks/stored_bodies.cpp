#include "scree/hooks/stored_bodies.hpp"

namespace scree {

namespace {

/// Returns the row of the frame that a body is a member of; its own row if it is a member of none.
std::size_t frame_of(const World& world, std::size_t row) {
  const Id owner = world.owner.read()[row];
  if (owner == world.id.read()[row]) return row;
  const std::size_t at = *world.row(owner);
  return world.radius.read()[at] == 0 ? at : row;
}

}  // namespace

StoredBodies::~StoredBodies() = default;

std::vector<const StoredBodies*> stored_bodies(const World& world) {
  std::vector<const StoredBodies*> all;
  for (const ShapeEntry& entry : world.shapes())
    if (const auto* const stored = facet<StoredBodies>(*entry.shape)) all.push_back(stored);
  return all;
}

bool moves_freely(const World& world, std::size_t row) {
  return world.radius.read()[row] != 0 && world.inverse_mass.read()[frame_of(world, row)] != 0;
}

BodyState state_of(const World& world, std::size_t row) {
  const std::size_t by = frame_of(world, row);
  const Vec3 x = world.position.read()[row], turn = world.angular_velocity.read()[by];
  Vec3 velocity = world.velocity.read()[by];
  if (by != row) velocity += turn.cross(x - world.position.read()[by]);
  return {world.id.read()[row],
          world.id.read()[by],
          world.shape.read()[row],
          world.material.read()[row],
          world.group.read()[row],
          world.scale.read()[row],
          {world.mass.read()[row], world.inertia.read()[row], {x, world.orientation.read()[row]}, {velocity, turn}}};
}

void for_each_free_body(const World& world, const VisitBody& visit) {
  for (std::size_t i = 0; i < world.size(); ++i)
    if (moves_freely(world, i)) visit(state_of(world, i));
  for (const StoredBodies* const stored : stored_bodies(world)) stored->each(world, visit);
}

std::size_t count_free_bodies(const World& world) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < world.owned(); ++i) count += moves_freely(world, i);
  for (const StoredBodies* const stored : stored_bodies(world)) count += stored->size();
  return count;
}

void bring_back(World& world, HistoryStore& history, std::span<const Id> ids) {
  for (const StoredBodies* const stored : stored_bodies(world)) stored->bring_back(world, history, ids);
}

}  // namespace scree
