#include "scree/world/world.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/shape/facets.hpp"

namespace scree {

namespace {

template <class Tables, class World>
Tables all_tables(World& world, auto& bodies, auto& further) {
  Tables all = {&bodies, &world.bonds().table()};
  for (const auto& table : further) all.push_back(table.get());
  return all;
}

}  // namespace

World::World(int dimension) : dimension_(dimension) {
  position = column<Vec3>("position", "m", false);
  orientation = column<Quat>("orientation", "", false);
  velocity = column<Vec3>("velocity", "m/s");
  angular_velocity = column<Vec3>("angular_velocity", "rad/s");
  mass = column<double>("mass", "kg");
  inverse_mass = column<double>("inverse_mass", "1/kg", false);
  inertia = column<Vec3>("inertia", "kg m^2", false);
  inverse_inertia = column<Vec3>("inverse_inertia", "1/(kg m^2)", false);
  radius = column<double>("radius", "m");
  id = bodies_.id;
  shape = column<std::uint32_t>("shape");
  material = column<std::uint32_t>("material");
  group = column<std::uint32_t>("group");
  kind = column<std::uint32_t>("kind", "", false);
  owner = column<Id>("owner", "", false);
  scale = column<double>("scale");
}

World::~World() = default;

std::uint32_t World::add_shape(std::string name, std::shared_ptr<const Shape> shape_object) {
  if (!shape_object || shape_object->dimension() != dimension_)
    throw Error("shape \"" + name + "\" " +
                (shape_object ? "has " + std::to_string(shape_object->dimension()) + " dimensions, the world has " +
                                    std::to_string(dimension_)
                              : "is none: the pointer is empty"));
  shapes_.push_back({std::move(name), std::move(shape_object)});
  return static_cast<std::uint32_t>(shapes_.size() - 1);
}

std::uint32_t World::add_material(MaterialEntry entry) {
  materials_.push_back(std::move(entry));
  return static_cast<std::uint32_t>(materials_.size() - 1);
}

Table& World::table(const std::string& name) {
  for (auto& table : further_tables_)
    if (table->name() == name) return *table;
  if (name == bodies_.name() || name == bonds_.table().name())
    throw Error("the table \"" + name + "\" is the World's own; give yours another name");
  if (!is_table_name(name))
    throw Error("a table is named \"" + name + "\"; use 1 to 64 letters, digits, _ and -, as files bear its name");
  return *further_tables_.emplace_back(std::make_unique<Table>(name));
}

std::vector<Table*> World::tables() { return all_tables<std::vector<Table*>>(*this, bodies_, further_tables_); }
std::vector<const Table*> World::tables() const {
  return all_tables<std::vector<const Table*>>(*this, bodies_, further_tables_);
}

void World::check(const BodySpec& spec) const {
  const auto refuse = [](const char* what, std::uint32_t given, std::size_t count) {
    throw Error("a body is given the " + std::string(what) + " " + std::to_string(given) + ", but there are " +
                std::to_string(count) + ", counted from 0");
  };
  if (spec.shape >= shapes_.size()) refuse("shape", spec.shape, shapes_.size());
  if (spec.material >= materials_.size()) refuse("material", spec.material, materials_.size());
  if (!group_names.empty() && spec.group >= group_names.size()) refuse("group", spec.group, group_names.size());
  check_scale(spec);
}

void World::check_scale(const BodySpec& spec) const {
  if (spec.scale == 1) return;
  const ShapeEntry& entry = shapes_[spec.shape];
  const std::string given = "a body of shape \"" + entry.name + "\" is given the scale " + std::to_string(spec.scale);
  if (!(spec.scale > 0) || !std::isfinite(spec.scale)) throw Error(given + "; a scale is a finite number above 0");
  if (!std::isfinite(entry.shape->bounding_radius()))
    throw Error(given + ", but the shape is without bound and has no size to scale; leave it at 1");
  if (spec.owner != kNewId)
    throw Error(given + ", but rides on body " + std::to_string(spec.owner) +
                ", whose mass does not follow; leave it at 1, or make a shape of that size");
}

void World::set_row(std::size_t i, const BodySpec& spec) {
  const Shape& s = *shapes_[spec.shape].shape;
  const MassProperties properties = scree::scaled(s.mass(materials_[spec.material].density), spec.scale, dimension_);
  const bool free = spec.kind == BodyKind::dynamic && spec.owner == kNewId;
  const auto inverse = [](double x) { return x > 0 ? 1 / x : 0.0; };

  Quat turn = spec.orientation.normalized();
  if (const Quat axes = s.traits().body_to_reference; !axes.vec().isZero(0)) turn = (turn * axes).normalized();
  position.write()[i] = spec.position - spec.scale * (turn * s.reference_point());
  orientation.write()[i] = turn;
  velocity.write()[i] = spec.velocity;
  angular_velocity.write()[i] = spec.angular_velocity;
  mass.write()[i] = properties.mass;
  inverse_mass.write()[i] = free ? inverse(properties.mass) : 0;
  inertia.write()[i] = properties.inertia;
  Vec3 inverse_moments = Vec3::Zero();
  if (free)
    for (int k = dimension_ == 2 ? 2 : 0; k < 3; ++k) inverse_moments[k] = inverse(properties.inertia[k]);
  inverse_inertia.write()[i] = inverse_moments;
  radius.write()[i] = spec.scale * s.bounding_radius();
  shape.write()[i] = spec.shape;
  material.write()[i] = spec.material;
  group.write()[i] = spec.group;
  kind.write()[i] = static_cast<std::uint32_t>(spec.kind);
  scale.write()[i] = spec.scale;
  scaled_ = scaled_ || spec.scale != 1;
}

std::vector<Id> World::add(std::span<const BodySpec> bodies) {
  for (const BodySpec& spec : bodies) check(spec);
  std::vector<Id> wanted;
  for (const BodySpec& spec : bodies) wanted.push_back(spec.id);
  const std::size_t first = size();
  const Id next_before = next_id();
  const bool scaled_before = scaled_;
  std::vector<Id> ids = bodies_.add(wanted);
  try {
    fill(first, bodies, ids);
    for (std::size_t k = 0; k < bodies.size(); ++k)
      if (bodies[k].owner != kNewId) ride(bodies[k], first + k);
  } catch (...) {  // thrown for a shape without mass, or a body without its owner
    for (const Id body : ids) prescribed_.erase(body), surface_velocities_.erase(body);
    bodies_.take_back(first, next_before);
    scaled_ = scaled_before;
    throw;
  }
  return ids;
}

/// Fills the rows of bodies that have passed the checks.
void World::fill(std::size_t first, std::span<const BodySpec> bodies, std::span<const Id> ids) {
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const BodySpec& spec = bodies[k];
    const std::size_t i = first + k;
    set_row(i, spec);
    owner.write()[i] = spec.owner == kNewId ? ids[k] : spec.owner;
    if (spec.kind == BodyKind::prescribed && !spec.motions.empty()) {
      std::vector<Motion> motions = spec.motions;
      if (time > 0)
        for (Motion& motion : motions) motion.start = std::max(motion.start, time);  // it stands where it is added
      prescribed_[ids[k]] = {std::move(motions), {position[i], orientation[i]}};
    }
    if (!spec.surface_velocity.isZero(0)) surface_velocities_[ids[k]] = spec.surface_velocity;
  }
}

