#pragma once
/// \file What bonds ask of two bodies as they lie: where they meet, and by how much they overlap. Bodies with the facet
/// Segment/1 are seen as segments, all others as their bounding spheres.

#include <cstddef>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// The end of a body's segment on the side of its axis (+1) or against it (-1), world [m].
/// \return the centre for a body without segment
SCREE_API Vec3 segment_end(const World& world, std::size_t row, int side);

/// Where a bond between two bodies holds them, world [m]. With two segments: in the middle between their nearest ends.
/// With one: at its end nearest to the other body's centre. Without: on the line between the centres, divided as the
/// radii.
SCREE_API Vec3 joint_place(const World& world, std::size_t i, std::size_t j);

/// Overlap of two bodies, >= 0 [m].
SCREE_API double overlap_of(const World& world, std::size_t i, std::size_t j);

/// How far apart two bodies are where a bond would hold them.
struct JointDistance {
  double distance;  ///< of the ends of two segments, else of an end or centre and a centre [m]
  double radii;     ///< up to where they touch there: 0 for two segments, whose ends meet; else the sum of radii [m]
};
SCREE_API JointDistance joint_distance(const World& world, std::size_t i, std::size_t j);

/// Radius of a body's cross-section: that of its segment, or its bounding radius [m].
SCREE_API double section_radius(const World& world, std::size_t row);

}  // namespace scree
