/// \file Culling: set-up, one coupling window, state.

#include "cull/culling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cull/carrier.hpp"
#include "cull/columns.hpp"
#include "cull/sorted_ids.hpp"
#include "ledger/bytes.hpp"
#include "ledger/check_ledger.hpp"
#include "scree/base/clock.hpp"
#include "scree/base/error.hpp"

namespace scree::culling {

namespace {

bool is_dynamic(const World& world, std::size_t i) {
  return world.kind.read()[i] == static_cast<std::uint32_t>(BodyKind::dynamic);
}

}  // namespace

Culling::~Culling() {
  if (carrier_) carrier_->forget();
}

void Culling::begin(World& world) {
  if (world.dimension() != 3)
    throw OptionError("",
                      "granular-culling: the scene has 2 dimensions, but depth below a surface is measured in 3. "
                      "Set /dimension to 3 or remove this hook.");
  if (world.cell.any())
    throw OptionError("",
                      "granular-culling: the scene has a periodic cell, across which aggregates are not known. Use "
                      "walls or remove this hook.");
  if (culling_of(world))
    throw OptionError(
        "", "granular-culling: there is another hook of this kind. Name all granules in the \"bodies\" of one.");
  is_granule_ = ChosenGroups(set_.bodies, world);
  check_bodies(world);
  for (std::size_t i = 0; i < world.size(); ++i)
    if (is_dynamic(world, i) && is_granule_(world.group.read()[i]))
      diameter_ = std::max(diameter_, 2 * world.radius.read()[i]);
  if (!(diameter_ > 0))
    throw OptionError("",
                      "granular-culling: the scene has no granules at the start, so their diameter is not known. "
                      "Place at least one, or name other entries in \"bodies\".");
  world.keep_own_forces();
  carrier_ = std::make_shared<Carrier>(*this);
  world.add_shape("frame", carrier_);
  Columns columns(world);
  Audit audit(world);
  show(world);
  world_ = &world;
}

void Culling::check_bodies(const World& world) const {
  for (std::size_t i = 0; i < world.size(); ++i) {
    const ShapeEntry& entry = world.shapes()[world.shape.read()[i]];
    const bool granule = is_dynamic(world, i) && is_granule_(world.group.read()[i]);
    if (granule && !facet<SphereSet>(*entry.shape))
      throw OptionError("", fmt::format("granular-culling: shape \"{}\" of body {} has no facet SphereSet/1, so its "
                                        "matter is not known. Granules "
                                        "are spheres or clumps: name their entries in \"bodies\".",
                                        entry.name, world.id.read()[i]));
    if (!granule && entry.shape->bounding_radius() > 0 && !facet<SignedDistance>(*entry.shape))
      throw OptionError("", fmt::format("granular-culling: shape \"{}\" of body {} has no facet SignedDistance/1, so "
                                        "which granules touch it is not "
                                        "known. Use a shape with that facet.",
                                        entry.name, world.id.read()[i]));
  }
}

bool Culling::window_ends(const World& world) {
  const auto number = static_cast<std::int64_t>(std::floor(world.time / set_.window + 1e-6));
  const bool ends = number > window_;
  window_ = number;
  return ends;
}

/// One coupling window, A to D of the README; A is the steps that were made since the last call.
void Culling::apply(World& world, const ContactView*, HistoryStore& history) {
  const double begin = clock_seconds();
  forget_lost_members(world);
  sample(world);
  const double sampled = clock_seconds();
  counts_.sample_seconds += sampled - begin;
  if (!window_ends(world)) return;
  if (window_ > 0 && due(set_.restore_every)) {
    restore_all(world, history);
  } else {
    carve(world, history);
    const double carved = clock_seconds();
    counts_.carve_seconds += carved - sampled;
    if (due(set_.cull_every)) cull(world, history);
    counts_.cull_seconds += clock_seconds() - carved;
  }
  show(world);
}

/// Members that somebody else took out of the World take their mass and momentum along.
void Culling::forget_lost_members(World& world) {
  for (auto at = ledger_.aggregates.begin(); at != ledger_.aggregates.end();) {
    Aggregate& a = (at++)->second;
    if (!world.row(a.owner))
      throw NumericalError(fmt::format("granular-culling: body {}, which carries {} stored granules, was removed.",
                                       a.owner, a.stored.size()));
    const std::size_t before = a.members.size();
    std::erase_if(a.members, [&](Id id) { return !world.row(id); });
    if (a.members.size() == before) continue;
    const Pose frame = world_frame(world, a);
    const RigidBody owner = part_of(world, *world.row(a.owner));
    RigidBody whole = rigid_sum(parts_of(world, a));
    whole.twist = {velocity_at(owner.frame.position, owner.twist, whole.frame.position), owner.twist.angular_velocity};
    world.set_rigid(a.owner, whole);
    a.frame = relative(whole.frame, frame);
  }
}

/// FNV-1a over what happened.
void Culling::note(const World& world, std::uint64_t kind, std::span<const Id> ids) {
  std::uint64_t hash = counts_.event_hash ? counts_.event_hash : 0xcbf29ce484222325ull;
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3ull, hash ^= hash >> 29; };
  mix(world.step), mix(kind), mix(ids.size());
  for (const Id id : ids) mix(id);
  counts_.event_hash = hash;
}

