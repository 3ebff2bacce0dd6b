#include "mesh_wear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "scree/base/error.hpp"

namespace scree::mesh {

namespace {

template <class T>
void put(std::vector<std::byte>& to, const T* values, std::size_t count) {
  const auto* const from = reinterpret_cast<const std::byte*>(values);
  to.insert(to.end(), from, from + count * sizeof(T));
}

template <class T>
void take(std::span<const std::byte>& from, T* values, std::size_t count) {
  if (count > from.size() / sizeof(T))
    throw InputError(
        "the state of mesh-wear in the checkpoint has another size. It is damaged, or was not written by this scene's "
        "run.");
  std::memcpy(values, from.data(), count * sizeof(T));
  from = from.subspan(count * sizeof(T));
}

/// Returns the velocity of a body at a point [m/s].
Vec3 velocity_at(const World& world, std::size_t row, const Vec3& point) {
  return world.velocity[row] + world.angular_velocity[row].cross(point - world.position[row]);
}

Vec3 surface_velocity(const World& world, Id body) {
  const auto found = world.surface_velocities().find(body);
  return found == world.surface_velocities().end() ? Vec3(Vec3::Zero()) : found->second;
}

/// Returns the angle of a triangle at a vertex [rad].
double angle_at(const TriangleMesh& mesh, std::uint32_t triangle, std::uint32_t vertex) {
  const auto& v = mesh.triangles()[triangle].vertex;
  int k = 0;
  while (v[k] != vertex) ++k;
  const Vec3 a = mesh.vertices()[v[(k + 1) % 3]] - mesh.vertices()[vertex],
             b = mesh.vertices()[v[(k + 2) % 3]] - mesh.vertices()[vertex];
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

}  // namespace

MeshWear::MeshWear(const Options& options)
    : bodies_(options, "mesh-wear"),
      series_(options.text("name")),
      every_(static_cast<std::uint64_t>(options.integer("every"))) {
  if (options.has("archard")) {
    const Options o = options.object("archard");
    archard_ = Archard{o.number("coefficient"), o.number("hardness")};
  }
  if (options.has("finnie")) {
    const Options o = options.object("finnie");
    finnie_ = Finnie{o.number("flow_stress"), o.number("chip_ratio"), o.number("force_ratio")};
    by_work_ = o.text("by") == "work";
  }
}

void MeshWear::begin(const World& world) {
  bodies_.begin(world);
  std::size_t count = 0;
  for (const std::size_t row : bodies_.rows(world)) {
    const auto* const surface = facet<MeshSurface>(*world.shapes()[world.shape[row]].shape);
    if (!surface)
      throw OptionError(
          "/bodies", fmt::format("body {} is no mesh; mesh-wear follows bodies of shape \"mesh\" alone. Name others, "
                                 "or give the body such a shape.",
                                 world.id[row]));
    walls_.push_back({world.id[row], surface, count});
    count += surface->triangles().triangles().size();
  }
  loads_.assign(count, {});
}

void MeshWear::share(const Wall& wall, const Foot& foot, const Load& load) {
  const TriangleMesh& mesh = wall.surface->triangles();
  std::vector<std::uint32_t> at;
  std::vector<double> parts;
  if (foot.feature == Feature::face) {
    at = {foot.part}, parts = {1};
  } else if (foot.feature == Feature::edge) {
    const auto both = mesh.triangles_of(foot.part);
    at.assign(both.begin(), both.end());
    parts.assign(at.size(), 1);
  } else {
    wall.surface->near(mesh.vertices()[foot.part], 0x1p-20 * (mesh.upper() - mesh.lower()).norm(), at);
    std::erase_if(at, [&](std::uint32_t t) { return std::ranges::count(mesh.triangles()[t].vertex, foot.part) == 0; });
    std::ranges::sort(at);
    for (const std::uint32_t t : at) parts.push_back(angle_at(mesh, t, foot.part));
  }
  double whole = 0;
  for (const double p : parts) whole += p;
  for (std::size_t k = 0; k < at.size(); ++k) {
    const double part = parts[k] / whole;
    Load& to = loads_[wall.first + at[k]];
    for (int axis = 0; axis < 3; ++axis) to.force[axis] += part * load.force[axis];
    to.normal_force += part * load.normal_force;
    to.archard += part * load.archard;
    to.finnie += part * load.finnie;
    to.impacts += part * load.impacts;
  }
}

void MeshWear::add(const World& world, const ContactRecord& c, const Wall& wall, double interval,
                   std::vector<std::pair<Id, Id>>& touching) {
  const bool mesh_is_b = c.b == wall.id;
  const Id grain = mesh_is_b ? c.a : c.b;
  const std::size_t row = *world.row(grain), wall_row = *world.row(wall.id);
  const Vec3 into = mesh_is_b ? c.normal : Vec3(-c.normal), force = mesh_is_b ? c.force : Vec3(-c.force);
  const double normal_force = std::max(0.0, force.dot(into));
  const Vec3 belt = surface_velocity(world, wall.id) - surface_velocity(world, grain);
  const Vec3 way = velocity_at(world, row, c.point) - velocity_at(world, wall_row, c.point);
  const Vec3 slip = way - way.dot(into) * into - (belt - belt.dot(into) * into);
  Load load{{force[0], force[1], force[2]}, normal_force, 0, 0, 0};
  if (archard_) load.archard = archard_->volume(normal_force, slip.norm() * interval);
  const Id owner = world.owner[row];
  const std::pair<Id, Id> pair{owner, wall.id};
  if (began_ && c.overlap > 0 && !std::ranges::binary_search(touching_, pair) &&
      std::ranges::count(touching, pair) == 0) {
    load.impacts = 1;
    const double towards = way.dot(into), speed = std::hypot(towards, slip.norm());
    if (finnie_ && !by_work_ && towards > 0)
      load.finnie = finnie_->volume(world.mass[*world.row(owner)], speed, std::atan2(towards, slip.norm()));
  }
  if (finnie_ && by_work_) {
    const Vec3 travel = world.velocity[row] - velocity_at(world, wall_row, c.point) - belt;
    const double towards = travel.dot(into), along = (travel - towards * into).norm();
    if (towards > 0)
      load.finnie = finnie_->volume(2 * travel.norm() * force.norm() * interval, std::atan2(towards, along));
  }
  if (c.overlap > 0) touching.push_back(pair);
  const Vec3 place = c.point - c.overlap / 2 * into - world.position[wall_row];
  const double scale = world.scaled() ? world.scale[wall_row] : 1.0;
  share(wall, wall.surface->nearest(world.orientation[wall_row].conjugate() * place / scale), load);
}

void MeshWear::observe(const World& world, const ContactView* contacts, const Frame& frame) {
  const double interval = began_ ? frame.time - last_time_ : 0;
  std::vector<std::pair<Id, Id>> touching;
  for (const ContactRecord& c : *contacts)
    for (const Wall& wall : walls_)
      if (c.a == wall.id || c.b == wall.id) add(world, c, wall, interval, touching);
  std::ranges::sort(touching);
  touching.erase(std::unique(touching.begin(), touching.end()), touching.end());
  touching_ = std::move(touching);
  last_time_ = frame.time;
  began_ = true;
  ++samples_;
  if (frame.index % every_ == 0) write(world, frame);
}

void MeshWear::write(const World& world, const Frame& frame) {
  std::vector<Vec3> points;
  std::vector<std::uint32_t> corners;
  std::vector<CellValues> out = {{"body", 1, {}},          {"force", 3, {}},         {"normal_force", 1, {}},
                                 {"pressure", 1, {}},      {"shear_stress", 1, {}},  {"archard_volume", 1, {}},
                                 {"archard_depth", 1, {}}, {"finnie_volume", 1, {}}, {"finnie_depth", 1, {}},
                                 {"impacts", 1, {}}};
  for (const Wall& wall : walls_) {
    const std::optional<std::size_t> row = world.row(wall.id);
    if (!row) continue;
    const TriangleMesh& mesh = wall.surface->triangles();
    const double scale = world.scaled() ? world.scale[*row] : 1.0;
    const auto base = static_cast<std::uint32_t>(points.size());
    for (const Vec3& v : mesh.vertices())
      points.push_back(world.position[*row] + world.orientation[*row] * (scale * v));
    for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
      for (const std::uint32_t v : mesh.triangles()[t].vertex) corners.push_back(base + v);
      const Load& l = loads_[wall.first + t];
      const auto& v = mesh.triangles()[t].vertex;
      const double area =
          scale * scale / 2 *
          (mesh.vertices()[v[1]] - mesh.vertices()[v[0]]).cross(mesh.vertices()[v[2]] - mesh.vertices()[v[0]]).norm();
      const Vec3 force = Vec3(l.force[0], l.force[1], l.force[2]) / samples_;
      const Vec3 n = world.orientation[*row] * mesh.normal(t);
      out[0].values.push_back(static_cast<double>(wall.id));
      out[1].values.insert(out[1].values.end(), {force[0], force[1], force[2]});
      const double values[] = {l.normal_force / samples_,
                               l.normal_force / samples_ / area,
                               (force - force.dot(n) * n).norm() / area,
                               l.archard,
                               l.archard / area,
                               l.finnie,
                               l.finnie / area,
                               l.impacts};
      for (std::size_t k = 0; k < 8; ++k) out[k + 2].values.push_back(values[k]);
    }
  }
  series_.add(frame.index, frame.time, surface_text(points, corners, out));
  for (Load& l : loads_) l.force[0] = l.force[1] = l.force[2] = l.normal_force = 0;
  samples_ = 0;
}

std::vector<std::byte> MeshWear::save() const {
  std::vector<std::byte> state;
  const double times[] = {last_time_, samples_, began_ ? 1.0 : 0.0};
  const std::uint64_t sizes[] = {loads_.size(), touching_.size(), series_.entries().size()};
  put(state, times, 3);
  put(state, sizes, 3);
  put(state, loads_.data(), loads_.size());
  for (const auto& [grain, wall] : touching_) {
    const std::uint64_t pair[] = {grain, wall};
    put(state, pair, 2);
  }
  for (const SurfaceSeries::Entry& e : series_.entries()) put(state, &e.frame, 1), put(state, &e.time, 1);
  return state;
}

void MeshWear::load(const std::vector<std::byte>& state) {
  std::span<const std::byte> rest(state);
  double times[3];
  std::uint64_t sizes[3];
  take(rest, times, 3);
  take(rest, sizes, 3);
  std::vector<Load> loads(std::min<std::uint64_t>(sizes[0], rest.size()));
  if (sizes[0] == loads_.size()) take(rest, loads.data(), loads.size());
  std::vector<std::pair<Id, Id>> touching;
  std::vector<SurfaceSeries::Entry> entries;
  if (sizes[0] != loads_.size() || rest.size() % 16 != 0 || sizes[1] > rest.size() / 16 ||
      sizes[2] != rest.size() / 16 - sizes[1])
    take(rest, times, rest.size() + 1);
  for (std::uint64_t k = 0; k < sizes[1]; ++k) {
    std::uint64_t pair[2];
    take(rest, pair, 2);
    touching.emplace_back(static_cast<Id>(pair[0]), static_cast<Id>(pair[1]));
  }
  for (std::uint64_t k = 0; k < sizes[2]; ++k) {
    SurfaceSeries::Entry e{};
    take(rest, &e.frame, 1);
    take(rest, &e.time, 1);
    entries.push_back(e);
  }
  const auto finite = [](const Load& l) { return std::isfinite(l.archard + l.finnie + l.normal_force + l.impacts); };
  if (!std::ranges::all_of(loads, finite) || !std::isfinite(times[0] + times[1]))
    throw InputError("the state of mesh-wear in the checkpoint holds what is no number. It is damaged.");
  last_time_ = times[0], samples_ = times[1], began_ = times[2] != 0;
  loads_ = std::move(loads);
  touching_ = std::move(touching);
  series_.set_entries(std::move(entries));
}

}  // namespace scree::mesh
