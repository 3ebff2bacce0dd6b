#pragma once
/// \file Contacts as hooks sum them: which ones act, and the branch that carries their force.

#include <cstddef>

#include "scree/hooks/contact_view.hpp"
#include "scree/hooks/stored_bodies.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Checks whether two bodies touch here, or push or pull on each other.
inline bool acts(const ContactRecord& c) { return c.overlap > 0 || !c.force.isZero(0); }

/// Returns the row of the body that takes the forces on a row: the owner of a member, unless it is only a frame.
inline std::size_t carrier_of(const World& world, std::size_t row) {
  const Id owner = world.owner.read()[row];
  if (owner == world.id.read()[row] || moves_freely(world, row)) return row;
  return *world.row(owner);
}

/// Line that a contact's force is carried along.
struct Branch {
  Vec3 from, way;  ///< [m]
};

/// One end of a branch: the carrier of a body of the contact, and whether the branch leads to its centre.
struct BranchEnd {
  std::size_t row;
  bool counts;
};

/// Returns the branch from the centre of mass of a to that of b's image. It ends at the contact point where an end does
/// not count.
inline Branch branch_between(const World& world, const ContactRecord& c, const BranchEnd& a, const BranchEnd& b) {
  const Vec3 from = a.counts ? world.position.read()[a.row] : c.point;
  const Vec3 to_b = world.position.read()[b.row] + world.cell.shift(unpacked(c.image));
  return {from, (b.counts ? to_b : c.point) - from};
}

/// Returns the branch of a contact; bodies that do not move freely do not count. \param a, b  rows of its bodies
inline Branch branch_of(const World& world, const ContactRecord& c, std::size_t a, std::size_t b) {
  const std::size_t of_a = carrier_of(world, a), of_b = carrier_of(world, b);
  return branch_between(world, c, {of_a, moves_freely(world, of_a)}, {of_b, moves_freely(world, of_b)});
}

}  // namespace scree
