#include "shown_data.hpp"

#include <vtkBoundingBox.h>
#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkCellData.h>
#include <vtkCleanPolyData.h>
#include <vtkFeatureEdges.h>
#include <vtkFloatArray.h>
#include <vtkMath.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkPolyDataNormals.h>
#include <vtkSplineFilter.h>
#include <vtkTubeFilter.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace scree::render {

double quantile(vtkDataArray* values, double part) {
  if (values == nullptr || values->GetNumberOfTuples() == 0) return 0;
  std::vector<double> sorted(static_cast<std::size_t>(values->GetNumberOfTuples()));
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = values->GetTuple1(static_cast<vtkIdType>(i));
  // The nearest one, the lower of two: of two bodies nearly all are both.
  const double place = std::ceil(part * static_cast<double>(sorted.size() - 1) - 0.5);
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(std::max(place, 0.0));
  std::nth_element(sorted.begin(), at, sorted.end());
  return *at;
}

namespace {

/// Calls each(first, end, diameter) for the consecutive cells of every body.
template <class Each>
void for_bodies(vtkPolyData& particles, const Each& each) {
  vtkDataArray* const id = particles.GetCellData()->GetArray("id");
  vtkBoundingBox body;
  vtkIdType last_point = -1, first = 0;
  const auto finish = [&](vtkIdType end) {
    // The box of a disc has a diagonal of sqrt(2) diameters, that of a ball sqrt(3).
    if (body.IsValid()) each(first, end, body.GetDiagonalLength() / std::sqrt(body.GetLength(2) > 0 ? 3.0 : 2.0));
    body.Reset();
    first = end;
  };
  for (vtkIdType i = 0; i < particles.GetNumberOfCells(); ++i) {
    vtkIdType size = 0;
    const vtkIdType* corners = nullptr;
    particles.GetCellPoints(i, size, corners);
    const bool fresh = id ? i > 0 && id->GetTuple1(i) != id->GetTuple1(i - 1)
                          : *std::min_element(corners, corners + size) > last_point;
    if (fresh) finish(i);
    last_point = std::max(last_point, *std::max_element(corners, corners + size));
    double bounds[6];
    particles.GetCellBounds(i, bounds);
    body.AddBounds(bounds);
  }
  finish(particles.GetNumberOfCells());
}

}  // namespace

double typical_diameter(vtkPolyData& particles) {
  vtkNew<vtkFloatArray> diameters;
  for_bodies(particles,
             [&](vtkIdType, vtkIdType, double diameter) { diameters->InsertNextValue(static_cast<float>(diameter)); });
  return quantile(diameters, 0.5);
}

void add_sizes(vtkPolyData& particles) {
  vtkNew<vtkFloatArray> sizes;
  sizes->SetName("size");
  sizes->SetNumberOfTuples(particles.GetNumberOfCells());
  vtkDataArray* const radius = particles.GetCellData()->GetArray("radius");
  for_bodies(particles, [&](vtkIdType first, vtkIdType end, double diameter) {
    const double size = radius ? 2 * radius->GetTuple1(first) : diameter;
    for (vtkIdType k = first; k < end; ++k) sizes->SetValue(k, static_cast<float>(size));
  });
  particles.GetCellData()->AddArray(sizes);
}

vtkSmartPointer<vtkPolyData> outlines(vtkPolyData& data) {
  std::vector<std::pair<vtkIdType, vtkIdType>> edges;
  const auto iterator = vtk::TakeSmartPointer(data.GetPolys()->NewIterator());
  for (iterator->GoToFirstCell(); !iterator->IsDoneWithTraversal(); iterator->GoToNextCell()) {
    vtkIdType size = 0;
    const vtkIdType* corners = nullptr;
    iterator->GetCurrentCell(size, corners);
    for (vtkIdType k = 0; k < size; ++k) edges.push_back(std::minmax({corners[k], corners[(k + 1) % size]}));
  }
  std::sort(edges.begin(), edges.end());
  vtkNew<vtkCellArray> lines;
  for (auto edge = edges.begin(); edge != edges.end();) {
    const auto next = std::find_if(edge, edges.end(), [&](const auto& other) { return other != *edge; });
    if (next - edge == 1) lines->InsertNextCell({edge->first, edge->second});
    edge = next;
  }
  auto result = vtkSmartPointer<vtkPolyData>::New();
  result->SetPoints(data.GetPoints());
  result->SetLines(lines);
  return result;
}

