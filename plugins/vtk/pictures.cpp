#include "pictures.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataSetAttributes.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>
#include <vtkTypeUInt32Array.h>
#include <vtkTypeUInt64Array.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "cells.hpp"
#include "fan.hpp"
#include "rod_picture.hpp"
#include "scree/shape/facets.hpp"
#include "scree/world/rows_by_id.hpp"
#include "vtk_files/new_array.hpp"

namespace scree::vtk {

namespace {

// ------------------------------------------------------------------------------------------- columns of bodies

template <class Array, class T>
void add_scalars(vtkDataSetAttributes& out, const ColumnStorage& column, std::span<const std::uint32_t> rows) {
  const auto components = static_cast<std::size_t>(column.components());
  auto array = new_array<Array>(column.name(), column.components(), rows.size(), column.unit());
  auto* to = array->GetPointer(0);
  const T* from = reinterpret_cast<const T*>(column.read());
  for (const std::uint32_t row : rows)
    for (std::size_t k = 0; k < components; ++k)
      *to++ = static_cast<typename Array::ValueType>(from[row * components + k]);
  out.AddArray(array);
}

void add_quaternions(vtkDataSetAttributes& out, const std::string& name, std::span<const Quat> turns,
                     std::span<const std::uint32_t> rows) {
  auto array = new_array<vtkFloatArray>(name, 4, rows.size());
  float* to = array->GetPointer(0);
  for (const std::uint32_t row : rows) put(to, turns[row]), to += 4;
  out.AddArray(array);
}

void add_column(vtkDataSetAttributes& out, const ColumnStorage& column, std::span<const std::uint32_t> rows) {
  constexpr int quaternion = ColumnTraits<Quat>::components;
  switch (column.type()) {
    case ColumnType::float64:
      if (column.components() == quaternion)
        return add_quaternions(out, column.name(), {reinterpret_cast<const Quat*>(column.read()), column.rows()}, rows);
      return add_scalars<vtkFloatArray, double>(out, column, rows);
    case ColumnType::int32:
      return add_scalars<vtkTypeInt32Array, std::int32_t>(out, column, rows);
    case ColumnType::uint32:
      return add_scalars<vtkTypeUInt32Array, std::uint32_t>(out, column, rows);
    case ColumnType::uint64:
      return add_scalars<vtkTypeUInt64Array, std::uint64_t>(out, column, rows);
  }
}

void add_speed(vtkDataSetAttributes& out, const World& world, std::span<const std::uint32_t> rows) {
  auto array = new_array<vtkFloatArray>(kSpeed, 1, rows.size(), "m/s");
  float* to = array->GetPointer(0);
  const auto velocity = world.velocity.read();
  for (const std::uint32_t row : rows) *to++ = static_cast<float>(velocity[row].norm());
  out.AddArray(array);
  out.SetActiveScalars(kSpeed);  // what ParaView colours by when the file is opened
}

void add_from_contacts(vtkDataSetAttributes& out, const std::string& name, const ContactSums& sums, int dimension,
                       std::span<const std::uint32_t> rows) {
  if (name == "coordination") {
    auto array = new_array<vtkTypeUInt32Array>(name, 1, rows.size());
    std::ranges::transform(rows, array->GetPointer(0), [&](std::uint32_t row) { return sums.coordination[row]; });
    out.AddArray(array);
  } else if (name == "pressure") {
    auto array = new_array<vtkFloatArray>(name, 1, rows.size(), "Pa");
    std::ranges::transform(rows, array->GetPointer(0), [&](std::uint32_t row) {
      return static_cast<float>(pressure_of(sums.stress[row], dimension));
    });
    out.AddArray(array);
  } else if (name == "stress") {
    auto array = new_array<vtkFloatArray>(name, 9, rows.size(), "Pa");
    float* to = array->GetPointer(0);
    for (const std::uint32_t row : rows)
      for (int i = 0; i < 3; ++i, to += 3) put(to, Vec3(sums.stress[row].row(i)));
    out.AddArray(array);
  }
}

void add_columns(vtkDataSetAttributes& out, const World& world, std::span<const std::uint32_t> rows,
                 const Shown& shown) {
  add_speed(out, world, rows);
  for (const std::string& name : shown.columns)
    if (const ColumnStorage* column = world.find_column(name))
      add_column(out, *column, rows);
    else if (shown.sums)
      add_from_contacts(out, name, *shown.sums, world.dimension(), rows);
}

// ----------------------------------------------------------------------------------------------------- surfaces

/// Fills points and cells body by body. VTK numbers lines before polygons, whatever the order they are given in.
class SurfaceBuilder {
 public:
  void reserve(std::size_t points) { points_->Allocate(static_cast<vtkIdType>(3 * points)); }

