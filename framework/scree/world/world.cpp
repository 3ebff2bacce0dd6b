#include "scree/world/world.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/shape/facets.hpp"
#include "scree/world/rows_by_id.hpp"

namespace scree {

namespace {

constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

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
  id = column<Id>("id");
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

ColumnStorage& World::storage(const std::string& name, ColumnType type, int components, const std::string& unit,
                              bool show) {
  if (ColumnStorage* found = find_column(name)) {
    if (found->type() != type || found->components() != components)
      throw Error("column \"" + name + "\" is registered with two different types");
    return *found;
  }
  columns_.push_back(std::make_unique<ColumnStorage>(name, type, components, unit, show));
  columns_.back()->resize(size_);
  by_name_[name] = columns_.back().get();
  return *columns_.back();
}

ColumnStorage* World::find_column(const std::string& name) {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

const ColumnStorage* World::find_column(const std::string& name) const {
  return const_cast<World*>(this)->find_column(name);
}

void World::forget_rows() {
  rows_found_.store(false, std::memory_order_relaxed);
  members_found_.store(false, std::memory_order_relaxed);
  ++layout_version_;
}

void World::find_rows() const {
  const std::lock_guard lock(finding_rows_);
  if (rows_found_.load(std::memory_order_relaxed)) return;
  const auto ids = id.read();
  const Id largest = *std::max_element(ids.begin(), ids.end());
  rows_by_number_ = largest < 4 * size_;
  if (rows_by_number_) {
    rows_.assign(largest + 1, kNoRow);
    for (std::size_t i = 0; i < size_; ++i) rows_[ids[i]] = static_cast<std::uint32_t>(i);
  } else {
    rows_ = rows_by_id(*this);
  }
  rows_found_.store(true, std::memory_order_release);
}

std::optional<std::size_t> World::row(Id wanted) const {
  if (size_ == 0) return std::nullopt;
  if (!rows_found_.load(std::memory_order_acquire)) find_rows();
  if (rows_by_number_)
    return wanted < rows_.size() && rows_[wanted] != kNoRow ? std::optional<std::size_t>(rows_[wanted]) : std::nullopt;
  const auto ids = id.read();
  const auto it =
      std::lower_bound(rows_.begin(), rows_.end(), wanted, [&](std::uint32_t i, Id x) { return ids[i] < x; });
  return it != rows_.end() && ids[*it] == wanted ? std::optional<std::size_t>(*it) : std::nullopt;
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
  if (const auto* axes = facet<ReferenceAxes>(s)) turn = (turn * axes->body_to_reference()).normalized();
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

void World::reserve(std::size_t bodies) {
  for (auto& column : columns_) column->reserve(bodies);
}

/// Ids that bodies ask for, and the next ones for those that do not.
std::vector<Id> World::ids_of_new(std::span<const BodySpec> bodies) const {
  const auto refuse = [](Id id) {
    throw Error("body id " + std::to_string(id) + " is given twice. Ids must be unique over all bodies.");
  };
  std::vector<Id> ids;
  ids.reserve(bodies.size());
  Id next = next_id_;
  bool chosen = false;
  for (const BodySpec& spec : bodies) {
    const Id id = spec.id == kNewId ? next : spec.id;
    if (id < next_id_ && row(id)) refuse(id);
    chosen = chosen || spec.id != kNewId;
    next = std::max(next, id + 1);
    ids.push_back(id);
  }
  if (!chosen) return ids;
  std::vector<Id> ascending = ids;
  std::sort(ascending.begin(), ascending.end());
  const auto twice = std::adjacent_find(ascending.begin(), ascending.end());
  if (twice != ascending.end()) refuse(*twice);
  return ids;
}

std::vector<Id> World::add(std::span<const BodySpec> bodies) {
  for (const BodySpec& spec : bodies) check(spec);
  std::vector<Id> ids = ids_of_new(bodies);
  const std::size_t first = size_;
  const bool scaled_before = scaled_;
  try {
    append(bodies, ids);
    for (std::size_t k = 0; k < bodies.size(); ++k)
      if (bodies[k].owner != kNewId) ride(bodies[k], first + k);
    edits_.added.insert(edits_.added.end(), ids.begin(), ids.end());
  } catch (...) {  // of a shape that has no mass to tell, or a body without its owner
    for (auto& column : columns_) column->resize(first);
    for (const Id id : ids) prescribed_.erase(id), surface_velocities_.erase(id);
    size_ = first;
    scaled_ = scaled_before;
    forget_rows();
    throw;
  }
  for (const Id id : ids) next_id_ = std::max(next_id_, id + 1);
  return ids;
}

/// Rows of bodies that may be added.
void World::append(std::span<const BodySpec> bodies, std::span<const Id> ids) {
  const std::size_t first = size_;
  for (auto& column : columns_) column->resize(first + bodies.size());
  size_ = first + bodies.size();
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const BodySpec& spec = bodies[k];
    const std::size_t i = first + k;
    set_row(i, spec);
    id.write()[i] = ids[k];
    owner.write()[i] = spec.owner == kNewId ? ids[k] : spec.owner;
    if (spec.kind == BodyKind::prescribed && spec.motion) {
      Motion motion = *spec.motion;
      if (time > 0) motion.start = std::max(motion.start, time);  // it stands where it is added
      prescribed_[ids[k]] = {motion, {position.read()[i], orientation.read()[i]}};
    }
    if (!spec.surface_velocity.isZero(0)) surface_velocities_[ids[k]] = spec.surface_velocity;
  }
  forget_rows();
}

void World::remove(std::span<const Id> ids) {
  std::vector<bool> goes(size_, false);
  for (const Id id : ids)
    if (const auto i = row(id)) goes[*i] = true;
  for (const Member& m : members())
    if (goes[m.owner]) goes[m.row] = true;
  std::vector<std::uint32_t> keep;
  std::vector<Id> gone;
  const auto all = id.read();
  for (std::size_t i = 0; i < size_; ++i)
    if (goes[i])
      gone.push_back(all[i]);
    else
      keep.push_back(static_cast<std::uint32_t>(i));
  if (gone.empty()) return;
  std::vector<std::byte> spare;
  for (auto& column : columns_) column->gather(keep, spare);
  size_ = keep.size();
  std::vector<Id> ascending = gone;
  std::sort(ascending.begin(), ascending.end());
  log_removed(gone, ascending);
  bonds_.forget(ascending, time);
  for (const Id g : gone) {
    prescribed_.erase(g);
    surface_velocities_.erase(g);
  }
  forget_rows();
}

/// Nobody who takes the log has seen a body that came since the last time.
void World::log_removed(std::span<const Id> gone, std::span<const Id> ascending) {
  std::vector<Id> unseen;
  for (const Id id : edits_.added)
    if (std::binary_search(ascending.begin(), ascending.end(), id)) unseen.push_back(id);
  std::sort(unseen.begin(), unseen.end());
  for (std::vector<Id>* list : {&edits_.added, &edits_.moved, &edits_.attached, &edits_.released})
    std::erase_if(*list, [&](Id id) { return std::binary_search(ascending.begin(), ascending.end(), id); });
  for (const Id id : gone)
    if (!std::binary_search(unseen.begin(), unseen.end(), id)) edits_.removed.push_back(id);
}

void World::mark_moved(std::span<const Id> ids) { edits_.moved.insert(edits_.moved.end(), ids.begin(), ids.end()); }

void World::reorder(std::span<const std::uint32_t> order) {
  std::vector<std::byte> spare;
  for (auto& column : columns_) column->gather(order, spare);
  forget_rows();
}

EditLog World::take_edits() { return std::exchange(edits_, {}); }

std::vector<Image> World::wrap() {
  std::vector<Image> went;
  if (!cell.any()) return went;
  const auto x = position.write();
  const auto movable = inverse_mass.read();
  const auto crossings = column<Vec3>("cell_crossings").write();
  for (std::size_t i = 0; i < size_; ++i) {
    if (movable[i] == 0) continue;
    const Image image = cell.image_of(x[i]);
    if (image.isZero()) continue;
    if (went.empty()) went.assign(size_, Image::Zero());
    went[i] = -image;
    crossings[i] += image.cast<double>();
    x[i] -= cell.shift(image);
  }
  if (went.empty()) return went;
  for (const Member& m : members()) {
    went[m.row] = went[m.owner];
    crossings[m.row] -= went[m.owner].cast<double>();
  }
  update_members();
  return went;
}

void World::move_prescribed(double t) {
  trial_time_ = t;
  for (const auto& [body, entry] : prescribed_) {
    const auto i = row(body);
    if (!i) continue;
    const Pose pose = pose_at(entry.motion, entry.initial, t);
    const Twist twist = twist_at(entry.motion, entry.initial, t);
    position.write()[*i] = pose.position;
    orientation.write()[*i] = pose.orientation;
    velocity.write()[*i] = twist.velocity;
    angular_velocity.write()[*i] = twist.angular_velocity;
  }
}

void World::prescribe_velocities(double t) {
  for (const auto& [body, entry] : prescribed_) {
    const auto i = row(body);
    if (!i) continue;
    const Twist twist = twist_at(entry.motion, entry.initial, t);
    velocity.write()[*i] = twist.velocity;
    angular_velocity.write()[*i] = twist.angular_velocity;
  }
}

double& World::figure(const std::string& name) { return figures_[name]; }

void World::reset_rows(std::size_t rows) {
  size_ = rows;
  for (auto& column : columns_) {
    column->resize(0);
    column->resize(rows);
  }
  prescribed_.clear();
  surface_velocities_.clear();
  forget_rows();
}

void World::rows_filled() {
  forget_rows();
  std::erase_if(prescribed_, [this](const auto& p) { return !row(p.first); });
  std::erase_if(surface_velocities_, [this](const auto& v) { return !row(v.first); });
  edits_ = {};
  scaled_ = std::ranges::any_of(scale.read(), [](double s) { return s != 1; });
}

}  // namespace scree
