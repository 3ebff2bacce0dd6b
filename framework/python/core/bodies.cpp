#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>

#include "core.hpp"
#include "scree/base/error.hpp"
#include "scree/world/world.hpp"

namespace scree::python {

namespace {

template <class T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

/// Columns whose change moves a body; integrators are told of it.
constexpr std::array kStates{"position", "orientation", "velocity", "angular_velocity"};

/// Copies (w, x, y, z) from memory's (x, y, z, w), or back.
void turn_first(double* q) { std::rotate(q, q + 3, q + 4); }
void turn_last(double* q) { std::rotate(q, q + 1, q + 4); }

template <std::size_t Bytes>
void gather_fixed(std::byte* to, const std::byte* from, std::span<const std::uint32_t> rows) {
  for (std::size_t k = 0; k < rows.size(); ++k) std::memcpy(to + k * Bytes, from + rows[k] * Bytes, Bytes);
}

void gather(std::byte* to, const std::byte* from, std::span<const std::uint32_t> rows, std::size_t bytes) {
  switch (bytes) {
    case 4:
      return gather_fixed<4>(to, from, rows);
    case 8:
      return gather_fixed<8>(to, from, rows);
    case 24:
      return gather_fixed<24>(to, from, rows);
    case 32:
      return gather_fixed<32>(to, from, rows);
    default:
      for (std::size_t k = 0; k < rows.size(); ++k) std::memcpy(to + k * bytes, from + rows[k] * bytes, bytes);
  }
}

/// Checks an array that a column is to be copied into. \throws InputError
void check_target(const py::array& target, const std::string& name, const py::dtype& type,
                  const std::vector<py::ssize_t>& shape) {
  const std::vector<py::ssize_t> given(target.shape(), target.shape() + target.ndim());
  if (!target.dtype().equal(type) || given != shape)
    throw InputError(fmt::format("out has type {} and shape ({}); \"{}\" needs type {} and shape ({}).",
                                 std::string(py::str(py::handle(target.dtype()))), fmt::join(given, ", "), name,
                                 std::string(py::str(py::handle(type))), fmt::join(shape, ", ")));
  if ((target.flags() & py::array::c_style) == 0 || !target.writeable())
    throw InputError(
        fmt::format("out for \"{}\" is read only, or a view with gaps; an array in C order that may be "
                    "written is allowed.",
                    name));
}

/// Copies a column in the order of ids. \param out  array to copy into; none: a new one \return the array
py::array column_copy(Core& core, const std::string& name, const std::optional<py::array>& out) {
  World& world = core.world();
  const ColumnStorage& column = column_of(world, name);
  const auto rows = core.order();
  const py::dtype type = dtype_of(column.type());
  const auto shape = shape_of(column, rows.size());
  if (out) check_target(*out, name, type, {shape.begin(), shape.end()});
  py::array copy = out ? *out : py::array(type, shape);
  gather(static_cast<std::byte*>(copy.mutable_data()), column.read(), rows, column.row_bytes());
  if (is_quaternion(column)) {
    auto* q = static_cast<double*>(copy.mutable_data());
    for (std::size_t k = 0; k < rows.size(); ++k) turn_first(q + 4 * k);
  }
  return copy;
}

/// Returns rows of these ids, or of all in the order of ids.
std::vector<std::uint32_t> rows_of(Core& core, const std::optional<Array<Id>>& ids) {
  if (!ids) {
    const auto all = core.order();
    return {all.begin(), all.end()};
  }
  std::vector<std::uint32_t> rows;
  for (py::ssize_t k = 0; k < ids->size(); ++k) {
    const Id id = ids->data()[k];
    const auto row = core.world().row(id);
    if (!row) throw InputError(fmt::format("body {} does not exist. sim.bodies.id lists all that do.", id));
    rows.push_back(static_cast<std::uint32_t>(*row));
  }
  return rows;
}

std::string name_of_group(const World& world, std::size_t row) {
  const std::uint32_t group = world.group[row];
  return group < world.group_names.size() ? world.group_names[group] : "";
}

/// Checks new values of a column of the state: bodies that do not move freely have their velocities from their motion,
/// or none. A scene refuses such velocities too. \throws InputError
void check_state(const World& world, const ColumnStorage& column, std::span<const std::uint32_t> rows,
                 const std::byte* from) {
  const std::size_t bytes = column.row_bytes();
  const std::byte* now = column.read();
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (is_held(world, column.name(), rows[k]) && std::memcmp(from + k * bytes, now + rows[k] * bytes, bytes) != 0)
      throw InputError(held_text(world, column.name(), rows[k]));
}

/// Sets numbers of some bodies. \param values  (n, components), of the column's type, quaternions (w, x, y, z)
void set_column(Core& core, const std::string& name, const py::array& values, const std::optional<Array<Id>>& ids) {
  World& world = core.change_world();
  ColumnStorage& column = column_of(world, name);
  const auto rows = rows_of(core, ids);
  if (static_cast<std::size_t>(values.nbytes()) != rows.size() * column.row_bytes())
    throw InputError(fmt::format("values of \"{}\" have {} bytes; {} bodies of {} bytes are expected.", name,
                                 values.nbytes(), rows.size(), column.row_bytes()));
  if (column.type() == ColumnType::float64) {
    const auto* v = static_cast<const double*>(values.data());
    for (py::ssize_t k = 0; k < values.size(); ++k)
      if (!std::isfinite(v[k]))
        throw InputError(fmt::format("value {} of \"{}\" is {}; finite numbers are allowed.", k, name, v[k]));
  }
  const auto* from = static_cast<const std::byte*>(values.data());
  check_state(world, column, rows, from);
  std::byte* to = column.open_write();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::byte* row = to + rows[k] * column.row_bytes();
    std::memcpy(row, from + k * column.row_bytes(), column.row_bytes());
    if (is_quaternion(column)) turn_last(reinterpret_cast<double*>(row));
  }
  column.close_write();
  if (std::ranges::find(kStates, name) == kStates.end()) return;
  std::vector<Id> moved;
  const auto id = world.id.read();
  for (const std::uint32_t row : rows) moved.push_back(id[row]);
  world.mark_moved(moved);
}

/// Checks that a body can move freely. \throws InputError
void check_free(const World& world, const BodySpec& body) {
  const ShapeEntry& entry = world.shapes()[body.shape];
  const MaterialEntry& material = world.materials()[body.material];
  const double mass = entry.shape->mass(material.density).mass;
  const bool bounded = std::isfinite(entry.shape->bounding_radius());
  const std::string_view immobile = entry.shape->traits().immobile;
  if (immobile.empty() && mass > 0 && bounded) return;
  throw InputError(fmt::format(
      "a body of shape \"{}\" and material \"{}\" cannot move freely: {} Add it with fixed=True, as a wall{}.",
      entry.name, material.name,
      !immobile.empty() ? std::string(immobile)
      : !bounded        ? "the shape is without bound."
                        : fmt::format("its mass is {} kg.", mass),
      immobile.empty() && bounded ? ", or give the material a density" : ""));
}

/// Adds bodies from columns of the same length. \return their ids
py::array add(Core& core, const Array<std::uint32_t>& shape, const Array<std::uint32_t>& material,
              const Array<std::uint32_t>& group, const Array<double>& position, const Array<double>& orientation,
              const Array<double>& velocity, const Array<double>& angular_velocity, const Array<double>& scale,
              bool fixed) {
  World& world = core.change_world();
  std::vector<BodySpec> bodies(static_cast<std::size_t>(shape.size()));
  const auto vector = [](const Array<double>& a, std::size_t k) {
    return Vec3(Eigen::Map<const Vec3>(a.data() + 3 * k));
  };
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    BodySpec& body = bodies[k];
    body.shape = shape.data()[k];
    body.material = material.data()[k];
    body.group = group.data()[k];
    body.position = vector(position, k);
    const double* q = orientation.data() + 4 * k;
    body.orientation = Quat(q[0], q[1], q[2], q[3]).normalized();
    body.velocity = vector(velocity, k);
    body.angular_velocity = vector(angular_velocity, k);
    body.scale = scale.data()[k];
    if (!body.position.allFinite() || !body.orientation.coeffs().allFinite() || !body.velocity.allFinite() ||
        !body.angular_velocity.allFinite())
      throw InputError(fmt::format("body {} to be added has a number that is not finite; finite ones are allowed.", k));
    if (fixed) {
      body.kind = BodyKind::fixed;
      if (!body.velocity.isZero(0) || !body.angular_velocity.isZero(0))
        throw InputError(fmt::format("body {} to be added is fixed, and takes no velocity.", k));
    } else {
      check_free(world, body);
    }
  }
  const std::vector<Id> ids = world.add(bodies);
  try {
    core.check_added();
  } catch (...) {
    world.remove(ids);
    throw;
  }
  return py::array(py::dtype::of<Id>(), {ids.size()}, ids.data());
}

