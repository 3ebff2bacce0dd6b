#pragma once
/// \file Outlines in the form that graphics programs fill rightly.

#include "scree/shape/surface.hpp"

namespace scree::vtk {

/// VTK and ParaView fill a polygon as the fan of triangles from its first corner, which is wrong for most outlines that
/// are not convex. Here such a cell becomes one that starts in a point that sees the whole outline and then runs round
/// it, its first corner repeated at the end: the fan from that point is the outline's inside. Cells of which the first
/// corner sees all stay as they are; where neither `centre` nor the mean of the corners does, a cell is cut into
/// triangles. \param surface  2D, in the plane z = 0; open outlines stay as they are \param centre   tried first, body
/// frame [m]
Surface fanned(const Surface& surface, const Vec3& centre);

}  // namespace scree::vtk
