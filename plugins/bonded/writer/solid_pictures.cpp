#include "writer/solid_pictures.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeUInt64Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include "vtk_files/new_array.hpp"

namespace scree::bonded {

namespace {

using vtk::new_array;

/// A cell array from one value per element. \param elements  of the cells
template <class Array, class Value>
void add(vtkCellData& cells, const char* name, std::span<const std::uint32_t> elements, Value&& value) {
  auto array = new_array<Array>(name, 1, elements.size());
  auto* to = array->GetPointer(0);
  for (const std::uint32_t element : elements) *to++ = static_cast<typename Array::ValueType>(value(element));
  cells.AddArray(array);
}

void add_element_data(vtkCellData& cells, std::span<const std::uint32_t> elements, const SolidFrame& frame,
                      const Pieces& pieces) {
  add<vtkTypeUInt64Array>(cells, "id", elements, [&](std::uint32_t e) { return frame.id[e]; });
  add<vtkTypeUInt64Array>(cells, "fragment", elements, [&](std::uint32_t e) { return frame.id[pieces.fragment[e]]; });
  add<vtkFloatArray>(cells, "damage", elements, [&](std::uint32_t e) { return pieces.damage[e]; });
  add<vtkFloatArray>(cells, "speed", elements, [&](std::uint32_t e) { return frame.speed[e]; });
  cells.SetActiveScalars("fragment");
}

vtkSmartPointer<vtkPoints> points_array(std::span<const Vec3> position) {
  auto places = new_array<vtkFloatArray>("position", 3, position.size());
  float* to = places->GetPointer(0);
  for (const Vec3& p : position)
    for (int k = 0; k < 3; ++k) *to++ = static_cast<float>(p[k]);
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetData(places);
  return points;
}

}  // namespace

vtkSmartPointer<vtkUnstructuredGrid> solid_picture(const SolidFrame& frame, const Pieces& pieces,
                                                   const SolidPoints& points) {
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  grid->SetPoints(points_array(points.position));
  vtkNew<vtkCellArray> cells;
  std::vector<std::uint32_t> elements(frame.size());
  for (std::uint32_t e = 0; e < frame.size(); ++e) {
    elements[e] = e;
    vtkIdType corners[4];
    for (std::size_t k = 0; k < 4; ++k) corners[k] = points.of_corner[4 * e + k];
    cells->InsertNextCell(4, corners);
  }
  grid->SetCells(VTK_TETRA, cells);
  add_element_data(*grid->GetCellData(), elements, frame, pieces);
  return grid;
}

vtkSmartPointer<vtkPolyData> surface_picture(const SolidFrame& frame, std::span<const ShownFace> faces,
                                             const Pieces& pieces, const SolidPoints& points) {
  // Points inside are not seen: those that are get numbers of their own, in the order in which they are met.
  constexpr vtkIdType kUnseen = -1;
  std::vector<vtkIdType> number(points.position.size(), kUnseen);
  std::vector<Vec3> seen;
  vtkNew<vtkCellArray> triangles;
  std::vector<std::uint32_t> elements;
  for (const ShownFace& face : faces) {
    vtkIdType corners[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t point = points.of_corner[4 * face.side.element + kFaces[face.side.face][k]];
      if (number[point] == kUnseen) {
        number[point] = static_cast<vtkIdType>(seen.size());
        seen.push_back(points.position[point]);
      }
      corners[k] = number[point];
    }
    triangles->InsertNextCell(3, corners);
    elements.push_back(face.side.element);
  }
  auto surface = vtkSmartPointer<vtkPolyData>::New();
  surface->SetPoints(points_array(seen));
  surface->SetPolys(triangles);
  add_element_data(*surface->GetCellData(), elements, frame, pieces);
  auto crack = new_array<vtkUnsignedCharArray>("crack", 1, faces.size());
  for (std::size_t i = 0; i < faces.size(); ++i) crack->SetValue(static_cast<vtkIdType>(i), faces[i].crack);
  surface->GetCellData()->AddArray(crack);
  return surface;
}

}  // namespace scree::bonded
