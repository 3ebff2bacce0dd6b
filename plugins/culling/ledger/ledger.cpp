#include "ledger/ledger.hpp"

#include <algorithm>

#include "ledger/bytes.hpp"

namespace scree::culling {

namespace {

void put(ByteWriter& to, const HistoryRecord& r) {
  to.put(r.interaction), to.put(r.a), to.put(r.b), to.put(r.image), to.put(r.feature), to.put(r.payload);
  to.put_all(r.values);
}

HistoryRecord get_record(ByteReader& from) {
  HistoryRecord r{};
  from.get(r.interaction), from.get(r.a), from.get(r.b), from.get(r.image), from.get(r.feature), from.get(r.payload);
  from.get_all(r.values);
  return r;
}

void put(ByteWriter& to, const Pose& pose) { to.put(pose.position), to.put(pose.orientation.coeffs()); }

void get(ByteReader& from, Pose& pose) { from.get(pose.position), from.get(pose.orientation.coeffs()); }

/// Member by member: the bytes between members are nobody's.
void put(ByteWriter& to, const StoredGranule& g) {
  to.put(g.id), to.put(g.shape), to.put(g.material), to.put(g.group);
  to.put(g.scale), to.put(g.mass), to.put(g.radius), to.put(g.inertia);
  put(to, g.pose);
}

StoredGranule get_granule(ByteReader& from) {
  StoredGranule g;
  from.get(g.id), from.get(g.shape), from.get(g.material), from.get(g.group);
  from.get(g.scale), from.get(g.mass), from.get(g.radius), from.get(g.inertia);
  get(from, g.pose);
  return g;
}

void put(ByteWriter& to, const Aggregate& a) {
  to.put(a.owner);
  put(to, a.frame);
  to.put(a.stored.size());
  for (const StoredGranule& g : a.stored) put(to, g);
  for (const auto& bytes : a.more) to.put_all(bytes);
  to.put_all(a.members);
  to.put(a.links.size());
  for (const auto& [first, second] : a.links) to.put(first), to.put(second);
  to.put(a.history.size());
  for (const HistoryRecord& r : a.history) put(to, r);
}

Aggregate get_aggregate(ByteReader& from) {
  Aggregate a;
  from.get(a.owner);
  get(from, a.frame);
  std::size_t size = 0;
  from.get(size);
  for (std::size_t k = 0; k < size; ++k) a.stored.push_back(get_granule(from));
  for (std::size_t k = 0; k < size; ++k) from.get_all(a.more.emplace_back());
  from.get_all(a.members);
  from.get(size);
  for (std::size_t k = 0; k < size; ++k) {
    Link link;
    from.get(link.first), from.get(link.second);
    a.links.push_back(link);
  }
  from.get(size);
  for (std::size_t k = 0; k < size; ++k) a.history.push_back(get_record(from));
  return a;
}

}  // namespace

std::size_t Ledger::stored() const {
  std::size_t sum = 0;
  for (const auto& [owner, a] : aggregates) sum += a.stored.size();
  return sum;
}

std::vector<std::byte> Ledger::save() const {
  ByteWriter to;
  to.put(columns.size());
  for (const std::string& name : columns) to.put_all(std::vector<char>(name.begin(), name.end()));
  to.put(aggregates.size());
  for (const auto& [owner, a] : aggregates) put(to, a);
  return std::move(to.bytes);
}

void Ledger::load(std::span<const std::byte> state) {
  ByteReader from(state);
  std::size_t size = 0;
  from.get(size);
  columns.clear();
  for (std::size_t k = 0; k < size; ++k) {
    std::vector<char> name;
    from.get_all(name);
    columns.emplace_back(name.begin(), name.end());
  }
  from.get(size);
  aggregates.clear();
  for (std::size_t k = 0; k < size; ++k) {
    Aggregate a = get_aggregate(from);
    const Id owner = a.owner;
    if (!aggregates.emplace(owner, std::move(a)).second)
      throw InputError("the ledger of granular-culling in the checkpoint has two aggregates of one body");
  }
  if (!from.rest().empty()) throw InputError("the state of granular-culling in the checkpoint is too long");
}

std::size_t Ledger::memory() const {
  std::size_t sum = 0;
  for (const auto& [owner, a] : aggregates) {
    sum += a.stored.size() * (sizeof(StoredGranule) + sizeof(std::vector<std::byte>));
    for (const auto& bytes : a.more) sum += bytes.size();
    sum += a.links.size() * sizeof(Link) + a.members.size() * sizeof(Id);
    for (const HistoryRecord& r : a.history) sum += sizeof(r) + r.values.size() * sizeof(double);
  }
  return sum;
}

Pose world_frame(const World& world, const Aggregate& aggregate) {
  const std::size_t o = *world.row(aggregate.owner);
  return composed({world.position.read()[o], world.orientation.read()[o]}, aggregate.frame);
}

RigidBody part_of(const StoredGranule& granule, const Pose& frame, const Pose& owner, const Twist& twist) {
  RigidBody part{granule.mass, granule.inertia, composed(frame, granule.pose), twist};
  part.twist.velocity = velocity_at(owner.position, twist, part.frame.position);
  return part;
}

RigidBody part_of(const World& world, std::size_t i) {
  return {world.mass.read()[i],
          world.inertia.read()[i],
          {world.position.read()[i], world.orientation.read()[i]},
          {world.velocity.read()[i], world.angular_velocity.read()[i]}};
}

std::vector<RigidBody> parts_of(const World& world, const Aggregate& aggregate) {
  const std::size_t o = *world.row(aggregate.owner);
  const RigidBody owner = part_of(world, o);
  const Pose frame = world_frame(world, aggregate);
  std::vector<RigidBody> parts;
  parts.reserve(aggregate.stored.size() + aggregate.members.size());
  auto stored = aggregate.stored.begin();
  auto member = aggregate.members.begin();
  while (stored != aggregate.stored.end() || member != aggregate.members.end()) {
    const bool is_stored =
        member == aggregate.members.end() || (stored != aggregate.stored.end() && stored->id < *member);
    if (is_stored) {
      parts.push_back(part_of(*stored++, frame, owner.frame, owner.twist));
    } else {  // velocities of members in the World may be those of half a step
      RigidBody& part = parts.emplace_back(part_of(world, *world.row(*member++)));
      part.twist = {velocity_at(owner.frame.position, owner.twist, part.frame.position), owner.twist.angular_velocity};
    }
  }
  return parts;
}

}  // namespace scree::culling
