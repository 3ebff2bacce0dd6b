#include "cut.hpp"

#include <fmt/format.h>
#include <vtkBoundingBox.h>
#include <vtkCell.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "chosen.hpp"
#include "scree/base/error.hpp"

namespace scree::render {

namespace {

constexpr const char* kForms =
    "Give an axis and a place in metres, such as y=0.1, or a plane nx,ny,nz,d, of which the side n.x > d is left out.";

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw InputError(fmt::format("scree render: --cut {}: {} {}", text, why, kForms));
}

/// Returns a number, or nothing if it is not one finite number.
std::optional<double> number(const std::string& word) {
  std::istringstream in(word);
  double value = 0;
  if (!(in >> value) || !(in >> std::ws).eof() || !std::isfinite(value)) return std::nullopt;
  return value;
}

double number_of(const std::string& text, const std::string& word) {
  if (const auto value = number(word)) return *value;
  refuse(text, fmt::format("\"{}\" is not a number.", word));
}

/// Returns the cut of an axis: the side of the viewer (Stage::aim) is in front.
Cut axis_cut(const std::string& text, const std::string& axis, const std::string& place) {
  const std::map<std::string, Vec3> towards_viewer = {
      {"x", Vec3::UnitX()}, {"y", -Vec3::UnitY()}, {"z", Vec3::UnitZ()}};
  const auto found = towards_viewer.find(axis);
  if (found == towards_viewer.end()) refuse(text, fmt::format("there is no axis \"{}\".", axis));
  return {found->second, number_of(text, place) * found->second.sum()};
}

}  // namespace

Cut parse_cut(const std::string& text) {
  if (const auto equals = text.find('='); equals != std::string::npos)
    return axis_cut(text, text.substr(0, equals), text.substr(equals + 1));
  std::vector<double> values;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) values.push_back(number_of(text, word));
  if (values.size() != 4) refuse(text, fmt::format("a plane has 4 numbers, not {}.", values.size()));
  const Cut cut = {{values[0], values[1], values[2]}, values[3]};
  if (cut.normal.isZero(0)) refuse(text, "the normal is zero.");
  return cut;
}

namespace {

/// Returns the box around all cells of each body.
std::map<double, vtkBoundingBox> boxes(vtkPolyData& bodies, vtkDataArray* id) {
  std::map<double, vtkBoundingBox> all;
  for (vtkIdType cell = 0; cell < bodies.GetNumberOfCells(); ++cell) {
    double bounds[6];
    bodies.GetCellBounds(cell, bounds);
    all[id ? id->GetTuple1(cell) : static_cast<double>(cell)].AddBounds(bounds);
  }
  return all;
}

vtkSmartPointer<vtkPolyData> cells_behind(vtkPolyData& bodies, const Cut& cut) {
  vtkDataArray* const id = bodies.GetCellData()->GetArray("id");
  const auto all = boxes(bodies, id);
  return chosen_cells(bodies, [&](vtkIdType cell) {
    double centre[3];
    all.at(id ? id->GetTuple1(cell) : static_cast<double>(cell)).GetCenter(centre);
    return !cut.leaves_out(Vec3(centre));
  });
}

}  // namespace

vtkSmartPointer<vtkPolyData> without_front(vtkPolyData& bodies, const Cut& cut) {
  if (bodies.GetNumberOfVerts() == 0) return cells_behind(bodies, cut);
  return chosen_points(bodies, [&](vtkIdType i) { return !cut.leaves_out(Vec3(bodies.GetPoint(i))); });
}

vtkSmartPointer<vtkPolyData> opened(vtkPolyData& walls, const Cut& cut) {
  return chosen_cells(walls, [&](vtkIdType cell) {
    vtkPoints* const corners = walls.GetCell(cell)->GetPoints();
    for (vtkIdType k = 0; k < corners->GetNumberOfPoints(); ++k)
      if (!cut.leaves_out(Vec3(corners->GetPoint(k)))) return true;
    return false;
  });
}

}  // namespace scree::render
