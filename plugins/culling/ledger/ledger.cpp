#include "ledger/ledger.hpp"

#include <algorithm>

#include "ledger/bytes.hpp"

namespace scree::culling {

namespace {

void put(ByteWriter& to, const Pose& pose) { to.put(pose.position), to.put(pose.orientation.coeffs()); }

void get(ByteReader& from, Pose& pose) { from.get(pose.position), from.get(pose.orientation.coeffs()); }

void put(ByteWriter& to, const Aggregate& a) {
  to.put(a.owner);
  put(to, a.frame);
  a.stored.save(to);
  to.put_all(a.members);
  a.history.save(to);
}

Aggregate get_aggregate(ByteReader& from) {
  Aggregate a;
  from.get(a.owner);
  get(from, a.frame);
  a.stored.load(from);
  from.get_all(a.members);
  a.history.load(from);
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

std::size_t Ledger::granule_bytes() const {
  std::size_t sum = 0;
  for (const auto& [owner, a] : aggregates) sum += a.stored.bytes();
  return sum;
}

std::size_t Ledger::contact_bytes() const {
  std::size_t sum = 0;
  for (const auto& [owner, a] : aggregates) sum += a.history.bytes();
  return sum;
}

MassProperties mass_of(const World& world, const StoredGranule& g) {
  const double density = world.materials()[g.material].density;
  return scaled(world.shapes()[g.shape].shape->mass(density), g.scale, world.dimension());
}

double radius_of(const World& world, const StoredGranule& g) {
  return g.scale * world.shapes()[g.shape].shape->bounding_radius();
}

Pose world_frame(const World& world, const Aggregate& aggregate) {
  const std::size_t o = *world.row(aggregate.owner);
  return composed({world.position.read()[o], world.orientation.read()[o]}, aggregate.frame);
}

RigidBody part_of(const World& world, const StoredGranule& granule, const Pose& frame, const RigidBody& owner) {
  const MassProperties own = mass_of(world, granule);
  RigidBody part{own.mass, own.inertia, composed(frame, granule.pose), owner.twist};
  part.twist.velocity = velocity_at(owner.frame.position, owner.twist, part.frame.position);
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
      parts.push_back(part_of(world, *stored, frame, owner));
      ++stored;
    } else {  // velocities of members in the World may be those of half a step
      RigidBody& part = parts.emplace_back(part_of(world, *world.row(*member++)));
      part.twist = {velocity_at(owner.frame.position, owner.twist, part.frame.position), owner.twist.angular_velocity};
    }
  }
  return parts;
}

}  // namespace scree::culling
