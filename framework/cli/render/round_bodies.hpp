#pragma once
/// \file Round bodies with few faces, such as balls among walls.

#include <vtkSmartPointer.h>

class vtkPolyData;

namespace scree::render {

/// Surfaces in two parts, with the columns of their cells.
struct ByRoundness {
  vtkSmartPointer<vtkPolyData> round;   ///< closed, of triangles, without an edge above 50 degrees; refined
  vtkSmartPointer<vtkPolyData> others;  ///< unchanged
};

/// Separates round bodies from others. A body is a set of cells connected by points. Round ones get more triangles,
/// through the same points and nearly on the same curved surface. \param rounds  of refinement, by four each
ByRoundness by_roundness(vtkPolyData& surfaces, int rounds);

}  // namespace scree::render