void World::remove(std::span<const Id> ids) {
  std::vector<Id> all(ids.begin(), ids.end());
  std::vector<bool> goes(size(), false);
  for (const Id body : ids)
    if (const auto i = row(body)) goes[*i] = true;
  for (const Member& m : members())
    if (goes[m.owner]) all.push_back(id[m.row]);
  std::vector<Id> gone = bodies_.remove(all);
  if (gone.empty()) return;
  std::ranges::sort(gone);
  for (std::vector<Id>* list : {&attached_, &released_})
    std::erase_if(*list, [&](Id body) { return std::ranges::binary_search(gone, body); });
  bonds_.forget(gone, time);
  for (const Id body : gone) prescribed_.erase(body), surface_velocities_.erase(body);
}

void World::reorder(std::span<const std::uint32_t> order) { bodies_.reorder(order); }

void World::drop_table_edits() {
  for (Table* table : tables())
    if (table != &bodies_) table->take_edits();
}

EditLog World::take_edits() {
  return {bodies_.take_edits(), std::exchange(attached_, {}), std::exchange(released_, {})};
}

/// Sets the log. Changes the layout version if the set of rows or members changed, so that holders of older rows
/// notice.
void World::set_edits(EditLog edits) {
  attached_ = std::move(edits.attached);
  released_ = std::move(edits.released);
  if (!(edits.added.empty() && edits.removed.empty() && attached_.empty() && released_.empty())) ++member_changes_;
  bodies_.set_edits(std::move(edits));
}

