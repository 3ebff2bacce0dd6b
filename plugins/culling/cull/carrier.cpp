#include "cull/carrier.hpp"

#include "cull/culling.hpp"

namespace scree::culling {

const void* Carrier::facet(std::string_view name) const noexcept {
  return culling_ && name == StoredBodies::kName ? static_cast<const StoredBodies*>(this) : nullptr;
}

std::size_t Carrier::size() const { return culling_->ledger().stored(); }

void Carrier::each(const World& world, const VisitBody& visit) const {
  for (const auto& [owner, a] : culling_->ledger().aggregates) {
    const Pose frame = world_frame(world, a);
    const RigidBody body = part_of(world, *world.row(owner));
    for (const StoredGranule& g : a.stored)
      visit({g.id, owner, g.shape, g.material, g.group, g.scale, part_of(world, g, frame, body)});
  }
}

void Carrier::bring_back(World& world, HistoryStore& history, std::span<const Id> ids) const {
  culling_->bring_back(world, history, ids);
}

const Culling* culling_of(const World& world) {
  for (const ShapeEntry& entry : world.shapes())
    if (const auto* const carrier = dynamic_cast<const Carrier*>(entry.shape.get())) return carrier->culling();
  return nullptr;
}

}  // namespace scree::culling