  void add(const Surface& surface, const Vec3& position, const Quat& orientation, double scale, std::uint32_t row) {
    const vtkIdType first = points_->GetNumberOfTuples();
    const auto count = static_cast<vtkIdType>(surface.points.size());
    float* to = points_->WritePointer(3 * first, 3 * count);
    const Mat3 turn = scale * orientation.toRotationMatrix();
    for (const Vec3& p : surface.points) put(to, Vec3(position + turn * p)), to += 3;
    for (const auto& cell : surface.cells) {
      (surface.closed ? polygons_ : lines_).add(cell, first);
      (surface.closed ? polygon_rows_ : line_rows_).push_back(row);
    }
  }

  Data finish() {
    auto data = Data::New();
    vtkNew<vtkPoints> points;
    points->SetData(points_);
    data->SetPoints(points);
    data->SetLines(lines_.finish());
    data->SetPolys(polygons_.finish());
    return data;
  }
  /// The body's row of every cell, in VTK's order.
  Rows cell_rows() const {
    Rows rows = line_rows_;
    rows.insert(rows.end(), polygon_rows_.begin(), polygon_rows_.end());
    return rows;
  }

  SurfaceBuilder() { points_->SetNumberOfComponents(3); }

 private:
  vtkNew<vtkFloatArray> points_;
  Cells lines_, polygons_;
  Rows line_rows_, polygon_rows_;
};

template <class Keep>
Rows rows_of_kind(const World& world, const Keep& keep) {
  const auto kind = world.kind.read();
  return rows_by_id(world, [&](std::uint32_t i) { return keep(static_cast<BodyKind>(kind[i])); });
}

}  // namespace

const Surface& Surfaces::of(const World& world, std::uint32_t shape) {
  while (cache_.size() <= shape) {
    const Shape& next = *world.shapes()[cache_.size()].shape;
    cache_.push_back(world.dimension() == 2 ? fanned(next.surface(), next.reference_point()) : next.surface());
  }
  return cache_[shape];
}

Rows particle_rows(const World& world) {
  return rows_of_kind(world, [](BodyKind kind) { return kind == BodyKind::dynamic; });
}

Rows wall_rows(const World& world) {
  return rows_of_kind(world, [](BodyKind kind) { return kind != BodyKind::dynamic; });
}

namespace {

/// Returns the place at which a body is drawn: prescribed ones leave the periodic cell, and are shown where others
/// touch them.
Vec3 shown_position(const World& world, std::size_t row) {
  const Vec3& x = world.position.read()[row];
  if (!world.cell.any() || static_cast<BodyKind>(world.kind.read()[row]) == BodyKind::dynamic ||
      !std::isfinite(world.radius.read()[row]))
    return x;
  return x - world.cell.shift(world.cell.image_of(x));
}

}  // namespace

void add_names(vtkPolyData& data, const World& world) {
  const auto add = [&](const char* name, const auto& entries, const auto& name_of) {
    vtkNew<vtkStringArray> names;
    names->SetName(name);
    for (const auto& entry : entries) names->InsertNextValue(name_of(entry));
    data.GetFieldData()->AddArray(names);
  };
  const auto is_point = new_array<vtkTypeInt32Array>("shape_is_point", 1, world.shapes().size());
  std::ranges::transform(world.shapes(), is_point->GetPointer(0),
                         [](const auto& shape) { return shape.shape->traits().driven_by.empty() ? 0 : 1; });
  data.GetFieldData()->AddArray(is_point);
  add("shape_names", world.shapes(), [](const auto& shape) { return shape.name; });
  add("material_names", world.materials(), [](const auto& material) { return material.name; });
  add("group_names", world.group_names, [](const std::string& name) { return name; });
}

Data surface_picture(const World& world, std::span<const std::uint32_t> rows, const Shown& shown, Surfaces& surfaces) {
  const auto shape = world.shape.read();
  std::size_t points = 0;
  for (const std::uint32_t row : rows) points += surfaces.of(world, shape[row]).points.size();
  SurfaceBuilder builder;
  builder.reserve(points);
  for (const std::uint32_t row : rows)
    builder.add(surfaces.of(world, shape[row]), shown_position(world, row), world.orientation.read()[row],
                world.scale.read()[row], row);
  Data data = builder.finish();
  add_columns(*data->GetCellData(), world, builder.cell_rows(), shown);
  add_names(*data, world);
  return data;
}

namespace {

/// One vertex per row, at its place [m].
Data points_at(std::span<const Vec3> places, std::span<const std::uint32_t> rows) {
  auto centres = new_array<vtkFloatArray>("position", 3, rows.size());
  float* to = centres->GetPointer(0);
  for (const std::uint32_t row : rows) put(to, places[row]), to += 3;
  vtkNew<vtkPoints> points;
  points->SetData(centres);
  auto data = Data::New();
  data->SetPoints(points);
  Cells vertices;
  for (std::uint32_t i = 0; i < rows.size(); ++i) vertices.add(std::array{i}, 0);
  data->SetVerts(vertices.finish());
  return data;
}

}  // namespace

bool has_places(const Table& table) {
  const ColumnStorage* const places = table.find_column("position");
  return places && places->type() == ColumnType::float64 && places->components() == ColumnTraits<Vec3>::components;
}

Data table_picture(const Table& table) {
  Rows rows(table.owned());
  std::iota(rows.begin(), rows.end(), 0u);
  const auto ids = table.id.read();
  std::ranges::sort(rows, {}, [&](std::uint32_t row) { return ids[row]; });
  auto data = points_at(table.find_column("position")->as<Vec3>(), rows);
  for (const auto& column : table.columns())
    if (column->name() == "id" || (column->show() && column->name() != "position"))
      add_column(*data->GetPointData(), *column, rows);
  return data;
}

Data glyph_picture(const World& world, std::span<const std::uint32_t> rows, const Shown& shown) {
  auto data = points_at(world.position.read(), rows);
  add_columns(*data->GetPointData(), world, rows, shown);
  add_quaternions(*data->GetPointData(), "quaternion", world.orientation.read(), rows);
  auto scale = new_array<vtkFloatArray>("scale", 3, rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    put(scale->GetPointer(3 * static_cast<vtkIdType>(i)), Vec3::Constant(world.scale.read()[rows[i]]));
  data->GetPointData()->AddArray(scale);
  add_names(*data, world);
  return data;
}

Data template_picture(const Surface& surface) {
  SurfaceBuilder builder;
  builder.add(surface, Vec3::Zero(), Quat::Identity(), 1, 0);
  return builder.finish();
}

namespace {

/// The arrays of the force network, contact by contact.
class ContactBuilder {
 public:
  explicit ContactBuilder(std::size_t count)
      : ends_(new_array<vtkFloatArray>("ends", 3, 2 * count)),
        magnitude_(new_array<vtkFloatArray>("force_magnitude", 1, count, "N")),
        force_(new_array<vtkFloatArray>("force", 3, count, "N")),
        overlap_(new_array<vtkFloatArray>("overlap", 1, count, "m")),
        normal_(new_array<vtkFloatArray>("normal", 3, count)),
        point_(new_array<vtkFloatArray>("point", 3, count, "m")),
        id_a_(new_array<vtkTypeUInt64Array>("id_a", 1, count)),
        id_b_(new_array<vtkTypeUInt64Array>("id_b", 1, count)) {}

  void set(std::uint32_t i, const ContactRecord& contact, const Vec3& from, const Vec3& to) {
    put(ends_->GetPointer(6 * vtkIdType{i}), from);
    put(ends_->GetPointer(6 * vtkIdType{i} + 3), to);
    lines_.add(std::array{2 * i, 2 * i + 1}, 0);
    magnitude_->SetValue(i, static_cast<float>(contact.force.norm()));
    put(force_->GetPointer(3 * vtkIdType{i}), contact.force);
    overlap_->SetValue(i, static_cast<float>(contact.overlap));
    put(normal_->GetPointer(3 * vtkIdType{i}), contact.normal);
    put(point_->GetPointer(3 * vtkIdType{i}), contact.point);
    id_a_->SetValue(i, contact.a);
    id_b_->SetValue(i, contact.b);
  }

  Data finish() {
    vtkNew<vtkPoints> points;
    points->SetData(ends_);
    auto data = Data::New();
    data->SetPoints(points);
    data->SetLines(lines_.finish());
    vtkCellData& cells = *data->GetCellData();
    for (vtkDataArray* array :
         std::initializer_list<vtkDataArray*>{magnitude_, force_, overlap_, normal_, point_, id_a_, id_b_})
      cells.AddArray(array);
    cells.SetActiveScalars("force_magnitude");
    return data;
  }

 private:
  vtkSmartPointer<vtkFloatArray> ends_, magnitude_, force_, overlap_, normal_, point_;
  vtkSmartPointer<vtkTypeUInt64Array> id_a_, id_b_;
  Cells lines_;
};

/// A contact to draw and the rows of its bodies.
struct Line {
  const ContactRecord* contact;
  std::size_t a, b;
};

std::vector<Line> lines_of(const World& world, const ContactView& contacts) {
  std::vector<Line> lines;
  lines.reserve(contacts.size());
  for (const ContactRecord& contact : contacts) {
    if (contact.overlap <= 0 && contact.force.isZero(0)) continue;
    const auto a = world.row(contact.a), b = world.row(contact.b);
    if (a && b) lines.push_back({&contact, *a, *b});
  }
  return lines;
}

/// A bond to draw and the rows of its bodies.
struct BondLine {
  std::size_t bond, a, b;
};

}  // namespace

Data contact_picture(const World& world, const ContactView& contacts) {
  const std::vector<Line> lines = lines_of(world, contacts);
  const auto particle = [&](std::size_t row) {
    return static_cast<BodyKind>(world.kind.read()[row]) == BodyKind::dynamic;
  };
  ContactBuilder builder(lines.size());
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    const auto& [contact, a, b] = lines[i];
    // Around the cell a touches an image of b. The contact is drawn where its point lies in the cell; a line that
    // crosses a side ends at the image of a body beyond it.
    const Vec3 shift = world.cell.shift(unpacked(contact->image));
    const Vec3 from = particle(a) ? world.position.read()[a] : contact->point;
    const Vec3 to = particle(b) ? Vec3(world.position.read()[b] + shift) : contact->point;
    ContactRecord shown = *contact;
    shown.point = world.cell.inside(contact->point);
    const Vec3 moved = shown.point - contact->point;
    builder.set(i, shown, from + moved, to + moved);
  }
  return builder.finish();
}

Data bond_picture(const World& world, const BondValues& values) {
  const Bonds& bonds = world.bonds();
  const auto x = world.position.read();
  const auto q = world.orientation.read();
  std::vector<BondLine> lines;
  for (std::size_t k = 0; k < bonds.size(); ++k)
    if (const auto a = world.row(bonds.a[k]), b = world.row(bonds.b[k]); a && b) lines.push_back({k, *a, *b});
  const std::size_t n = lines.size();
  const auto ends = new_array<vtkFloatArray>("ends", 3, 2 * n);
  const auto strain = new_array<vtkFloatArray>("strain", 1, n), turn = new_array<vtkFloatArray>("turn", 1, n, "rad"),
             section = new_array<vtkFloatArray>("section", 1, n),
             when = new_array<vtkFloatArray>("broken_at", 1, n, "s");
  const auto state = new_array<vtkUnsignedCharArray>("state", 1, n);
  const auto entry = new_array<vtkTypeUInt32Array>("entry", 1, n);
  const auto id_a = new_array<vtkTypeUInt64Array>("id_a", 1, n), id_b = new_array<vtkTypeUInt64Array>("id_b", 1, n);
  Cells cells;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto [k, a, b] = lines[i];
    put(ends->GetPointer(6 * vtkIdType{i}), x[a]);
    const Vec3 branch = world.cell.shortest(x[b] - x[a]);
    put(ends->GetPointer(6 * vtkIdType{i} + 3), x[a] + branch);
    cells.add(std::array{2 * i, 2 * i + 1}, 0);
    const Quat by_a = q[a] * bonds.made_a[k].conjugate(), by_b = q[b] * bonds.made_b[k].conjugate();
    strain->SetValue(i, static_cast<float>(branch.norm() / bonds.branch[k].norm() - 1));
    turn->SetValue(i, static_cast<float>(by_a.angularDistance(by_b)));
    section->SetValue(i, static_cast<float>(bonds.section[k]));
    state->SetValue(i, bonds.whole(k));
    when->SetValue(i, bonds.whole(k) ? -1 : static_cast<float>(bonds.broken_at[k]));
    entry->SetValue(i, bonds.entry[k]);
    id_a->SetValue(i, bonds.a[k]);
    id_b->SetValue(i, bonds.b[k]);
  }
  vtkNew<vtkPoints> points;
  points->SetData(ends);
  auto data = Data::New();
  data->SetPoints(points);
  data->SetLines(cells.finish());
  for (vtkDataArray* array :
       std::initializer_list<vtkDataArray*>{state, when, strain, turn, section, entry, id_a, id_b})
    data->GetCellData()->AddArray(array);
  for (const BondValues::Column& column : values.columns) {
    const auto array = array_of(column, n, *data->GetCellData());
    for (std::size_t i = 0; i < n; ++i)
      array->SetValue(static_cast<vtkIdType>(i), static_cast<float>(column.value[lines[i].bond]));
    data->GetCellData()->AddArray(array);
  }
  data->GetCellData()->SetActiveScalars("state");
  return data;
}

}  // namespace scree::vtk