bool World::edited() const {
  const auto changed = [](const Table* table) { return !table->edits().empty(); };
  return !attached_.empty() || !released_.empty() || std::ranges::any_of(tables(), changed);
}

World::Wrapped World::wrap() {
  Wrapped result;
  std::vector<Image>& went = result.went;
  if (!cell.any()) return result;
  result.images = cell.reduce_tilts();
  const auto x = position.write();
  const auto movable = inverse_mass.read();
  const auto crossings = column<Vec3>("cell_crossings").write();
  if (result.any())
    for (Vec3& n : crossings) n = result.images.cast<double>() * n;
  for (std::size_t i = 0; i < size(); ++i) {
    if (movable[i] == 0) continue;
    const Image image = cell.image_of(x[i]);
    if (image.isZero()) continue;
    if (went.empty()) went.assign(size(), Image::Zero());
    went[i] = -image;
    crossings[i] += image.cast<double>();
    x[i] -= cell.shift(image);
    if (cell.deforms()) velocity.write()[i] -= cell.velocity(image);
  }
  if (went.empty()) return result;
  for (const Member& m : members()) {
    went[m.row] = went[m.owner];
    crossings[m.row] -= went[m.owner].cast<double>();
  }
  update_members();
  return result;
}

namespace {

/// Checks the numbers of a pose and twist. \throws NumericalError if a prescribed motion has led to NaN or infinity
void require_numbers(const World& world, Id body, std::size_t row, const Pose& pose, const Twist& twist, double t) {
  const double sum =
      pose.position.sum() + pose.orientation.coeffs().sum() + twist.velocity.sum() + twist.angular_velocity.sum();
  if (0 * sum == 0) return;
  if (pose.position.allFinite() && pose.orientation.coeffs().allFinite() && twist.velocity.allFinite() &&
      twist.angular_velocity.allFinite())
    return;  // finite numbers whose sum is not
  const std::uint32_t group = world.group.read()[row];
  throw NumericalError("wall \"" + (group < world.group_names.size() ? world.group_names[group] : "") + "\" (body " +
                       std::to_string(body) +
                       "): its motion leads to a place, orientation or speed that is no number, at t = " +
                       std::to_string(t) + " s. Lower its speed, or stop it.");
}

}  // namespace

/// Sets velocities of prescribed bodies at time t, and calls each(row, pose).
/// \throws NumericalError
template <class Each>
void World::each_prescribed(double t, const Each& each) {
  const auto v = velocity.write(), w = angular_velocity.write();
  std::optional<MotionsAt> now;
  const std::vector<Motion>* of = nullptr;  // motions of the current body: bodies of one entry share them
  for (const auto& [body, entry] : prescribed_) {
    const auto i = row(body);
    if (!i) continue;
    if (!of || !(*of == entry.motions)) now.emplace(entry.motions, t), of = &entry.motions;
    const auto [pose, twist] = now->of(entry.initial);
    require_numbers(*this, body, *i, pose, twist, t);
    v[*i] = twist.velocity;
    w[*i] = twist.angular_velocity;
    each(*i, pose);
  }
}

void World::move_cell(double t) {
  if (!cell.deforms()) return;
  auto& [of_step, start, moved] = moving_cell_;
  const bool as_moved = cell.edges == moved.edges && cell.lower == moved.lower && cell.rate == moved.rate;
  if (of_step != step || !as_moved) of_step = step, start = cell;
  cell.edges = start.edges + (t - time) * cell.rate;
  cell.lower = start.lower - 0.5 * (t - time) * Vec3(cell.rate.diagonal());
  moved = cell;
}

void World::move_prescribed(double t) {
  trial_time_ = t;
  move_cell(t);
  if (prescribed_.empty()) return;
  const auto x = position.write();
  const auto q = orientation.write();
  each_prescribed(t, [&](std::size_t i, const Pose& pose) { x[i] = pose.position, q[i] = pose.orientation; });
}

void World::prescribe_velocities(double t) {
  if (!prescribed_.empty()) each_prescribed(t, [](std::size_t, const Pose&) {});
}

double& World::metric(const std::string& name) { return metrics_[name]; }

void World::rows_filled() {
  prescribed_.clear();
  surface_velocities_.clear();
  for (Table* table : tables()) table->rows_filled();
  bonds_.rows_filled();
  attached_ = released_ = {};
  scaled_ = std::ranges::any_of(scale.read(), [](double s) { return s != 1; });
}

}  // namespace scree
