#include "camera.hpp"

#include <fmt/format.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkMath.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "scree/base/error.hpp"
#include "scree/base/text_lines.hpp"

namespace scree::render {

Vec3 parse_view(const std::string& text) {
  struct Named {
    const char* name;
    Vec3 towards;
  };
  for (const auto& [name, towards] : {Named{"front", -Vec3::UnitY()},
                                      {"back", Vec3::UnitY()},
                                      {"left", -Vec3::UnitX()},
                                      {"right", Vec3::UnitX()},
                                      {"top", Vec3::UnitZ()},
                                      {"bottom", -Vec3::UnitZ()}})
    if (text == name) return towards;
  const auto error = [&](const std::string& what) {
    return InputError(
        fmt::format("scree render: --view is \"{}\": {}. Give front, back, left, right, top or bottom, or "
                    "the direction to the viewer as three numbers, such as 1,-2,0.8.",
                    text, what));
  };
  std::vector<double> numbers;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    const std::string word = text.substr(from, to - from);
    const auto number = parse_number<double>(word);
    if (!number || !std::isfinite(*number)) throw error(fmt::format("\"{}\" is not a number", word));
    numbers.push_back(*number);
    from = to + 1;
  }
  if (numbers.size() != 3) throw error(fmt::format("a direction has 3 numbers, not {}", numbers.size()));
  const Vec3 towards(numbers[0], numbers[1], numbers[2]);
  if (!(towards.norm() > 0)) throw error("the direction is zero");
  return towards.normalized();
}

Axes viewer_axes(const std::optional<Vec3>& direction, const std::optional<Cut>& cut) {
  constexpr double beside = 0.4636, above = 0.357, tilt = 0.7;  // [rad]
  Vec3 out;
  if (direction) {
    out = *direction;
  } else {
    const Vec3 towards = cut ? cut->normal.normalized() : Vec3(-Vec3::UnitY());
    const bool lies = std::hypot(towards.x(), towards.y()) < 1e-6;  // its normal has no direction in the plane
    const double around = (lies ? -std::numbers::pi / 2 : std::atan2(towards.y(), towards.x())) + beside;
    const double height = above + tilt * towards.z();
    out = {std::cos(height) * std::cos(around), std::cos(height) * std::sin(around), std::sin(height)};
  }
  const Vec3 upright = std::hypot(out.x(), out.y()) < 1e-6 ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitZ());
  const Vec3 right = upright.cross(out).normalized();
  return {right, out.cross(right), out};
}

vtkBoundingBox box_in(const Axes& axes, vtkPolyData& data, double more) {
  vtkBoundingBox box;
  const auto add = [&](vtkCellArray* cells) {
    const auto iterator = vtk::TakeSmartPointer(cells->NewIterator());
    for (iterator->GoToFirstCell(); !iterator->IsDoneWithTraversal(); iterator->GoToNextCell()) {
      vtkIdType size = 0;
      const vtkIdType* corners = nullptr;
      iterator->GetCurrentCell(size, corners);
      for (vtkIdType k = 0; k < size; ++k) box.AddPoint(axes.of(Vec3(data.GetPoint(corners[k]))).data());
    }
  };
  for (vtkCellArray* const cells : {data.GetVerts(), data.GetLines(), data.GetPolys()}) add(cells);
  if (box.IsValid()) box.Inflate(more);
  return box;
}

Lens::Lens(const Axes& axes, const vtkBoundingBox& box, double shape, double zoom) {
  double centre[3];
  box.GetCenter(centre);
  const double depth = box.GetLength(2) / 2, tall = std::tan(kHalfAngle), wide = tall * shape;
  // The front of the box is nearest, and sets how far away the viewer stands.
  distance = std::max(box.GetLength(0) / (2 * wide), box.GetLength(1) / (2 * tall)) + depth;
  distance = std::max(distance, 1e-12);
  middle = axes.back(Vec3(centre));
  half_angle = std::atan(tall / zoom);
}

void Lens::aim(vtkCamera& camera, const Axes& axes) const {
  const Vec3 from = middle + distance * axes.out;
  camera.SetFocalPoint(middle.data());
  camera.SetPosition(from.data());
  camera.SetViewUp(axes.up.data());
  camera.SetViewAngle(vtkMath::DegreesFromRadians(2 * half_angle));
}

double Lens::height() const { return 2 * distance * std::tan(half_angle); }

}  // namespace scree::render
