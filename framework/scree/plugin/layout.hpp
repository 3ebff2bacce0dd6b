#pragma once
/// \file Fingerprint of the layouts of all types that scree and plugins exchange in memory. It is part of the manifest:
/// a type that was changed by oversight under the same SCREE_API_VERSION is refused, not misread.

#include <cstddef>
#include <cstdint>

#include "scree/detect/contact_buffer.hpp"
#include "scree/detect/contact_detector.hpp"
#include "scree/detect/pair.hpp"
#include "scree/engine/engine.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/hooks/history_store.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/integrate/energy_problem.hpp"
#include "scree/integrate/impulse_problem.hpp"
#include "scree/integrate/integrator.hpp"
#include "scree/law/bond_law.hpp"
#include "scree/law/contact_law.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"
#include "scree/world/body_view.hpp"
#include "scree/world/world.hpp"

namespace scree {

namespace detail {

constexpr std::uint64_t mixed(std::uint64_t hash, std::size_t value) {
  hash = (hash ^ value) * 0x100000001b3ull;
  return hash ^ hash >> 29;
}

/// Returns a hash of sizes and alignments, type by type.
template <class... Types>
constexpr std::uint64_t layout_of_types() {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  ((hash = mixed(mixed(hash, sizeof(Types)), alignof(Types))), ...);
  return hash;
}

}  // namespace detail

/// Returns the fingerprint. Add a type only together with a new SCREE_API_VERSION: older plugins do not know it.
constexpr std::uint64_t layout_fingerprint() {
  std::uint64_t hash =
      detail::layout_of_types<Vec3, Quat, Wrench, World, BodySpec, EditLog, Motion, ShapeEntry, MaterialEntry,
                              ColumnStorage, Table, BodyRow, BodyView, Pair, PairCache, ContactBuffer,
                              ContactBuffer::Rows, ContactMatch, DetectorTraits, ContactColumns, ForceColumns,
                              ForceNeeds, BondView, IntegratorTraits, Wrenches, ConeContact, Joint, PotentialContact,
                              HistoryRecord, ContactRecord, ContactTotals, Schedule, Frame, MassProperties, Surface,
                              FacePoint, EnginePlan, Wanted, StepCounts, HistoryTable, StageSeconds>();
  for (const std::size_t offset :
       {offsetof(BodyRow, position), offsetof(BodyRow, velocity), offsetof(BodyRow, angular_velocity),
        offsetof(BodyRow, orientation), offsetof(BodyRow, id), offsetof(ContactColumns, overlap),
        offsetof(ContactColumns, normal), offsetof(ContactColumns, velocity), offsetof(ContactColumns, mass),
        offsetof(ContactColumns, radius), offsetof(ContactColumns, spin), offsetof(ContactColumns, turn),
        offsetof(ContactRecord, overlap), offsetof(ContactRecord, normal), offsetof(ContactRecord, force)})
    hash = detail::mixed(hash, offset);
  return hash;
}

}  // namespace scree
