#include "view.hpp"

#include <fmt/format.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sand.hpp"
#include "scale.hpp"
#include "scree/base/error.hpp"
#include "shown_data.hpp"
#include "solid.hpp"

namespace scree::render {

namespace {

constexpr double kMargin = 0.03;     // around the particles, of their larger extent
constexpr double kWallReach = 0.06;  // how far walls may widen the view beyond the particles, of their larger extent
constexpr double kNearWalls = 1;     // and at least, of the particles' diameter: what one that flies alone will meet
constexpr std::size_t kMostKinds = 64;

/// Columns whose numbers are no amounts.
constexpr std::array<const char*, 3> kKinds = {"group", "material", "shape"};

}  // namespace

bool is_kind(const std::string& column) { return std::ranges::find(kKinds, column) != kKinds.end(); }

bool flows(double speed, double diameter) {
  constexpr double gravity = 9.81, part = 0.03;
  return speed > part * std::sqrt(gravity * diameter);
}

double diameter_of(const Subject& subject) {
  const double of_particles = typical_diameter(*subject.particles);
  if (of_particles > 0 || !subject.rods) return of_particles;
  return 2 * quantile(subject.rods->GetPointData()->GetArray("radius"), 0.5);
}

void View::take(vtkDataSetAttributes& data) {
  for (int k = 0; k < data.GetNumberOfArrays(); ++k) {
    vtkDataArray* const array = data.GetArray(k);
    if (array == nullptr || array->GetNumberOfComponents() != 1 || array->GetNumberOfTuples() == 0) continue;
    Values& values = values_[array->GetName()];
    double range[2];
    array->GetFiniteRange(range, 0);
    if (range[0] > range[1]) continue;
    values.lowest = std::min(values.lowest, range[0]);
    values.highest = std::max(values.highest, range[1]);
    if (array->HasInformation() && array->GetInformation()->Has(vtkDataArray::UNITS_LABEL()))
      values.unit = array->GetInformation()->Get(vtkDataArray::UNITS_LABEL());
    if (std::string_view(array->GetName()) == "speed")
      values.nearly_highest = std::max(values.nearly_highest, quantile(array, kNearlyAll));
    if (!is_kind(array->GetName())) continue;
    for (vtkIdType i = 0; i < array->GetNumberOfTuples() && values.kinds.size() < kMostKinds; ++i)
      values.kinds.insert(static_cast<std::size_t>(std::max(array->GetTuple1(i), 0.0)));
  }
}

void View::take_names(vtkPolyData& data) {
  for (const std::string column : kKinds) {
    auto* const names =
        vtkStringArray::SafeDownCast(data.GetFieldData()->GetAbstractArray((column + "_names").c_str()));
    if (names == nullptr) continue;
    auto& known = names_[column];
    known.clear();
    for (vtkIdType k = 0; k < names->GetNumberOfValues(); ++k) known.push_back(names->GetValue(k));
  }
}

void View::include(const Subject& subject) {
  if (!box_.IsValid()) {
    flat_ = true;
    for (vtkPolyData* const data : {subject.particles.Get(), subject.walls.Get(), subject.rods.Get()})
      if (data && data->GetNumberOfCells() > 0) {
        double bounds[6];
        data->GetCellsBounds(bounds);
        flat_ = flat_ && bounds[4] == bounds[5];
      }
    axes = flat_ ? Axes{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()} : viewer_axes(style.direction, style.cut);
  }
  const auto add = [&](vtkPolyData* data, double more) {
    if (data == nullptr || data->GetNumberOfCells() == 0) return;
    double bounds[6];
    data->GetCellsBounds(bounds);  // a cut leaves points that no cell has
    vtkBoundingBox box(bounds);
    box.Inflate(more, more, flat_ ? 0 : more);
    particles_.AddBox(box);
    box_.AddBox(box_in(axes, *data, more));
  };
  if (subject.particles->GetNumberOfCells() > 0) add_sizes(*subject.particles);
  add(subject.particles, 0);
  add(subject.stored, 0);
  add(subject.interface, 0);
  if (subject.rods && subject.rods->GetNumberOfCells() > 0) {
    vtkDataArray* const radius = subject.rods->GetPointData()->GetArray("radius");
    add(subject.rods, radius ? radius->GetRange()[1] : 0);
    take(*subject.rods->GetPointData());
  }
  if (subject.walls && subject.walls->GetNumberOfCells() > 0) {
    double bounds[6];
    subject.walls->GetCellsBounds(bounds);
    walls_.AddBounds(bounds);
  }
  diameter = std::max(diameter, diameter_of(subject));
  take(*subject.particles->GetCellData());
  take_names(*subject.particles);
  grains_ = grains_ || (subject.particles->GetNumberOfCells() > 0 && has_points(*subject.particles));
  solid_ = solid_ || subject.particles->GetCellData()->HasArray("crack");
  states_ = states_ || subject.tells_states();
  contacts_ = contacts_ || subject.contacts != nullptr;
}

vtkBoundingBox View::frame() const {
  const Axes& a = axes;
  const auto of_scene = [&](const vtkBoundingBox& scene) {
    vtkBoundingBox box;
    for (int k = 0; k < 8; ++k) {
      double corner[3];
      for (int axis = 0; axis < 3; ++axis) corner[axis] = scene.GetBound(2 * axis + (k >> axis & 1));
      box.AddPoint(a.of(Vec3(corner)).data());
    }
    return box;
  };
  if (!particles_.IsValid()) return walls_.IsValid() ? of_scene(walls_) : vtkBoundingBox(0, 1, 0, 1, 0, 0);
  vtkBoundingBox box = box_;
  if (walls_.IsValid()) {
    vtkBoundingBox near = walls_, reach = particles_;
    reach.Inflate(std::max(kWallReach * particles_.GetMaxLength(), kNearWalls * diameter));
    if (near.IntersectBox(reach) != 0) box.AddBox(of_scene(near));
  }
  const double margin = kMargin * std::max(box.GetLength(0), box.GetLength(1));
  box.Inflate(margin, margin, 0);
  return box;
}

bool View::varies(const std::string& column) const {
  constexpr double least = 0.05;
  const auto it = values_.find(column);
  return it != values_.end() && it->second.highest - it->second.lowest > least * std::abs(it->second.highest);
}

bool View::tells_kinds(const std::string& column) const {
  constexpr std::size_t most = 8;  // colours that are told apart
  const auto it = values_.find(column);
  if (it == values_.end() || it->second.kinds.size() < 2 || it->second.kinds.size() > most) return false;
  const auto names = names_.find(column);
  if (names == names_.end()) return true;
  // Entries of the scene without a name are numbered, "bodies3": these numbers tell nothing.
  return std::ranges::none_of(it->second.kinds, [&](std::size_t kind) {
    return kind < names->second.size() && column == "group" && names->second[kind].starts_with("bodies") &&
           names->second[kind].find_first_not_of("0123456789", 6) == std::string::npos;
  });
}

std::string View::chosen_column() const {
  if (style.column) return *style.column;
  if (style.range || style.map) return "speed";
  const auto speed = values_.find("speed");
  if (speed != values_.end() && flows(speed->second.nearly_highest, diameter)) return "speed";
  if (solid_ && values_.contains("fragment")) return "fragment";
  for (const std::string column : kKinds)
    if (tells_kinds(column)) return column;
  return varies(std::string(kSize)) ? std::string(kSize) : std::string(kPebbles);
}

void View::choose_colours() {
  using Kind = Colouring::Kind;
  colouring = {};
  if (states_) {
    colouring.kind = Kind::states, colouring.column = "culling_state";
    return;
  }
  if (grains_ && !style.column && !style.range && !style.map) {
    colouring.kind = Kind::sand;
    return;
  }
  const std::string column = chosen_column();
  colouring.column = column == kPebbles ? "id" : column;
  if (column == kPebbles) colouring.kind = Kind::pebbles;
  if (column == kStrands) colouring.kind = Kind::strands;
  if (column == kFragment) colouring.kind = Kind::fragments;
  if (is_kind(column)) {
    colouring.kind = Kind::names;
    for (const std::size_t kind : values_[column].kinds) {
      const auto& names = names_[column];
      colouring.names.emplace_back(kind, kind < names.size() ? names[kind] : fmt::format("{} {}", column, kind));
    }
  }
  if (colouring.kind != Kind::scale) {
    if (style.range || style.map)
      throw InputError(fmt::format(
          "scree render: {} goes with colours of a scale, but {} are shown as kinds. Give a "
          "column of amounts to --colour, such as speed.",
          style.range ? "--range" : "--map", column == kPebbles ? "bodies" : "values of \"" + column + "\""));
    return;
  }
  const Values& values = values_[column];
  colouring.unit = column == "speed" ? "m/s" : column == kSize ? "m" : values.unit;
  colouring.lowest = values.lowest, colouring.highest = values.highest;
  if (column == "speed") {
    constexpr double at_rest = 1e-4;  // [m/s]: less is no motion to be told
    colouring.lowest = 0, colouring.highest = round_up(std::max(values.nearly_highest, at_rest));
  } else if (values.lowest < -0.05 * values.highest && values.highest > -0.05 * values.lowest) {
    // Both signs: the middle of the colours is zero.
    colouring.map = "balance";
    colouring.highest = std::max(-values.lowest, values.highest), colouring.lowest = -colouring.highest;
  }
  if (!(colouring.highest > colouring.lowest)) {
    if (!std::isfinite(colouring.lowest)) colouring.lowest = 0;
    colouring.highest = colouring.lowest + (colouring.lowest == 0 ? 1 : std::abs(colouring.lowest) * 0.01);
  }
  if (style.range) std::tie(colouring.lowest, colouring.highest) = *style.range;
  if (style.map) colouring.map = *style.map;
}

}  // namespace scree::render