void remove(Core& core, const Array<Id>& ids) {
  World& world = core.change_world();
  world.remove(std::span(ids.data(), static_cast<std::size_t>(ids.size())));
}

/// Gives prescribed bodies constant velocities from now on, each about its own origin.
/// \param velocity, angular_velocity  (n, 3) [m/s], [rad/s]
void drive(Core& core, const Array<Id>& ids, const Array<double>& velocity, const Array<double>& angular_velocity) {
  World& world = core.change_world();
  const auto rows = rows_of(core, ids);
  std::vector<Motion> motions(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Id id = world.id[rows[k]];
    if (!world.prescribed().contains(id))
      throw InputError(
          fmt::format("body {} has no motion that could be set. Give its entry of the scene \"motion\": {{}} "
                      "in place of \"fixed\".",
                      id));
    motions[k].velocity = Eigen::Map<const Vec3>(velocity.data() + 3 * k);
    motions[k].angular_velocity = Eigen::Map<const Vec3>(angular_velocity.data() + 3 * k);
    motions[k].about_origin = true;
    motions[k].start = world.time;
    if (!motions[k].velocity.allFinite() || !motions[k].angular_velocity.allFinite())
      throw InputError(fmt::format("the velocity of body {} is not finite; finite ones are allowed.", id));
  }
  for (std::size_t k = 0; k < rows.size(); ++k)
    world.set_prescribed(world.id[rows[k]], {{motions[k]}, {world.position[rows[k]], world.orientation[rows[k]]}});
  world.prescribe_velocities(world.time);
}

