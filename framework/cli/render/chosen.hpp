#pragma once
/// \file Parts of VTK data with all their columns.

#include <vtkCellArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

namespace scree::render {

/// Returns some points with a vertex each. \param wanted  number of a point -> true if it stays
template <class Wanted>
vtkSmartPointer<vtkPolyData> chosen_points(vtkPolyData& data, const Wanted& wanted) {
  vtkPointData& columns = *data.GetPointData();
  auto rest = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> verts;
  rest->GetPointData()->CopyAllocate(&columns);
  for (vtkIdType i = 0; i < data.GetNumberOfPoints(); ++i) {
    if (!wanted(i)) continue;
    const vtkIdType k = points->InsertNextPoint(data.GetPoint(i));
    verts->InsertNextCell(1, &k);
    rest->GetPointData()->CopyData(&columns, i, k);
  }
  rest->SetPoints(points);
  rest->SetVerts(verts);
  rest->SetFieldData(data.GetFieldData());
  return rest;
}

/// Returns all points, and some cells. \param wanted  number of a cell -> true if it stays
template <class Wanted>
vtkSmartPointer<vtkPolyData> chosen_cells(vtkPolyData& data, const Wanted& wanted) {
  auto rest = vtkSmartPointer<vtkPolyData>::New();
  rest->DeepCopy(&data);
  rest->BuildCells();
  for (vtkIdType cell = 0; cell < data.GetNumberOfCells(); ++cell)
    if (!wanted(cell)) rest->DeleteCell(cell);
  rest->RemoveDeletedCells();
  return rest;
}

}  // namespace scree::render
