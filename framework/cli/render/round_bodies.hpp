#pragma once
/// \file Bodies that are round but have few faces, as balls among walls.

#include <vtkSmartPointer.h>

class vtkPolyData;

namespace scree::render {

/// Surfaces in two parts. Points are those of both.
struct ByRoundness {
  vtkSmartPointer<vtkPolyData> round;   ///< closed, of triangles, without an edge above 50 degrees; made finer
  vtkSmartPointer<vtkPolyData> others;  ///< as they were
};

/// Tells round bodies from others. A body is what hangs together by points. Round ones get sixteen times as many
/// triangles, through the same points and nearly on the same curved surface.
ByRoundness by_roundness(vtkPolyData& surfaces);

}  // namespace scree::render
