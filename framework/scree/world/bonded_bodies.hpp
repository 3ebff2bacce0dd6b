#pragma once
/// \file Geometry of two bonded bodies: where they are joined, and by how much they overlap. Bodies with the facet
/// Segment/1 count as segments, all others as their bounding spheres. In a periodic cell the second body is in the
/// image that is nearest to the first.

#include <cstddef>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Returns the end of a body's segment on the side of its axis (+1) or against it (-1), world [m].
/// \return the centre for a body without segment
SCREE_API Vec3 segment_end(const World& world, std::size_t row, int side);

/// Returns the point where a bond holds two bodies, world [m]. For two segments it is the middle between their nearest
/// ends. For one segment it is the end nearest to the other body's centre. Without segments it lies between the centres
/// and divides their distance as the radii.
SCREE_API Vec3 joint_place(const World& world, std::size_t i, std::size_t j);

/// Returns the overlap of two bodies, >= 0 [m].
SCREE_API double overlap_of(const World& world, std::size_t i, std::size_t j);

/// Distance of two bodies where a bond would hold them.
struct JointDistance {
  double distance;  ///< distance between the ends of two segments, else between an end or centre and a centre [m]
  double radii;  ///< distance at which they touch there: 0 for two segments, whose ends meet; else the sum of radii [m]
};
/// Returns the distance of two bodies where a bond would hold them.
SCREE_API JointDistance joint_distance(const World& world, std::size_t i, std::size_t j);

/// Returns the radius of a body's cross-section: the radius of its segment, or its bounding radius [m].
SCREE_API double section_radius(const World& world, std::size_t row);

}  // namespace scree
