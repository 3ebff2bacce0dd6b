#pragma once
/// \file Contacts as meters see them: ends, branches, and sums of dyads that do not round.

#include <algorithm>
#include <set>

#include "chosen.hpp"
#include "scree/base/exact_sum.hpp"
#include "scree/hooks/contact_view.hpp"

namespace scree::meters {

/// A symmetric part of a sum of dyads, without rounding: xx, yy, zz, xy, yz, zx.
struct ExactTensor {
  ExactSum part[6];
  void add(const Vec3& f, const Vec3& l) {
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3;
      part[k].add(f[k] * l[k]);
      part[3 + k].add(0.5 * (f[k] * l[next] + f[next] * l[k]));
    }
  }
};

/// Checks whether two bodies touch here, or push or pull on each other.
inline bool acts(const ContactRecord& c) { return c.overlap > 0 || !c.force.isZero(0); }

/// Checks whether a contact lies in a region. Its point may be outside by half an overlap: the region's border is often
/// a wall. \param within  takes a point [m]
template <class Within>
bool lies_in(const ContactRecord& c, const Within& within) {
  const Vec3 half = 0.501 * std::max(0.0, c.overlap) * c.normal;  // reaches either surface, in spite of rounding
  return within(c.point) || within(c.point + half) || within(c.point - half);
}

/// The line that a contact's force is carried along: from the centre of a to that of b's image. It ends at the point
/// where one of the two is no free body.
struct Branch {
  Vec3 from, way;  ///< [m]
};
inline Branch branch_of(const World& world, const ContactRecord& c, std::size_t a, std::size_t b) {
  const Vec3 to_b = world.position[b] + world.cell.shift(unpacked(c.image));
  const Vec3 from = moves_freely(world, a) ? world.position[a] : c.point;
  return {from, (moves_freely(world, b) ? to_b : c.point) - from};
}

/// Frames that stored bodies move with. Contacts among such bodies, and the frame's members, are not computed.
inline std::set<Id> frames_of_stored(const World& world) {
  std::set<Id> frames;
  for (const StoredBodies* const stored : stored_bodies(world))
    stored->each(world, [&](const BodyState& state) { frames.insert(state.owner); });
  return frames;
}

}  // namespace scree::meters
