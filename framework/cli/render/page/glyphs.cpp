#include "page/glyphs.hpp"

#include <fmt/format.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSphereSource.h>

#include <algorithm>
#include <cmath>

#include "result.hpp"
#include "scree/base/error.hpp"
#include "shown_data.hpp"

namespace scree::render {

namespace {

vtkDataArray& column(vtkPolyData& bodies, const char* name) {
  vtkDataArray* const array = bodies.GetPointData()->GetArray(name);
  if (array == nullptr) throw IoError(fmt::format("particles are points without the column \"{}\".", name));
  return *array;
}

/// Returns a ball of few corners: there may be many balls.
vtkSmartPointer<vtkPolyData> coarse_ball() {
  vtkNew<vtkSphereSource> source;
  source->SetRadius(1);
  source->SetThetaResolution(10);
  source->SetPhiResolution(7);
  source->Update();
  return source->GetOutput();
}

}  // namespace

Outlines::Outlines(std::filesystem::path out)
    : out_(std::move(out)), balls_(!std::filesystem::exists(out_ / "shapes")) {}

const Outlines::Outline& Outlines::outline(int shape) {
  const auto known = outlines_.find(shape);
  if (known != outlines_.end()) return known->second;
  const auto data = balls_ ? coarse_ball() : read_data(out_ / fmt::format("shapes/shape_{:06}.vtp", shape));
  double reach = 0;
  for (vtkIdType i = 0; i < data->GetNumberOfPoints(); ++i) {
    const double* x = data->GetPoint(i);
    reach = std::max(reach, std::hypot(x[0], x[1], x[2]));
  }
  return outlines_.emplace(shape, Outline{data, reach}).first->second;
}

double Outlines::size_of(vtkPolyData& bodies, vtkIdType body) const {
  if (balls_) return column(bodies, "radius").GetTuple1(body);
  vtkDataArray* const scale = bodies.GetPointData()->GetArray("scale");
  return scale != nullptr ? scale->GetComponent(body, 0) : 1;
}

vtkBoundingBox Outlines::box_of(vtkPolyData& bodies) {
  vtkBoundingBox box;
  vtkDataArray& shape = column(bodies, "shape");
  for (vtkIdType i = 0; i < bodies.GetNumberOfPoints(); ++i) {
    const Outline& of_body = outline(static_cast<int>(shape.GetTuple1(i)));
    const double reach = of_body.reach * size_of(bodies, i), *x = bodies.GetPoint(i);
    const double bounds[6] = {x[0] - reach, x[0] + reach, x[1] - reach, x[1] + reach, x[2], x[2]};
    box.AddBounds(bounds);
    double sides[6];
    of_body.data->GetBounds(sides);
    if (sides[5] > sides[4]) {  // in a plane nothing has a height
      box.AddPoint(x[0], x[1], x[2] - reach);
      box.AddPoint(x[0], x[1], x[2] + reach);
    }
  }
  return box;
}

std::string Outlines::pack(vtkPolyData& bodies, const vtkBoundingBox& box, const ColourRange& range) {
  vtkDataArray &shape = column(bodies, "shape"), &turn = column(bodies, "quaternion");
  vtkDataArray* const value = bodies.GetPointData()->GetArray(range.column.c_str());
  std::vector<std::uint16_t> shapes, centres;
  std::vector<std::int16_t> turns;
  std::vector<float> sizes;
  std::vector<std::uint8_t> colours;
  for (vtkIdType i = 0; i < bodies.GetNumberOfPoints(); ++i) {
    outline(static_cast<int>(shape.GetTuple1(i)));
    shapes.push_back(static_cast<std::uint16_t>(shape.GetTuple1(i)));
    for (int k = 0; k < 3; ++k)
      centres.push_back(static_cast<std::uint16_t>(
          step_of(bodies.GetPoint(i)[k], box.GetBound(2 * k), box.GetBound(2 * k + 1), 65535)));
    for (int k = 0; k < 4; ++k)
      turns.push_back(static_cast<std::int16_t>(std::lround(32767 * std::clamp(turn.GetComponent(i, k), -1.0, 1.0))));
    sizes.push_back(static_cast<float>(size_of(bodies, i)));
    colours.push_back(static_cast<std::uint8_t>(
        value != nullptr ? step_of(value->GetTuple1(i), range.lowest, range.highest, 255) : 0));
  }
  return compressed(joined(shapes, centres, turns, sizes, colours));
}

nlohmann::json Outlines::told(bool flat) {
  nlohmann::json shapes = nlohmann::json::object();
  for (const auto& [shape, of_shape] : outlines_) {
    double bounds[6];
    of_shape.data->GetBounds(bounds);
    const Packed packed = render::pack(*of_shape.data, vtkBoundingBox(bounds), {}, flat);
    std::vector<float> corners;
    for (std::size_t i = 0; i < packed.corners.size(); ++i) {
      const double low = bounds[2 * (i % 3)], high = bounds[2 * (i % 3) + 1];
      corners.push_back(static_cast<float>(low + packed.corners[i] / 65535.0 * (high - low)));
    }
    shapes[std::to_string(shape)] = {{"corners", corners}, {"triangles", packed.triangles}, {"edges", packed.edges}};
  }
  return shapes;
}

}  // namespace scree::render
