#pragma once
/// \file Exact Euclidean distances in a band below the surface of a sparse set of voxels.

#include <openvdb/openvdb.h>

namespace scree::culling {

/// Value beyond the band [voxels^2].
inline constexpr std::int32_t kBeyond = 1 << 24;

/// Squared distances, in voxels, of the centres of matter from the nearest centre of air in the box. For voxels of air
/// they mean nothing.
/// \param matter  its active voxels and tiles
/// \param reach   width of the band: greater distances read as greater than this [voxels]
openvdb::Int32Tree squared_distances(const openvdb::BoolTree& matter, const openvdb::CoordBBox& box, int reach);

/// Air of the box that shares a face with matter.
openvdb::BoolTree air_beside(const openvdb::BoolTree& matter, const openvdb::CoordBBox& box);

}  // namespace scree::culling
