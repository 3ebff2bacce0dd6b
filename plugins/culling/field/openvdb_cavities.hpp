#pragma once
/// \file Air that is enclosed by matter, in a sparse set of voxels.

#include <openvdb/openvdb.h>

namespace scree::culling {

/// Makes air within the box matter where no path of shared faces leads from it to the box's sides or to `open`.
/// \param matter  its active voxels and tiles
/// \param box     begins at the origin
/// \param open    voxels of air that are outside by themselves
void fill_cavities(openvdb::BoolTree& matter, const openvdb::CoordBBox& box, const openvdb::BoolTree& open);

}  // namespace scree::culling
