#include "sand.hpp"

#include <vtkBoundingBox.h>
#include <vtkCellData.h>
#include <vtkColorTransferFunction.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "chosen.hpp"

namespace scree::render {

namespace {

constexpr const char* kIsPoint = "shape_is_point";  ///< field data of the writer `vtk`, by number of the shape

}  // namespace

Parted parted(vtkPolyData& particles) {
  vtkDataArray *const is_point = particles.GetFieldData()->GetArray(kIsPoint), *const shape =
                                                                                   particles.GetCellData()->GetArray(
                                                                                       "shape");
  if (is_point == nullptr || shape == nullptr || is_point->GetRange()[1] == 0)
    return {vtkSmartPointer<vtkPolyData>::New(), &particles};
  const auto of_continuum = [&](vtkIdType cell) {
    const auto number = static_cast<vtkIdType>(shape->GetTuple1(cell));
    return number < is_point->GetNumberOfTuples() && is_point->GetTuple1(number) != 0;
  };
  return {chosen_cells(particles, of_continuum),
          chosen_cells(particles, [&](vtkIdType cell) { return !of_continuum(cell); })};
}

bool are_grains(vtkPolyData& data) {
  for (const char* const name : {"radius", "shade", "point"})
    if (data.GetPointData()->GetArray(name) == nullptr) return false;
  return true;
}

namespace {

using Colour = std::array<double, 3>;

/// Returns a colour from dark minerals to quartz. \param shade  from 0 to 1
Colour colour_of_sand(double shade) {
  struct Stop {
    double at;
    Colour colour;
  };
  static constexpr std::array<Stop, 5> stops = {{{0, {0.44, 0.33, 0.23}},
                                                 {0.07, {0.72, 0.56, 0.36}},
                                                 {0.5, {0.86, 0.71, 0.47}},
                                                 {0.93, {0.95, 0.82, 0.60}},
                                                 {1, {1.00, 0.95, 0.84}}}};
  std::size_t k = 1;
  while (k + 1 < stops.size() && stops[k].at < shade) ++k;
  const double part = std::clamp((shade - stops[k - 1].at) / (stops[k].at - stops[k - 1].at), 0.0, 1.0);
  Colour mixed;
  for (std::size_t c = 0; c < 3; ++c) mixed[c] = (1 - part) * stops[k - 1].colour[c] + part * stops[k].colour[c];
  return mixed;
}

/// Fraction of space that grains fill, on cubes some grains wide, and light that passes through.
class Shade {
 public:
  explicit Shade(vtkPolyData& grains) {
    constexpr double width = 4;   // of a cube, in mean radii
    constexpr double most = 256;  // cubes along an axis
    double bounds[6];
    grains.GetBounds(bounds);
    const vtkBoundingBox box(bounds);
    vtkDataArray& radius = *grains.GetPointData()->GetArray("radius");
    double sum = 0;
    for (vtkIdType i = 0; i < radius.GetNumberOfTuples(); ++i) sum += radius.GetTuple1(i);
    width_ = std::max(width * sum / static_cast<double>(std::max<vtkIdType>(radius.GetNumberOfTuples(), 1)),
                      box.GetMaxLength() / most);
    for (int k = 0; k < 3; ++k) {
      low_[k] = bounds[2 * k] - 1.5 * width_;
      counts_[static_cast<std::size_t>(k)] = static_cast<int>(box.GetLength(k) / width_) + 4;
    }
    filled_.assign(static_cast<std::size_t>(counts_[0]) * static_cast<std::size_t>(counts_[1]) *
                       static_cast<std::size_t>(counts_[2]),
                   0);
    for (vtkIdType i = 0; i < grains.GetNumberOfPoints(); ++i) {
      const double r = radius.GetTuple1(i) / width_;
      spread(Vec3(grains.GetPoint(i)), static_cast<float>(4.2 * r * r * r));
    }
  }

  /// Returns the part of light from this direction that reaches x, from 0 to 1. \param towards  of length 1
  double light(const Vec3& x, const Vec3& towards) const {
    constexpr int steps = 14;
    constexpr double first = 1.1, dark = 2.2;  // where it begins [widths]; what full cubes take of light, per width
    double depth = 0;
    for (int k = 0; k < steps && depth < 3; ++k) depth += dark * filled(x + (first + k) * width_ * towards);
    return std::exp(-depth);
  }

 private:
  /// Calls each(weight, number) for the eight cubes about x. \return false outside
  template <class Each>
  bool corners(const Vec3& x, const Each& each) const {
    const Vec3 at = (x - low_) / width_;
    std::array<int, 3> cube;
    Vec3 part;
    for (int k = 0; k < 3; ++k) {
      cube[static_cast<std::size_t>(k)] = static_cast<int>(std::floor(at[k]));
      part[k] = at[k] - cube[static_cast<std::size_t>(k)];
      if (cube[static_cast<std::size_t>(k)] < 0 ||
          cube[static_cast<std::size_t>(k)] + 1 >= counts_[static_cast<std::size_t>(k)])
        return false;
    }
    for (int c = 0; c < 8; ++c) {
      const int i = c & 1, j = c >> 1 & 1, k = c >> 2;
      const double weight = (i ? part[0] : 1 - part[0]) * (j ? part[1] : 1 - part[1]) * (k ? part[2] : 1 - part[2]);
      each(static_cast<float>(weight), (static_cast<std::size_t>(cube[2] + k) * static_cast<std::size_t>(counts_[1]) +
                                        static_cast<std::size_t>(cube[1] + j)) *
                                               static_cast<std::size_t>(counts_[0]) +
                                           static_cast<std::size_t>(cube[0] + i));
    }
    return true;
  }
  void spread(const Vec3& x, float volume) {
    corners(x, [&](float weight, std::size_t cube) { filled_[cube] += weight * volume; });
  }
  double filled(const Vec3& x) const {
    float sum = 0;
    corners(x, [&](float weight, std::size_t cube) { sum += weight * filled_[cube]; });
    return sum;
  }

