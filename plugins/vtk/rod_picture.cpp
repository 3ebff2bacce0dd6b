#include "rod_picture.hpp"

#include <vtkCellData.h>
#include <vtkDataSetAttributes.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeUInt32Array.h>
#include <vtkTypeUInt64Array.h>

#include <algorithm>

#include "cells.hpp"
#include "rod_lines.hpp"
#include "scree/world/bonded_bodies.hpp"
#include "vtk_files/new_array.hpp"

namespace scree::vtk {

namespace {

/// A point of a line: between two segments, or at the end of one.
struct RodPoint {
  Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();
  double radius = 0;
  std::uint32_t row = 0;  ///< row of the segment that begins here; at the last point, of the one that ends

  /// \param leaving  true if the line leaves the segment here
  void add(const World& world, const RodSegment& segment, bool leaving, double weight) {
    row = segment.row;
    const Vec3 end = segment_end(world, row, segment.against == leaving ? -1 : 1);
    place += weight * end;
    velocity += weight * (world.velocity.read()[row] +
                          world.angular_velocity.read()[row].cross(end - world.position.read()[row]));
    radius += weight * section_radius(world, row);
  }
};

std::size_t count_points(const RodLine& line) { return line.segments.size() + (line.closed ? 0 : 1); }

RodPoint point_of(const World& world, const RodLine& line, std::size_t k) {
  const std::size_t n = line.segments.size();
  const bool begins = k<n, ends = k> 0 || line.closed;
  const double weight = begins && ends ? 0.5 : 1;
  RodPoint point;
  if (ends) point.add(world, line.segments[k > 0 ? k - 1 : n - 1], true, weight);
  if (begins) point.add(world, line.segments[k], false, weight);
  return point;
}

/// At a free end it is nothing, or what it is at the nearest bond.
double value_at(const RodLine& line, std::size_t k, const BondValues::Column& column) {
  if (line.bonds[k]) return column.value[*line.bonds[k]];
  if (column.zero_at_free_end || line.segments.size() == 1) return 0;
  const auto& nearest = line.bonds[k == 0 ? 1 : k - 1];
  return nearest ? column.value[*nearest] : 0;
}

/// Calls f(line, k, index) for all points of all lines.
template <class F>
void for_each_point(std::span<const RodLine> lines, F&& f) {
  vtkIdType index = 0;
  for (const RodLine& line : lines)
    for (std::size_t k = 0; k < count_points(line); ++k) f(line, k, index++);
}

void add_points(vtkPolyData& data, const World& world, std::span<const RodLine> lines, std::size_t count) {
  const auto place = new_array<vtkFloatArray>("place", 3, count),
             radius = new_array<vtkFloatArray>("radius", 1, count, "m"),
             speed = new_array<vtkFloatArray>("speed", 1, count, "m/s");
  const auto id = new_array<vtkTypeUInt64Array>("id", 1, count);
  const auto material = new_array<vtkTypeUInt32Array>("material", 1, count);
  for_each_point(lines, [&](const RodLine& line, std::size_t k, vtkIdType index) {
    const RodPoint point = point_of(world, line, k);
    put(place->GetPointer(3 * index), point.place);
    radius->SetValue(index, static_cast<float>(point.radius));
    speed->SetValue(index, static_cast<float>(point.velocity.norm()));
    id->SetValue(index, world.id.read()[point.row]);
    material->SetValue(index, world.material.read()[point.row]);
  });
  vtkNew<vtkPoints> points;
  points->SetData(place);
  data.SetPoints(points);
  for (vtkDataArray* array : std::initializer_list<vtkDataArray*>{radius, speed, id, material})
    data.GetPointData()->AddArray(array);
  data.GetPointData()->SetActiveScalars("radius");  // what the filter Tube takes for the thickness
}

void add_lines(vtkPolyData& data, const World& world, std::span<const RodLine> lines) {
  Cells cells;
  const auto strand = new_array<vtkTypeUInt64Array>("strand", 1, lines.size());
  vtkIdType first = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto count = static_cast<std::uint32_t>(count_points(lines[i]));
    std::vector<std::uint32_t> corners(count);
    for (std::uint32_t k = 0; k < count; ++k) corners[k] = k;
    if (lines[i].closed) corners.push_back(0);
    cells.add(corners, first);
    first += count;
    Id lowest = world.id.read()[lines[i].segments[0].row];
    for (const RodSegment& segment : lines[i].segments) lowest = std::min(lowest, world.id.read()[segment.row]);
    strand->SetValue(static_cast<vtkIdType>(i), lowest);
  }
  data.SetLines(cells.finish());
  data.GetCellData()->AddArray(strand);
}

}  // namespace

vtkSmartPointer<vtkFloatArray> array_of(const BondValues::Column& column, std::size_t tuples,
                                        vtkDataSetAttributes& taken) {
  std::string name = column.name;
  while (taken.HasArray(name.c_str())) name += "_of_bond";
  return new_array<vtkFloatArray>(name, 1, tuples, column.unit);
}

Data rod_picture(const World& world, const BondValues& values) {
  const std::vector<RodLine> lines = rod_lines(world);
  std::size_t count = 0;
  for (const RodLine& line : lines) count += count_points(line);
  auto data = Data::New();
  add_points(*data, world, lines, count);
  add_lines(*data, world, lines);
  for (const BondValues::Column& column : values.columns) {
    const auto array = array_of(column, count, *data->GetPointData());
    for_each_point(lines, [&](const RodLine& line, std::size_t k, vtkIdType index) {
      array->SetValue(index, static_cast<float>(value_at(line, k, column)));
    });
    data->GetPointData()->AddArray(array);
  }
  return data;
}

}  // namespace scree::vtk
