#include "page/packed.hpp"

#include <vtkBase64Utilities.h>
#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkTriangleFilter.h>
#include <vtkZLibDataCompressor.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "shown_data.hpp"

namespace scree::render {

namespace {

std::vector<std::uint16_t> corners_of(vtkPolyData& data, const vtkBoundingBox& box) {
  std::vector<std::uint16_t> corners;
  corners.reserve(3 * static_cast<std::size_t>(data.GetNumberOfPoints()));
  for (vtkIdType i = 0; i < data.GetNumberOfPoints(); ++i) {
    double x[3];
    data.GetPoint(i, x);
    for (int k = 0; k < 3; ++k)
      corners.push_back(static_cast<std::uint16_t>(step_of(x[k], box.GetBound(2 * k), box.GetBound(2 * k + 1), 65535)));
  }
  return corners;
}

std::vector<std::uint8_t> colours_of(vtkPolyData& data, const ColourRange& range) {
  vtkDataArray* const of_points = data.GetPointData()->GetArray(range.column.c_str());
  vtkDataArray* const of_cells = data.GetCellData()->GetArray(range.column.c_str());
  if (!of_points && !of_cells) return {};
  std::vector<std::uint8_t> colours(static_cast<std::size_t>(data.GetNumberOfPoints()));
  const auto colour = [&](double value) {
    return static_cast<std::uint8_t>(step_of(value, range.lowest, range.highest, 255));
  };
  if (of_points) {
    for (std::size_t i = 0; i < colours.size(); ++i)
      colours[i] = colour(of_points->GetTuple1(static_cast<vtkIdType>(i)));
    return colours;
  }
  for (vtkIdType cell = 0; cell < data.GetNumberOfCells(); ++cell) {
    vtkIdType size = 0;
    const vtkIdType* points = nullptr;
    data.GetCellPoints(cell, size, points);
    for (const vtkIdType point : std::span(points, static_cast<std::size_t>(size)))
      colours[static_cast<std::size_t>(point)] = colour(of_cells->GetTuple1(cell));
  }
  return colours;
}

std::vector<std::uint32_t> points_of(vtkCellArray& cells, vtkIdType each) {
  std::vector<std::uint32_t> points;
  const auto iterator = vtk::TakeSmartPointer(cells.NewIterator());
  for (iterator->GoToFirstCell(); !iterator->IsDoneWithTraversal(); iterator->GoToNextCell()) {
    vtkIdType size = 0;
    const vtkIdType* of_cell = nullptr;
    iterator->GetCurrentCell(size, of_cell);
    for (vtkIdType k = 0; k + each <= size; k += each == 2 ? 1 : each)
      for (vtkIdType n = 0; n < each; ++n) points.push_back(static_cast<std::uint32_t>(of_cell[k + n]));
  }
  return points;
}

}  // namespace

double step_of(double value, double lowest, double highest, double steps) {
  if (!(highest > lowest)) return 0;
  return std::clamp(std::round(steps * (value - lowest) / (highest - lowest)), 0.0, steps);
}

Packed pack(vtkPolyData& surface, const vtkBoundingBox& box, const ColourRange& range, bool flat) {
  vtkNew<vtkTriangleFilter> filter;
  filter->SetInputData(&surface);
  filter->PassVertsOff();
  filter->Update();
  vtkPolyData& triangles = *filter->GetOutput();
  Packed packed{corners_of(triangles, box), colours_of(triangles, range), points_of(*triangles.GetPolys(), 3), {}};
  if (!flat) return packed;
  packed.edges = points_of(*outlines(surface)->GetLines(), 2);
  const std::vector<std::uint32_t> lines = points_of(*surface.GetLines(), 2);
  packed.edges.insert(packed.edges.end(), lines.begin(), lines.end());
  return packed;
}

std::string compressed(const std::string& bytes) {
  vtkNew<vtkZLibDataCompressor> zlib;
  std::vector<unsigned char> small(zlib->GetMaximumCompressionSpace(bytes.size()));
  small.resize(
      zlib->Compress(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), small.data(), small.size()));
  std::string text(4 * ((small.size() + 2) / 3), '\0');
  vtkBase64Utilities::Encode(small.data(), small.size(), reinterpret_cast<unsigned char*>(text.data()));
  return text;
}

std::string as_text(const Packed& packed, bool topology) {
  return compressed(topology ? joined(packed.corners, packed.colours, packed.triangles, packed.edges)
                             : joined(packed.corners, packed.colours));
}

}  // namespace scree::render