/// Restarts the time of rest of granules that became exterior; interface granules begin to sum impulses.
void Culling::begin_anew(World& world, const Exchanged& exchanged) const {
  Columns columns(world);
  const auto set = [&](const std::vector<Id>& ids, std::uint32_t state) {
    for (const Id id : ids) {
      const std::size_t i = *world.row(id);
      columns.state.write()[i] = state;
      columns.held.write()[i] = 0;
      columns.neighbours.write()[i] = 0;
      columns.impulse.write()[i] = Vec3::Zero();
      columns.mean.write()[i] = Vec3::Zero();
      columns.windows.write()[i] = 0;
    }
  };
  set(exchanged.freed, kExterior);
  set(exchanged.restored, kExterior);
  set(exchanged.locked, kInterface);
  set(exchanged.unstored, kInterface);
}

void Culling::show(World& world) const {
  std::size_t members = 0;
  for (const auto& [owner, a] : ledger_.aggregates) members += a.members.size();
  const auto show_as = [&](const char* name, auto value) { world.metric(name) = static_cast<double>(value); };
  show_as("culling_active", count_granules(world));
  show_as("culling_interface", members);
  show_as("culling_stored", ledger_.stored());
  show_as("culling_granule_bytes", ledger_.granule_bytes());
  show_as("culling_contact_bytes", ledger_.contact_bytes());
  show_as("culling_aggregates", ledger_.aggregates.size());
  show_as("culling_culls", counts_.culls);
  show_as("culling_carves", counts_.carves);
  show_as("culling_impacts", counts_.impacts);
  show_as("culling_exposures", counts_.exposures);
  show_as("culling_granules_stored", counts_.stored);
  show_as("culling_granules_restored", counts_.restored);
  show_as("culling_event_hash", counts_.event_hash >> 12);  // a double holds 53 bits
}

std::vector<std::byte> Culling::save() const {
  ByteWriter to;
  to.put(tested_), to.put(sampled_), to.put(window_), to.put(seen_from_), to.put(frozen_);
  to.put(counts_.impacts), to.put(counts_.exposures);
  to.put(counts_.culls), to.put(counts_.carves), to.put(counts_.restored), to.put(counts_.stored);
  to.put(counts_.event_hash);
  const std::vector<std::byte> ledger = ledger_.save();
  to.bytes.insert(to.bytes.end(), ledger.begin(), ledger.end());
  return std::move(to.bytes);
}

void Culling::load(const std::vector<std::byte>& state) {
  ByteReader from(state);
  std::uint8_t tested = 0;  // a byte that is neither 0 nor 1 is no bool
  from.get(tested), from.get(sampled_), from.get(window_), from.get(seen_from_), from.get(frozen_);
  tested_ = tested != 0;
  from.get(counts_.impacts), from.get(counts_.exposures);
  from.get(counts_.culls), from.get(counts_.carves), from.get(counts_.restored), from.get(counts_.stored);
  from.get(counts_.event_hash);
  ledger_.load(from.rest());
  if (!std::isfinite(sampled_) || window_ < -1)
    throw InputError("the state of granular-culling in the checkpoint holds what is no time");
  if (world_) check_ledger(ledger_, *world_);
}

}  // namespace scree::culling
