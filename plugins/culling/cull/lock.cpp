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

/// Adds what `from` holds to `to`, whose frame stands at `frame`.
void absorb(Aggregate& to, const Pose& frame, Aggregate&& from, const Pose& frame_of_from) {
  for (StoredGranule& g : from.stored) {
    g.pose = relative(frame, composed(frame_of_from, g.pose));
    to.stored.push_back(g);
  }
  std::ranges::move(from.more, std::back_inserter(to.more));
  std::ranges::move(from.history, std::back_inserter(to.history));
  to.links.insert(to.links.end(), from.links.begin(), from.links.end());
  to.members = united(to.members, from.members);
}

StoredGranule stored_granule(const World& world, std::size_t i, const Pose& frame) {
  const Pose pose{world.position.read()[i], world.orientation.read()[i]};
  return {world.id.read()[i],     world.shape.read()[i],   world.material.read()[i],
          world.group.read()[i],  world.scale.read()[i],   world.mass.read()[i],
          world.radius.read()[i], world.inertia.read()[i], relative(frame, pose)};
}

/// By ascending id; `more` follows.
void sort_stored(Aggregate& a) {
  std::vector<std::uint32_t> order(a.stored.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](auto p, auto q) { return a.stored[p].id < a.stored[q].id; });
  std::vector<StoredGranule> stored;
  std::vector<std::vector<std::byte>> more;
  for (const std::uint32_t k : order) stored.push_back(a.stored[k]), more.push_back(std::move(a.more[k]));
  a.stored = std::move(stored), a.more = std::move(more);
}

void add_links(Aggregate& a, const Granules& granules, const Touching& touching, const Group& group) {
  for (const std::uint32_t k : group.store)
    for (const std::uint32_t n : touching.of(k)) a.links.emplace_back(std::minmax(granules.id[k], granules.id[n]));
  std::sort(a.links.begin(), a.links.end());
  a.links.erase(std::unique(a.links.begin(), a.links.end()), a.links.end());
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

Exchanged Exchange::lock(const Granules& granules, const Touching& touching, const Group& group) {
  const Ids store = ids_of(granules, group.store), lock = ids_of(granules, group.lock);
  // What is to be one: the aggregate that stays, and others that are taken over.
  Aggregate made;
  Pose frame = group.whole.frame;
  Ids released, frames, fresh = united(store, lock);
  if (!group.aggregates.empty()) {
    frame = world_frame(world_, ledger_.aggregates.at(group.aggregates[0]));
    made = std::move(ledger_.aggregates.at(group.aggregates[0]));
  }
  for (std::size_t k = 1; k < group.aggregates.size(); ++k) {
    Aggregate& other = ledger_.aggregates.at(group.aggregates[k]);
    frames.push_back(other.owner);
    released = united(released, other.members);
    absorb(made, frame, std::move(other), world_frame(world_, other));
    ledger_.aggregates.erase(group.aggregates[k]);
  }
  const bool is_new = group.aggregates.empty();
  const std::uint32_t group_of_first =
      world_.group.read()[*world_.row(std::min(store.front(), lock.empty() ? store.front() : lock.front()))];

  // Contacts within, which end here and go on when one of the two comes out.
  const Ids members = without(united(made.members, lock), store), all = united(united(made.members, lock), store);
  for (HistoryRecord& r : history_.extract(united(fresh, released)))
    if (has(all, r.a) && has(all, r.b)) made.history.push_back(std::move(r));
  std::ranges::stable_sort(made.history, [](const auto& p, const auto& q) { return key_of(p) < key_of(q); });

  find_kept_columns(world_, ledger_.columns);
  for (const Id id : store) {
    const std::size_t i = *world_.row(id);
    made.stored.push_back(stored_granule(world_, i, frame));
    made.more.push_back(row_values(world_, ledger_.columns, i));
  }
  sort_stored(made);
  add_links(made, granules, touching, group);
  made.members = members;

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
