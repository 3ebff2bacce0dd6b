#pragma once
/// \file One number for the layouts of all types that scree and a plugin hand each other in memory. It is part of the
/// manifest, so that a type that was changed by oversight under the same SCREE_API_VERSION is refused, not misread.

#include <cstddef>
#include <cstdint>

#include "scree/detect/contact_buffer.hpp"
#include "scree/detect/contact_detector.hpp"
#include "scree/detect/pair.hpp"
#include "scree/engine/engine.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/hooks/history_store.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/integrate/cones.hpp"
#include "scree/integrate/integrator.hpp"
#include "scree/integrate/joints.hpp"
#include "scree/integrate/potential.hpp"
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

/// Sizes and alignments, type by type.
template <class... Types>
constexpr std::uint64_t layout_of_types() {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  ((hash = mixed(mixed(hash, sizeof(Types)), alignof(Types))), ...);
  return hash;
}

}  // namespace detail

/// Add a type only together with a new SCREE_API_VERSION: older plugins do not know of it.
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
