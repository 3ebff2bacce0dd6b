#pragma once
/// \file Fragments as VTK data.

#include <vtkSmartPointer.h>

#include "writer/solid_frame.hpp"

class vtkPolyData;
class vtkUnstructuredGrid;

namespace scree::bonded {

/// One tetrahedron per body, in order of id. Cell data: id, fragment (smallest id in it), damage (share of broken
/// bonds)
/// [-], speed [m/s].
vtkSmartPointer<vtkUnstructuredGrid> solid_picture(const SolidFrame& frame, const Pieces& pieces,
                                                   const SolidPoints& points);

/// The triangles that are seen, outward. Cell data: as above, of the body the triangle belongs to, and crack: 1 for
/// what was inside.
vtkSmartPointer<vtkPolyData> surface_picture(const SolidFrame& frame, std::span<const ShownFace> faces,
                                             const Pieces& pieces, const SolidPoints& points);

}  // namespace scree::bonded
