/// \file Exchange::open().

#include <map>

#include "cull/exchange.hpp"
#include "cull/sorted_ids.hpp"
#include "ledger/kept_columns.hpp"
#include "ledger/links.hpp"
#include "scree/base/disjoint_sets.hpp"
#include "scree/base/error.hpp"
#include "scree/base/internal_error.hpp"

namespace scree::culling {

/// Granules that stay together.
struct Exchange::Piece {
  Ids stored, interface;
  bool contains(Id id) const { return has(stored, id) || has(interface, id); }
};

/// Result of opening an aggregate.
struct Exchange::Cut {
  std::vector<Piece> pieces;  ///< by smallest id; the first keeps the owner
  Ids exterior;
};

namespace {

/// Calls each(stored, other) for links with an end among `stored`, both ways where both are.
template <class Each>
void for_links_of(std::span<const Link> links, const Ids& stored, const Each& each) {
  for (const auto& [p, q] : links) {
    if (has(stored, p)) each(p, q);
    if (has(stored, q)) each(q, p);
  }
}

const StoredGranule& find(std::span<const StoredGranule> stored, Id id) {
  return *std::ranges::lower_bound(stored, id, {}, &StoredGranule::id);
}

}  // namespace

Exchange::Cut Exchange::cut(const Aggregate& a, std::span<const Id> out, std::size_t smallest) const {
  const Ids before = a.stored.ids(), all = united(before, a.members);
  const std::vector<Link> links = links_of(world_, a, gap_);
  Ids bared, next;
  for_links_of(links, before, [&](Id s, Id other) {
    if (has(out, other)) bared.push_back(s);
  });
  sort_unique(bared);
  const Ids stored = without(without(before, out), bared);
  for_links_of(links, stored, [&](Id, Id other) { next.push_back(other); });
  sort_unique(next);
  const Ids interface = without(without(next, stored), out), inside = united(stored, interface);

  DisjointSets sets(inside.size());
  const auto number = [&](Id id) {
    return static_cast<std::uint32_t>(std::lower_bound(inside.begin(), inside.end(), id) - inside.begin());
  };
  for_links_of(links, stored, [&](Id s, Id other) { sets.join(number(s), number(other)); });
  std::map<std::uint32_t, Piece> pieces;  // by their smallest id
  for (const Id id : inside) {
    Piece& piece = pieces[sets.find(number(id))];
    (has(stored, id) ? piece.stored : piece.interface).push_back(id);
  }
  Cut result;
  Ids kept;
  for (auto& [first, piece] : pieces) {
    if (piece.stored.size() < smallest) continue;
    kept = united(kept, united(piece.stored, piece.interface));
    result.pieces.push_back(std::move(piece));
  }
  result.exterior = without(all, kept);
  return result;
}

void Exchange::restore(std::span<const StoredGranule> stored, Id of, std::span<const Id> ids, const Pose& frame) {
  const RigidBody owner = part_of(world_, *world_.row(of));
  std::vector<BodySpec> bodies;
  std::vector<RigidBody> parts;
  for (const Id id : ids) {
    const StoredGranule& g = find(stored, id);
    const RigidBody& part = parts.emplace_back(part_of(world_, g, frame, owner));
    BodySpec& body = bodies.emplace_back();
    body.id = id, body.shape = g.shape, body.material = g.material, body.group = g.group, body.scale = g.scale;
    body.position = part.frame.position, body.orientation = part.frame.orientation;
    body.velocity = part.twist.velocity, body.angular_velocity = part.twist.angular_velocity;
  }
  world_.add(bodies);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const std::size_t i = *world_.row(ids[k]);
    // A body is added by its reference point and axes, from which the place would come back rounded.
    world_.position.write()[i] = parts[k].frame.position;
    world_.orientation.write()[i] = parts[k].frame.orientation.normalized();
    set_row_values(world_, ledger_.columns, i, find(stored, ids[k]).values);
  }
}

Exchanged Exchange::open(Id of, std::span<const Id> out, std::size_t smallest) {
  Aggregate old = std::move(ledger_.aggregates.at(of));
  ledger_.aggregates.erase(of);
  const Cut cut = this->cut(old, out, smallest);
  const Pose frame = world_frame(world_, old);
  const RigidBody owner = part_of(world_, *world_.row(of));
  const std::vector<StoredGranule> stored = old.stored.unpacked();
  const Ids before = old.stored.ids();

  std::vector<Aggregate> rest;
  std::vector<RigidBody> wholes;
  Ids back = common(before, cut.exterior), leaving = common(old.members, cut.exterior);
  Exchanged done{.stored = {}, .locked = {}, .restored = back, .freed = leaving, .unstored = {}};
  for (const Piece& piece : cut.pieces) {
    Aggregate& a = rest.emplace_back();
    std::vector<StoredGranule> of_piece;
    for (const Id id : piece.stored) of_piece.push_back(find(stored, id));
    a.stored = StoredGranules(of_piece);
    a.members = piece.interface;
    done.unstored = united(done.unstored, common(before, piece.interface));
    if (&piece != &cut.pieces[0]) leaving = united(leaving, common(old.members, piece.interface));
  }
  back = united(back, done.unstored);
  restore(stored, of, back, frame);
  world_.release(leaving);

  for (std::size_t k = 0; k < rest.size(); ++k) {
    Aggregate& a = rest[k];
    a.owner = of;  // whose motion is that of all pieces
    a.frame = old.frame;
    RigidBody whole = rigid_sum(parts_of(world_, a));
    whole.twist = {velocity_at(owner.frame.position, owner.twist, whole.frame.position), owner.twist.angular_velocity};
    wholes.push_back(whole);
  }
  for (std::size_t k = 0; k < rest.size(); ++k) {
    Aggregate& a = rest[k];
    if (k > 0) a.owner = add_frame(wholes[k], a.stored.begin()->group);
    const Ids attached = k > 0 ? a.members : common(a.members, back);
    a.frame = relative(wholes[k].frame, frame);
    if (attached.empty())
      world_.set_rigid(a.owner, wholes[k]);
    else
      world_.attach(attached, a.owner, wholes[k]);
  }
  if (rest.empty()) world_.remove(Ids{of});

  std::vector<HistoryRecord> outside;
  std::vector<std::vector<HistoryRecord>> within(rest.size());
  for (HistoryRecord& r : old.history.unpacked()) {
    std::size_t k = 0;
    while (k < rest.size() && !(cut.pieces[k].contains(r.a) && cut.pieces[k].contains(r.b))) ++k;
    (k < rest.size() ? within[k] : outside).push_back(std::move(r));
  }
  for (std::size_t k = 0; k < rest.size(); ++k) rest[k].history = KeptHistory(within[k]);
  try {
    history_.insert(outside);
  } catch (const InternalError&) {
    throw;
  } catch (const Error& e) {  // of a checkpoint that was changed: what a run stores came from there
    throw IoError(std::string("granular-culling: what contacts of stored granules remember does not fit: ") + e.what());
  }
  for (Aggregate& a : rest) {
    const Id owner_of_rest = a.owner;
    ledger_.aggregates[owner_of_rest] = std::move(a);
  }
  return done;
}

}  // namespace scree::culling
