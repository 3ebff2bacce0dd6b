#include "sand.hpp"

#include <vtkBoundingBox.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
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

/// Returns a colour from dark minerals to quartz. \param shade  from 0 to 1
Colour colour_of_sand(double shade) {
  struct ShadeStop {
    double at;
    Colour colour;
  };
  static constexpr std::array<ShadeStop, 5> stops = {{{0, {0.44, 0.33, 0.23}},
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

void paint_grains(vtkPolyData& grains, vtkPolyData& particles, const Colouring& colouring) {
  constexpr double contrast = 0.2;  // of grains that a column colours
  auto colours = vtkSmartPointer<vtkUnsignedCharArray>::New();
  colours->SetNumberOfComponents(3);
  colours->SetNumberOfTuples(grains.GetNumberOfPoints());
  vtkDataArray &shade = *grains.GetPointData()->GetArray("shade"), &point = *grains.GetPointData()->GetArray("point");
  const bool sand = colouring.kind == Colouring::Kind::sand;
  const auto values = sand ? std::unordered_map<double, double>() : values_by_id(particles, colouring.column);
  for (vtkIdType i = 0; i < grains.GetNumberOfPoints(); ++i) {
    Colour colour = colour_of_sand(shade.GetTuple1(i));
    double bright = 1;
    if (!sand) {
      const auto value = values.find(point.GetTuple1(i));
      colour = colouring.of(value == values.end() ? std::nan("") : value->second);
      bright = 1 - contrast * shade.GetTuple1(i);
    }
    for (int c = 0; c < 3; ++c)
      colours->SetComponent(i, c, std::round(255 * std::clamp(bright * colour[static_cast<std::size_t>(c)], 0.0, 1.0)));
  }
  grains.GetPointData()->SetScalars(colours);
}

namespace {

/// Returns a number from 0 to 1, the same for the same arguments.
double scattered(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15ULL + b * 0xbf58476d1ce4e5b9ULL + 0x94d049bb133111ebULL;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-53;
}

}  // namespace

vtkSmartPointer<vtkPolyData> sampled_grains(vtkPolyData& points) {
  constexpr int across = 3;  // grains of a point along an axis
  vtkDataArray* const id = points.GetCellData()->GetArray("id");
  if (id == nullptr) return nullptr;
  std::map<double, vtkBoundingBox> boxes;
  for (vtkIdType cell = 0; cell < points.GetNumberOfCells(); ++cell) {
    double bounds[6];
    points.GetCellBounds(cell, bounds);
    boxes[id->GetTuple1(cell)].AddBounds(bounds);
  }
  vtkNew<vtkPoints> places;
  vtkNew<vtkCellArray> verts;
  const auto array = [](const char* name) {
    auto values = vtkSmartPointer<vtkFloatArray>::New();
    values->SetName(name);
    return values;
  };
  const auto radius = array("radius"), shade = array("shade");
  vtkNew<vtkDoubleArray> point;
  point->SetName("point");
  for (const auto& [number, box] : boxes) {
    const bool flat = box.GetLength(2) == 0;
    const double step = box.GetLength(0) / across;
    const auto seed = static_cast<std::uint64_t>(number);
    for (int k = 0; k < (flat ? across * across : across * across * across); ++k) {
      const auto chance = [&](std::uint64_t n) { return scattered(seed, 8 * static_cast<std::uint64_t>(k) + n); };
      double place[3];
      for (int axis = 0, rest = k; axis < 3; ++axis, rest /= across) {
        const double middle = 0.5 * (box.GetBound(2 * axis) + box.GetBound(2 * axis + 1));
        place[axis] = flat && axis == 2 ? middle
                                        : middle + step * (rest % across - (across - 1) / 2 +
                                                           0.7 * (chance(static_cast<std::uint64_t>(axis)) - 0.5));
      }
      const vtkIdType at = places->InsertNextPoint(place);
      verts->InsertNextCell(1, &at);
      radius->InsertNextValue(static_cast<float>(step * (0.38 + 0.2 * chance(3))));
      shade->InsertNextValue(static_cast<float>(chance(4)));
      point->InsertNextValue(number);
    }
  }
  auto grains = vtkSmartPointer<vtkPolyData>::New();
  grains->SetPoints(places);
  grains->SetVerts(verts);
  for (vtkDataArray* const values : {static_cast<vtkDataArray*>(radius.Get()), static_cast<vtkDataArray*>(shade.Get()),
                                     static_cast<vtkDataArray*>(point.Get())})
    grains->GetPointData()->AddArray(values);
  return grains;
}

bool has_points(vtkPolyData& particles) {
  vtkDataArray* const is_point = particles.GetFieldData()->GetArray(kIsPoint);
  return is_point != nullptr && is_point->GetNumberOfTuples() > 0 && is_point->GetRange()[1] != 0 &&
         parted(particles).points->GetNumberOfCells() > 0;
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