vtkSmartPointer<vtkPolyData> sharp_edges(vtkPolyData& surfaces) {
  vtkNew<vtkCleanPolyData> joined;
  joined->SetInputData(&surfaces);
  joined->PointMergingOn();
  joined->SetTolerance(1e-6);
  vtkNew<vtkFeatureEdges> edges;
  edges->SetInputConnection(joined->GetOutputPort());
  edges->SetFeatureAngle(30);
  edges->BoundaryEdgesOn();
  edges->FeatureEdgesOn();
  edges->NonManifoldEdgesOn();
  edges->ManifoldEdgesOff();
  edges->ColoringOff();
  edges->Update();
  return edges->GetOutput();
}

vtkSmartPointer<vtkPolyData> smooth(vtkPolyData& data) {
  vtkNew<vtkPolyDataNormals> normals;
  normals->SetInputData(&data);
  normals->SetFeatureAngle(60);
  normals->ConsistencyOff();
  normals->Update();
  return normals->GetOutput();
}

vtkSmartPointer<vtkPolyData> with_radii(vtkPolyData& contacts, double largest) {
  vtkDataArray* force = contacts.GetCellData()->GetArray("force_magnitude");
  const double strong = std::max(quantile(force, kNearlyAll), 1e-300);
  vtkNew<vtkFloatArray> radius;
  radius->SetNumberOfTuples(contacts.GetNumberOfPoints());
  for (vtkIdType i = 0; i < contacts.GetNumberOfPoints(); ++i) {
    const double share = force ? std::min(force->GetTuple1(i / 2) / strong, 1.0) : 1;
    radius->SetValue(i, static_cast<float>(largest * std::max(share, 0.02)));
  }
  auto lines = vtkSmartPointer<vtkPolyData>::New();
  lines->SetPoints(contacts.GetPoints());
  lines->SetLines(contacts.GetLines());
  lines->GetPointData()->SetScalars(radius);
  return lines;
}

namespace {

/// Number of pieces into which curves between the joints of a rod are divided.
constexpr double kPieces = 4;

/// Returns the median of the lengths of the lines' straight parts [m].
double typical_part(vtkPolyData& lines) {
  vtkNew<vtkFloatArray> lengths;
  const auto iterator = vtk::TakeSmartPointer(lines.GetLines()->NewIterator());
  for (iterator->GoToFirstCell(); !iterator->IsDoneWithTraversal(); iterator->GoToNextCell()) {
    vtkIdType size = 0;
    const vtkIdType* points = nullptr;
    iterator->GetCurrentCell(size, points);
    for (vtkIdType k = 1; k < size; ++k) {
      double from[3], to[3];
      lines.GetPoint(points[k - 1], from);
      lines.GetPoint(points[k], to);
      lengths->InsertNextValue(static_cast<float>(std::sqrt(vtkMath::Distance2BetweenPoints(from, to))));
    }
  }
  return quantile(lengths, 0.5);
}

/// Returns curves through the joints: rods are smooth, their segments are not.
vtkSmartPointer<vtkPolyData> curves(vtkPolyData& rods) {
  const double part = typical_part(rods);
  if (!(part > 0)) return &rods;
  vtkNew<vtkSplineFilter> filter;
  filter->SetInputData(&rods);
  filter->SetSubdivideToLength();
  filter->SetLength(part / kPieces);
  filter->Update();
  return filter->GetOutput();
}

}  // namespace

void number_lines(vtkPolyData& lines, const char* name) {
  vtkNew<vtkFloatArray> numbers;
  numbers->SetName(name);
  for (vtkIdType k = 0; k < lines.GetNumberOfCells(); ++k) numbers->InsertNextValue(static_cast<float>(k));
  lines.GetCellData()->AddArray(numbers);
}

vtkSmartPointer<vtkPolyData> tubes(vtkPolyData& rods) {
  rods.GetPointData()->SetActiveScalars("radius");
  const auto lines = curves(rods);
  lines->GetPointData()->SetActiveScalars("radius");
  vtkNew<vtkTubeFilter> filter;
  filter->SetInputData(lines);
  filter->SetVaryRadiusToVaryRadiusByAbsoluteScalar();
  filter->SetNumberOfSides(12);
  filter->CappingOn();
  filter->Update();
  return filter->GetOutput();
}

}  // namespace scree::render
