#include "page/shapes.hpp"

#include <fmt/format.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "balls.hpp"
#include "page/layers.hpp"
#include "result.hpp"
#include "scree/base/error.hpp"
#include "shown_data.hpp"

namespace scree::render {

namespace {

/// Returns the disc that a polygon of many equal sides stands for: x, y, z, radius; empty if it is none.
nlohmann::json disc_of(vtkPolyData& outline) {
  constexpr vtkIdType least = 24;  // corners
  const vtkIdType count = outline.GetNumberOfPoints();
  if (count < least || outline.GetNumberOfCells() != 1) return nlohmann::json::array();
  double middle[3] = {0, 0, 0}, low = 1e300, high = 0, step_low = 1e300, step_high = 0;
  for (vtkIdType i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) middle[k] += outline.GetPoint(i)[k] / static_cast<double>(count);
  for (vtkIdType i = 0; i < count; ++i) {
    double here[3], next[3];
    outline.GetPoint(i, here);
    outline.GetPoint((i + 1) % count, next);
    if (here[2] != 0) return nlohmann::json::array();
    const double radius = std::hypot(here[0] - middle[0], here[1] - middle[1]),
                 step = std::hypot(next[0] - here[0], next[1] - here[1]);
    low = std::min(low, radius), high = std::max(high, radius);
    step_low = std::min(step_low, step), step_high = std::max(step_high, step);
  }
  constexpr double same = 1e-3;
  if (high - low > same * high || step_high - step_low > same * high) return nlohmann::json::array();
  return {{middle[0], middle[1], 0, high}};
}

nlohmann::json balls_of(vtkPolyData& points) {
  nlohmann::json balls = nlohmann::json::array();
  vtkDataArray* const radius = points.GetPointData()->GetArray(kBallRadius);
  for (vtkIdType i = 0; radius && i < points.GetNumberOfPoints(); ++i) {
    double x[3];
    points.GetPoint(i, x);
    balls.push_back({x[0], x[1], x[2], radius->GetTuple1(i)});
  }
  return balls;
}

}  // namespace

PageShapes::PageShapes(std::filesystem::path out)
    : out_(std::move(out)), balls_(!std::filesystem::exists(out_ / "shapes")) {}

const PageShapes::Size& PageShapes::size_of(int shape, Parts& parts) {
  const auto known = sizes_.find(shape);
  if (known != sizes_.end()) return known->second;
  if (balls_) {
    told_[std::to_string(shape)] = {
        {"balls", {{0, 0, 0, 1}}}, {"reach", 1}, {"corners", 0}, {"triangles", 0}, {"lines", 0}};
    return sizes_.emplace(shape, Size{1, 1}).first->second;
  }
  const auto outline = read_data(out_ / fmt::format("shapes/shape_{:06}.vtp", shape));
  Size size{0, 0};
  for (vtkIdType i = 0; i < outline->GetNumberOfPoints(); ++i) {
    double x[3];
    outline->GetPoint(i, x);
    size = {std::max(size.reach, std::hypot(x[0], x[1], x[2])), std::max(size.height, std::abs(x[2]))};
  }
  nlohmann::json round = disc_of(*outline);
  vtkSmartPointer<vtkPolyData> rest = outline;
  if (!round.empty()) {
    rest = vtkSmartPointer<vtkPolyData>::New();
  } else if (size.height > 0) {
    const WithBalls parted = with_balls(*outline);
    round = balls_of(*parted.balls), rest = parted.others;
  }
  const Topology topology = topology_of(*rest);
  std::vector<float> corners;
  for (vtkIdType i = 0; i < rest->GetNumberOfPoints() && !(topology.triangles.empty() && topology.lines.empty()); ++i)
    for (int k = 0; k < 3; ++k) corners.push_back(static_cast<float>(rest->GetPoint(i)[k]));
  nlohmann::json told{{"balls", round},
                      {"reach", size.reach},
                      {"corners", corners.size() / 3},
                      {"triangles", topology.triangles.size()},
                      {"lines", topology.lines.size()}};
  if (!corners.empty()) told["part"] = parts.add(joined(corners, topology.triangles, topology.lines));
  told_[std::to_string(shape)] = std::move(told);
  return sizes_.emplace(shape, size).first->second;
}

vtkBoundingBox PageShapes::add(vtkPolyData& points, Parts& parts) {
  vtkBoundingBox box;
  vtkPointData& data = *points.GetPointData();
  vtkDataArray *shape = data.GetArray("shape"), *size = data.GetArray(balls_ ? "radius" : "scale");
  if (points.GetNumberOfPoints() > 0 && shape == nullptr)
    throw IoError("particles are points without the column \"shape\".");
  for (vtkIdType i = 0; i < points.GetNumberOfPoints(); ++i) {
    const Size& of_shape = size_of(static_cast<int>(shape->GetTuple1(i)), parts);
    const double factor = size ? size->GetComponent(i, 0) : 1, reach = factor * of_shape.reach,
                 height = of_shape.height > 0 ? reach : 0;  // in a plane nothing has a height
    double x[3];
    points.GetPoint(i, x);
    const double bounds[6] = {x[0] - reach, x[0] + reach, x[1] - reach, x[1] + reach, x[2] - height, x[2] + height};
    box.AddBounds(bounds);
  }
  return box;
}

bool PageShapes::is_round(int shape) const {
  const auto it = told_.find(std::to_string(shape));
  if (it == told_.end() || (*it)["triangles"] != 0 || (*it)["lines"] != 0 || (*it)["balls"].size() != 1) return false;
  const nlohmann::json& ball = (*it)["balls"][0];
  const double off = std::hypot(ball[0].get<double>(), ball[1].get<double>(), ball[2].get<double>());
  return off < 1e-5 * ball[3].get<double>();
}

double PageShapes::diameter(vtkPolyData& points) const {
  vtkPointData& data = *points.GetPointData();
  vtkDataArray *shape = data.GetArray("shape"), *size = data.GetArray(balls_ ? "radius" : "scale");
  vtkNew<vtkFloatArray> diameters;
  for (vtkIdType i = 0; shape && i < points.GetNumberOfPoints(); ++i) {
    const double factor = size ? size->GetComponent(i, 0) : 1;
    diameters->InsertNextValue(static_cast<float>(2 * factor * sizes_.at(static_cast<int>(shape->GetTuple1(i))).reach));
  }
  return quantile(diameters, 0.5);
}

}  // namespace scree::render
