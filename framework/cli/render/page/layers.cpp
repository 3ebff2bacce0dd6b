#include "page/layers.hpp"

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkTriangleFilter.h>
#include <vtkTypeUInt32Array.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "page/shapes.hpp"
#include "scree/base/error.hpp"
#include "scree/base/types.hpp"

namespace scree::render {

namespace {

using Kind = PageColumn::Kind;

std::vector<double> numbers(vtkDataArray& array, int component = 0) {
  std::vector<double> values(static_cast<std::size_t>(array.GetNumberOfTuples()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = array.GetComponent(static_cast<vtkIdType>(i), component);
  return values;
}

vtkDataArray& column(vtkPolyData& points, const char* name, int components) {
  vtkDataArray* const array = points.GetPointData()->GetArray(name);
  if (array == nullptr || array->GetNumberOfComponents() < components)
    throw IoError(fmt::format("particles are points without the column \"{}\".", name));
  return *array;
}

std::uint32_t id_of(double value) {
  return value >= 0 && value < 4294967295.0 ? static_cast<std::uint32_t>(value) : 0xffffffffu;
}

/// Returns keys from ids, or numbers of the rows.
std::vector<Key> keys_from(vtkDataArray* ids, std::size_t count) {
  std::vector<Key> keys(count);
  for (std::size_t k = 0; k < count; ++k)
    keys[k] = {ids ? id_of(ids->GetTuple1(static_cast<vtkIdType>(k))) : static_cast<std::uint32_t>(k), 0};
  return keys;
}

void add_places(PageRows& rows, vtkPolyData& data) {
  const char* const names[3] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    PageColumn place{names[k], Kind::place, {}};
    place.values.resize(static_cast<std::size_t>(data.GetNumberOfPoints()));
    for (std::size_t i = 0; i < place.values.size(); ++i) place.values[i] = data.GetPoint(static_cast<vtkIdType>(i))[k];
    rows.columns.push_back(std::move(place));
  }
}

/// Adds the columns of one number, except those that rows have.
void add_values(PageRows& rows, vtkDataSetAttributes& data, const std::vector<std::string>& except) {
  for (int k = 0; k < data.GetNumberOfArrays(); ++k) {
    vtkDataArray* const array = data.GetArray(k);
    if (array == nullptr || array->GetNumberOfComponents() != 1 || array->GetName() == nullptr) continue;
    const std::string name = array->GetName();
    if (std::ranges::find(except, name) != except.end()) continue;
    const bool whole = array->GetDataType() != VTK_FLOAT && array->GetDataType() != VTK_DOUBLE;
    rows.columns.push_back({name, whole ? Kind::whole : Kind::value, numbers(*array)});
  }
}

/// Returns the angle times the axis, 0 to pi: the shorter of both ways.
Vec3 rotation_vector(double w, const Vec3& v) {
  const double sine = v.norm();
  if (!(sine > 0)) return Vec3::Zero();
  return (w < 0 ? -1 : 1) * 2 * std::atan2(sine, std::abs(w)) / sine * v;
}

void add_turns(PageRows& rows, vtkDataArray& quaternions, vtkDataArray& shape, const PageShapes& shapes) {
  PageColumn turn[3] = {{"turn_x", Kind::angle, {}}, {"turn_y", Kind::angle, {}}, {"turn_z", Kind::angle, {}}};
  for (vtkIdType i = 0; i < quaternions.GetNumberOfTuples(); ++i) {
    const double* q = quaternions.GetTuple(i);
    const bool round = shapes.is_round(static_cast<int>(shape.GetTuple1(i)));
    const Vec3 vector = round ? Vec3::Zero().eval() : rotation_vector(q[0], Vec3(q[1], q[2], q[3]));
    for (int k = 0; k < 3; ++k) turn[k].values.push_back(vector[k]);
  }
  for (PageColumn& component : turn) rows.columns.push_back(std::move(component));
}

const std::vector<double>* values_of(const PageRows& rows, const std::string& name) {
  const auto it = std::ranges::find(rows.columns, name, &PageColumn::name);
  return it == rows.columns.end() ? nullptr : &it->values;
}

}  // namespace

PageRows body_rows(vtkPolyData& points, const PageShapes& shapes) {
  const bool balls = shapes.are_balls();
  const auto count = static_cast<std::size_t>(points.GetNumberOfPoints());
  vtkPointData& data = *points.GetPointData();
  PageRows rows{keys_from(data.GetArray("id"), count), {}};
  if (count == 0) return rows;
  add_places(rows, points);
  rows.columns.push_back({"shape", Kind::whole, numbers(column(points, "shape", 1))});
  vtkDataArray* const scale = balls ? &column(points, "radius", 1) : data.GetArray("scale");
  rows.columns.push_back({"size", Kind::place, scale ? numbers(*scale) : std::vector<double>(count, 1.0)});
  if (!balls) add_turns(rows, column(points, "quaternion", 4), column(points, "shape", 1), shapes);
  add_values(rows, data, {"id", "shape", "scale", "size", "x", "y", "z", "turn_x", "turn_y", "turn_z"});
  return rows;
}

namespace {

/// Contacts of a pair.
struct Link {
  double force = 0, strongest = 0;  ///< their sum, and the largest [N]
  Vec3 ends[2];                     ///< places of the strongest [m]
  bool own[2] = {false, false};     ///< true for an end that is no centre of a body that is drawn
};

}  // namespace

PageRows contact_rows(vtkPolyData& contacts, const PageRows& bodies) {
  PageRows rows;
  vtkCellData& data = *contacts.GetCellData();
  vtkDataArray *force = data.GetArray("force_magnitude"), *a = data.GetArray("id_a"), *b = data.GetArray("id_b");
  const auto count = static_cast<std::size_t>(contacts.GetNumberOfCells());
  if (!force || !a || !b || count == 0 || contacts.GetNumberOfPoints() < static_cast<vtkIdType>(2 * count)) return rows;
  const std::vector<double>* const centres[3] = {values_of(bodies, "x"), values_of(bodies, "y"),
                                                 values_of(bodies, "z")};
  /// Checks whether a line ends at the centre of a body that is drawn.
  const auto at_centre = [&](std::uint32_t id, const Vec3& end) {
    const auto body = std::ranges::lower_bound(bodies.keys, Key{id, 0});
    if (body == bodies.keys.end() || *body != Key{id, 0} || !centres[0]) return false;
    const auto row = static_cast<std::size_t>(body - bodies.keys.begin());
    double away = 0, size = 0;
    for (int k = 0; k < 3; ++k) {
      away = std::max(away, std::abs((*centres[k])[row] - end[k]));
      size = std::max(size, std::abs(end[k]));
    }
    return away <= 1e-5 * size;  // single precision of the files
  };
  // A pair may touch at several points. It gets one line, with the sum of their forces.
  std::map<Key, Link> links;
  for (std::size_t k = 0; k < count; ++k) {
    const auto line = static_cast<vtkIdType>(k);
    const Key key{id_of(a->GetTuple1(line)), id_of(b->GetTuple1(line))};
    Vec3 from, to;
    contacts.GetPoint(2 * line, from.data());
    contacts.GetPoint(2 * line + 1, to.data());
    const double share = force->GetTuple1(line);
    if (!std::isfinite(share)) continue;
    Link& link = links[key];
    link.force += share;
    link.own[0] = !at_centre(key.first, from), link.own[1] = !at_centre(key.second, to);
    if (share >= link.strongest) link.ends[0] = from, link.ends[1] = to, link.strongest = share;
  }
  rows.columns = {{"force", Kind::value, {}}, {"ends", Kind::whole, {}}};
  for (const char* name : {"ax", "ay", "az", "bx", "by", "bz"}) rows.columns.push_back({name, Kind::place, {}});
  for (const auto& [key, link] : links) {
    rows.keys.push_back(key);
    rows.columns[0].values.push_back(link.force);
    rows.columns[1].values.push_back((link.own[0] ? 1 : 0) + (link.own[1] ? 2 : 0));
    for (std::size_t end = 0; end < 2; ++end)
      for (std::size_t axis = 0; axis < 3; ++axis)
        rows.columns[2 + 3 * end + axis].values.push_back(
            link.own[end] ? link.ends[end][static_cast<Eigen::Index>(axis)] : 0);
  }
  return rows;
}

PageRows rod_rows(vtkPolyData& rods) {
  PageRows rows;
  vtkDataArray *radius = rods.GetPointData()->GetArray("radius"), *strand = rods.GetCellData()->GetArray("strand");
  if (!radius || rods.GetNumberOfPoints() == 0) return rows;
  std::vector<vtkIdType> points;
  vtkIdType line = 0;
  const auto iterator = vtk::TakeSmartPointer(rods.GetLines()->NewIterator());
  for (iterator->GoToFirstCell(); !iterator->IsDoneWithTraversal(); iterator->GoToNextCell(), ++line) {
    vtkIdType size = 0;
    const vtkIdType* of_line = nullptr;
    iterator->GetCurrentCell(size, of_line);
    const std::uint32_t name = strand ? id_of(strand->GetTuple1(line)) : static_cast<std::uint32_t>(line);
    for (vtkIdType k = 0; k < size; ++k) {
      rows.keys.push_back({name, static_cast<std::uint32_t>(k)});
      points.push_back(of_line[k]);
    }
  }
  PageRows of_points;
  add_places(of_points, rods);
  of_points.columns.push_back({"radius", Kind::place, numbers(*radius)});
  add_values(of_points, *rods.GetPointData(), {"radius", "x", "y", "z"});
  for (PageColumn& column : of_points.columns) {
    PageColumn chosen{column.name, column.kind, {}};
    for (const vtkIdType point : points) chosen.values.push_back(column.values[static_cast<std::size_t>(point)]);
    rows.columns.push_back(std::move(chosen));
  }
  return rows;
}

PageRows corner_rows(vtkPolyData& surface) {
  PageRows rows{keys_from(nullptr, static_cast<std::size_t>(surface.GetNumberOfPoints())), {}};
  add_places(rows, surface);
  return rows;
}

PageRows cell_rows(vtkPolyData& surface) {
  PageRows rows{keys_from(nullptr, static_cast<std::size_t>(surface.GetNumberOfCells())), {}};
  add_values(rows, *surface.GetCellData(), {});
  return rows;
}

namespace {

std::vector<std::uint32_t> corners_of(vtkCellArray& cells, vtkIdType each) {
  std::vector<std::uint32_t> corners;
  const auto iterator = vtk::TakeSmartPointer(cells.NewIterator());
  for (iterator->GoToFirstCell(); !iterator->IsDoneWithTraversal(); iterator->GoToNextCell()) {
    vtkIdType size = 0;
    const vtkIdType* of_cell = nullptr;
    iterator->GetCurrentCell(size, of_cell);
    for (vtkIdType k = 0; k + each <= size; k += each == 2 ? 1 : each)
      for (vtkIdType n = 0; n < each; ++n) corners.push_back(static_cast<std::uint32_t>(of_cell[k + n]));
  }
  return corners;
}

}  // namespace

Topology topology_of(vtkPolyData& surface) {
  constexpr const char* name = "number_in_page";
  vtkNew<vtkTypeUInt32Array> own;
  own->SetName(name);
  for (vtkIdType k = 0; k < surface.GetNumberOfCells(); ++k) own->InsertNextValue(static_cast<std::uint32_t>(k));
  vtkNew<vtkPolyData> numbered;
  numbered->ShallowCopy(&surface);
  numbered->GetCellData()->Initialize();
  numbered->GetCellData()->AddArray(own);
  vtkNew<vtkTriangleFilter> filter;
  filter->SetInputData(numbered);
  filter->PassVertsOff();
  filter->PassLinesOff();
  filter->Update();
  vtkPolyData& triangles = *filter->GetOutput();
  Topology topology{corners_of(*triangles.GetPolys(), 3), {}, corners_of(*surface.GetLines(), 2)};
  vtkDataArray* const cells = triangles.GetCellData()->GetArray(name);
  for (std::size_t k = 0; 3 * k < topology.triangles.size(); ++k)
    topology.cells.push_back(cells ? static_cast<std::uint32_t>(cells->GetTuple1(static_cast<vtkIdType>(k))) : 0);
  return topology;
}

}  // namespace scree::render