  Vec3 low_;
  double width_;
  std::array<int, 3> counts_;
  std::vector<float> filled_;
};

/// Returns the light of the sun and of the sky above, from 0 to 1.
std::vector<double> light_on(vtkPolyData& grains, const Vec3& sun) {
  constexpr double of_sun = 0.45, of_sky = 0.55, least = 0.42;
  const Shade shade(grains);
  std::vector<Vec3> sky = {Vec3::UnitZ()};
  for (int k = 0; k < 6; ++k) {
    const double around = k * std::acos(-1.0) / 3;
    sky.push_back(Vec3(0.8 * std::cos(around), 0.8 * std::sin(around), 0.6));
  }
  std::vector<double> light(static_cast<std::size_t>(grains.GetNumberOfPoints()));
  for (std::size_t i = 0; i < light.size(); ++i) {
    const Vec3 x(grains.GetPoint(static_cast<vtkIdType>(i)));
    double open = 0;
    for (const Vec3& towards : sky) open += shade.light(x, towards) / static_cast<double>(sky.size());
    light[i] = least + (1 - least) * (of_sun * shade.light(x, sun) + of_sky * open);
  }
  return light;
}

/// Returns values by id of a particle.
std::unordered_map<double, double> values_by_id(vtkPolyData& particles, const std::string& column) {
  std::unordered_map<double, double> values;
  vtkDataArray *const id = particles.GetCellData()->GetArray("id"), *const value = particles.GetCellData()->GetArray(
                                                                        column.c_str());
  if (id && value)
    for (vtkIdType cell = 0; cell < id->GetNumberOfTuples(); ++cell)
      values.emplace(id->GetTuple1(cell), value->GetTuple1(cell));
  return values;
}

}  // namespace

vtkSmartPointer<vtkUnsignedCharArray> colours_of_grains(vtkPolyData& grains, vtkPolyData& particles,
                                                        const GrainColours& how) {
  constexpr double contrast = 0.2;  // of grains that a column colours
  auto colours = vtkSmartPointer<vtkUnsignedCharArray>::New();
  colours->SetNumberOfComponents(3);
  colours->SetNumberOfTuples(grains.GetNumberOfPoints());
  vtkDataArray &shade = *grains.GetPointData()->GetArray("shade"), &point = *grains.GetPointData()->GetArray("point");
  const auto values = how.column.empty() ? std::unordered_map<double, double>() : values_by_id(particles, how.column);
  const auto light = how.sun.isZero() ? std::vector<double>() : light_on(grains, how.sun);
  for (vtkIdType i = 0; i < grains.GetNumberOfPoints(); ++i) {
    Colour colour = colour_of_sand(shade.GetTuple1(i));
    double bright = light.empty() ? 1 : light[static_cast<std::size_t>(i)];
    if (!how.column.empty()) {
      const auto value = values.find(point.GetTuple1(i));
      how.colours->GetColor(value == values.end() ? std::nan("") : value->second, colour.data());
      bright *= 1 - contrast * shade.GetTuple1(i);
    }
    for (int c = 0; c < 3; ++c)
      colours->SetComponent(i, c, std::round(255 * std::clamp(bright * colour[static_cast<std::size_t>(c)], 0.0, 1.0)));
  }
  return colours;
}

vtkSmartPointer<vtkPolyData> swollen_and_dark(vtkPolyData& grains) {
  // At a solid fraction of 0.6, discs at random leave 1 - exp(-0.6 swelling^2) = 98 % covered.
  constexpr double swelling = 2.5, dark = 0.72;
  auto behind = vtkSmartPointer<vtkPolyData>::New();
  behind->ShallowCopy(&grains);
  vtkDataArray &radius = *grains.GetPointData()->GetArray("radius"), &colour = *grains.GetPointData()->GetScalars();
  vtkNew<vtkFloatArray> large;
  large->SetName("radius");
  vtkNew<vtkUnsignedCharArray> dim;
  dim->SetNumberOfComponents(3);
  dim->SetNumberOfTuples(grains.GetNumberOfPoints());
  for (vtkIdType i = 0; i < grains.GetNumberOfPoints(); ++i) {
    large->InsertNextValue(static_cast<float>(swelling * radius.GetTuple1(i)));
    for (int c = 0; c < 3; ++c) dim->SetComponent(i, c, std::round(dark * colour.GetComponent(i, c)));
  }
  behind->GetPointData()->AddArray(large);
  behind->GetPointData()->SetScalars(dim);
  return behind;
}

}  // namespace scree::render
