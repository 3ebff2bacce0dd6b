/// \file Exchange::lock().

#include "cull/exchange.hpp"
#include "cull/sorted_ids.hpp"
#include "ledger/kept_columns.hpp"

namespace scree::culling {

namespace {

Ids ids_of(const Granules& granules, const std::vector<std::uint32_t>& numbers) {
  Ids ids;
  for (const std::uint32_t k : numbers) ids.push_back(granules.id[k]);
  return ids;
}

auto key_of(const HistoryRecord& r) { return std::tie(r.interaction, r.a, r.b, r.image); }

/// Parts from which an aggregate is made.
struct Parts {
  std::vector<StoredGranule> stored;
  std::vector<HistoryRecord> history;
  Ids members;
};

/// Adds what `from` holds. \param frame, frame_of_from  of the aggregate that is made, and of that one
void absorb(Parts& to, const Pose& frame, const Aggregate& from, const Pose& frame_of_from) {
  for (StoredGranule& g : from.stored.unpacked()) {
    g.pose = relative(frame, composed(frame_of_from, g.pose));
    to.stored.push_back(std::move(g));
  }
  std::ranges::move(from.history.unpacked(), std::back_inserter(to.history));
  to.members = united(to.members, from.members);
}

StoredGranule stored_granule(const World& world, const std::vector<std::string>& columns, std::size_t i,
                             const Pose& frame) {
  const Pose pose{world.position.read()[i], world.orientation.read()[i]};
  return {world.id.read()[i],    world.shape.read()[i], world.material.read()[i],     world.group.read()[i],
          world.scale.read()[i], relative(frame, pose), row_values(world, columns, i)};
}

}  // namespace

Id Exchange::add_frame(const RigidBody& whole, std::uint32_t group) {
  BodySpec frame;
  frame.shape = world_.frame_shape();
  frame.group = group;
  frame.position = whole.frame.position;
  frame.orientation = whole.frame.orientation;
  return world_.add(std::vector{frame})[0];
}

Exchanged Exchange::lock(const Granules& granules, const Group& group) {
  const Ids store = ids_of(granules, group.store), lock = ids_of(granules, group.lock);
  // What is to be one: the aggregate that stays, and others that are taken over.
  Aggregate made;
  Parts parts;
  Pose frame = group.whole.frame;
  Ids released, frames, fresh = united(store, lock);
  if (!group.aggregates.empty()) {
    frame = world_frame(world_, ledger_.aggregates.at(group.aggregates[0]));
    made = std::move(ledger_.aggregates.at(group.aggregates[0]));
    parts = {made.stored.unpacked(), made.history.unpacked(), made.members};
  }
  for (std::size_t k = 1; k < group.aggregates.size(); ++k) {
    Aggregate& other = ledger_.aggregates.at(group.aggregates[k]);
    frames.push_back(other.owner);
    released = united(released, other.members);
    absorb(parts, frame, other, world_frame(world_, other));
    ledger_.aggregates.erase(group.aggregates[k]);
  }
  const bool is_new = group.aggregates.empty();
  const std::uint32_t group_of_first =
      world_.group.read()[*world_.row(std::min(store.front(), lock.empty() ? store.front() : lock.front()))];

  // Contacts within, which end here and go on when one of the two comes out.
  const Ids all = united(united(parts.members, lock), store);
  for (HistoryRecord& r : history_.extract(united(fresh, released)))
    if (has(all, r.a) && has(all, r.b)) parts.history.push_back(std::move(r));
  std::ranges::stable_sort(parts.history, [](const auto& p, const auto& q) { return key_of(p) < key_of(q); });

  find_kept_columns(world_, ledger_.columns);
  for (const Id id : store) parts.stored.push_back(stored_granule(world_, ledger_.columns, *world_.row(id), frame));
  std::ranges::sort(parts.stored, {}, &StoredGranule::id);
  made.stored = StoredGranules(parts.stored);
  made.history = KeptHistory(parts.history);
  made.members = without(united(parts.members, lock), store);

  world_.release(released);
  world_.remove(united(store, frames));
  if (is_new) made.owner = add_frame(group.whole, group_of_first);
  made.frame = relative(group.whole.frame, frame);
  const Ids attached = without(united(lock, released), store);
  if (attached.empty())
    world_.set_rigid(made.owner, group.whole);
  else
    world_.attach(attached, made.owner, group.whole);
  const Id owner = made.owner;
  ledger_.aggregates[owner] = std::move(made);
  return {.stored = store, .locked = lock, .restored = {}, .freed = {}, .unstored = {}};
}

}  // namespace scree::culling