/// Returns name, unit, type and components of all columns.
std::vector<std::tuple<std::string, std::string, py::dtype, int>> columns(Core& core) {
  std::vector<std::tuple<std::string, std::string, py::dtype, int>> all;
  for (const auto& c : core.world().columns())
    all.emplace_back(c->name(), c->unit(), dtype_of(c->type()), c->components());
  return all;
}

/// Makes a column of numbers, if there is none. \return true if it is new
bool make_column(Core& core, const std::string& name, const std::string& unit, int components, double fill) {
  World& world = core.change_world();
  const bool is_new = world.find_column(name) == nullptr;
  ColumnStorage& column = world.storage(name, ColumnType::float64, components, unit, true);
  if (is_new || column.writes() == 0) {  // a law that names the column has made it, and nobody has set it
    auto* rows = reinterpret_cast<double*>(column.open_write());
    std::fill_n(rows, column.rows() * static_cast<std::size_t>(components), fill);
    column.close_write();
  }
  return is_new;
}

/// Returns those columns of these names that nobody has set yet.
std::vector<std::string> unset_columns(Core& core, const std::vector<std::string>& names) {
  std::vector<std::string> unset;
  for (const std::string& name : names)
    if (const ColumnStorage* column = core.world().find_column(name); !column || column->writes() == 0)
      unset.push_back(name);
  return unset;
}

template <class Entries>
std::vector<std::string> names_of(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.name);
  return names;
}

}  // namespace

std::span<const std::uint32_t> Core::order() {
  const World& w = world();
  const std::string stage = simulation_ ? simulation_->stage() : "";
  if (order_of_ == &w && order_version_ == w.layout_version() && order_stage_ == stage) return order_;
  const std::size_t n = w.owned();
  const auto ids = w.id.read();
  if (w.next_id() <= 4 * n + 1024) {
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> row_of(w.next_id(), kNone);
    for (std::size_t i = 0; i < n; ++i) row_of[ids[i]] = static_cast<std::uint32_t>(i);
    order_.clear();
    for (const std::uint32_t row : row_of)
      if (row != kNone) order_.push_back(row);
  } else {
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0u);
    std::ranges::sort(order_, {}, [&](std::uint32_t row) { return ids[row]; });
  }
  order_of_ = &w;
  order_version_ = w.layout_version();
  order_stage_ = stage;
  return order_;
}

bool is_held(const World& world, const std::string& column, std::size_t row) {
  if (world.kind[row] == static_cast<std::uint32_t>(BodyKind::dynamic)) return false;
  if (column == "velocity" || column == "angular_velocity") return true;
  const bool place = column == "position" || column == "orientation";
  return place && world.prescribed().contains(world.id[row]);
}

std::string held_text(const World& world, const std::string& column, std::size_t row) {
  const bool driven = world.kind[row] == static_cast<std::uint32_t>(BodyKind::prescribed);
  return fmt::format("the {} of body {} (\"{}\") cannot be set: it {}. Leave it out by ids{}.", column, world.id[row],
                     name_of_group(world, row), driven ? "moves as its motion says" : "is fixed, and would drag others",
                     driven ? ", or give it another velocity by sim.bodies.drive()"
                            : ". What is to move needs \"motion\": {} in the scene in place of \"fixed\", and "
                              "sim.bodies.drive()");
}

ColumnStorage& column_of(World& world, const std::string& name) {
  if (name == "external_force" || name == "external_torque") world.external_wrenches();
  if (ColumnStorage* found = world.find_column(name)) return *found;
  std::vector<std::string> known;
  for (const auto& column : world.columns()) known.push_back(column->name());
  const std::string nearest = nearest_name(name, known);
  throw InputError(fmt::format("bodies have no column \"{}\".{} Known: {}.", name,
                               nearest.empty() ? "" : " Did you mean \"" + nearest + "\"?", fmt::join(known, ", ")));
}

py::dtype dtype_of(ColumnType type) {
  switch (type) {
    case ColumnType::int32:
      return py::dtype::of<std::int32_t>();
    case ColumnType::uint32:
      return py::dtype::of<std::uint32_t>();
    case ColumnType::uint64:
      return py::dtype::of<std::uint64_t>();
    case ColumnType::float64:
      break;
  }
  return py::dtype::of<double>();
}

std::vector<py::ssize_t> shape_of(const ColumnStorage& column, std::size_t rows) {
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(rows)};
  if (column.components() > 1) shape.push_back(column.components());
  return shape;
}

bool is_quaternion(const ColumnStorage& column) {
  return column.type() == ColumnType::float64 && column.components() == 4 && column.name().ends_with("orientation");
}

void bind_bodies(py::class_<Core, std::shared_ptr<Core>>& core) {
  core.def("body_count", [](Core& c) { return c.world().owned(); })
      .def("column_copy", &column_copy, py::arg("name"), py::arg("out") = py::none())
      .def("set_column", &set_column)
      .def("make_column", &make_column)
      .def("unset_columns", &unset_columns)
      .def("columns", &columns)
      .def("add", &add)
      .def("remove", &remove)
      .def("drive", &drive)
      .def("group_names", [](Core& c) { return c.world().group_names; })
      .def("shape_names", [](Core& c) { return names_of(c.world().shapes()); })
      .def("material_names", [](Core& c) { return names_of(c.world().materials()); });
}

}  // namespace scree::python
