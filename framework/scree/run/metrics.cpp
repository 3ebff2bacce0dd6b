#include "scree/run/metrics.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>

#include "scree/base/exact_sum.hpp"
#include "scree/hooks/stored_bodies.hpp"

namespace scree {

namespace {

/// Returns the mean net force on free bodies over the mean force of contacts [-]: 0 in equilibrium. Infinite while
/// nothing touches. The sums are exact.
double unbalanced_force_ratio(const World& world, const ContactView& contacts) {
  ExactSum net, touch;
  std::size_t bodies = 0;
  const auto force = world.find_column("force")->as<Vec3>();
  const auto free = world.inverse_mass.read();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (free[i] > 0) net.add(force[i].norm()), ++bodies;
  for (const ContactRecord& contact : contacts) touch.add(contact.force.norm());
  if (bodies == 0) return 0;
  if (!(touch.value() > 0)) return std::numeric_limits<double>::infinity();
  return net.value() / static_cast<double>(bodies) / (touch.value() / static_cast<double>(contacts.size()));
}

/// Returns the point that torques on a body are about: a point of its axis as it lies now, if it rotates about one;
/// else its origin.
Vec3 torque_centre(const World& world, std::size_t row) {
  const auto driven = world.prescribed().find(world.id.read()[row]);
  if (driven != world.prescribed().end()) {
    const std::vector<Motion>& motions = driven->second.motions;
    for (std::size_t k = motions.size(); k-- > 0;)
      if (!motions[k].angular_velocity.isZero(0) && !motions[k].about_origin)
        return pose_at(std::span(motions).subspan(k), {motions[k].centre, Quat::Identity()}, world.time).position;
  }
  return world.position.read()[row];
}

}  // namespace

bool Metrics::note(const Prepared& prepared) {
  const World& world = *prepared.world;
  const std::size_t before = bonds_ + names_.size() + walls_.size() + driven_.size();
  group_names_ = world.group_names;
  bonds_ = bonds_ || !prepared.methods.bonds.empty();
  for (const auto& [name, value] : world.metrics()) names_.insert(name);
  const auto kind = world.kind.read(), group = world.group.read();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (kind[i] != static_cast<std::uint32_t>(BodyKind::dynamic)) walls_.insert(group[i]);
    if (kind[i] == static_cast<std::uint32_t>(BodyKind::prescribed)) driven_.insert(group[i]);
  }
  return bonds_ + names_.size() + walls_.size() + driven_.size() > before;
}

void Metrics::note_earlier(const std::vector<std::string>& columns) {
  const std::set<std::string> earlier(columns.begin(), columns.end());
  bonds_ = bonds_ || earlier.contains("bonds");
  for (std::uint32_t g = 0; g < group_names_.size(); ++g) {
    if (earlier.contains(group_names_[g] + "_force_x_N")) walls_.insert(g);
    if (earlier.contains(group_names_[g] + "_power_W")) driven_.insert(g);
  }
}

std::vector<std::string> Metrics::columns() const {
  std::vector<std::string> columns = {"time_s",
                                      "step",
                                      "bodies",
                                      "kinetic_energy_J",
                                      "kinetic_translation_J",
                                      "kinetic_rotation_J",
                                      "potential_energy_J",
                                      "elastic_energy_J",
                                      "momentum_x_kg_m_per_s",
                                      "momentum_y_kg_m_per_s",
                                      "momentum_z_kg_m_per_s",
                                      "angular_momentum_x_kg_m2_per_s",
                                      "angular_momentum_y_kg_m2_per_s",
                                      "angular_momentum_z_kg_m2_per_s",
                                      "candidate_pairs",
                                      "touching_pairs",
                                      "contacts",
                                      "max_overlap_m",
                                      "max_overlap_ratio",
                                      "rebuilds"};
  if (choice_.stage) columns.insert(columns.begin() + 2, "stage");
  if (choice_.unbalanced) columns.push_back(kUnbalanced);
  if (bonds_) columns.push_back("bonds");
  columns.insert(columns.end(), names_.begin(), names_.end());
  for (const std::uint32_t g : walls_)
    for (const char* quantity : {"force_x_N", "force_y_N", "force_z_N", "torque_x_N_m", "torque_y_N_m", "torque_z_N_m"})
      columns.push_back(group_names_[g] + "_" + quantity);
  for (const std::uint32_t g : driven_) columns.push_back(group_names_[g] + "_power_W");
  return columns;
}

std::optional<double> Metrics::value(const std::string& column, const Prepared& prepared) {
  const std::vector<std::string> names = columns();
  const auto found = std::ranges::find(names, column);
  if (found == names.end()) return std::nullopt;
  return row(prepared)[static_cast<std::size_t>(found - names.begin())];
}

const std::vector<double>& Metrics::row(const Prepared& prepared, std::uint64_t stage) {
  const World& world = *prepared.world;
  const ContactTotals c = prepared.engine->totals();
  const Totals t = totals(world, gravity_at(prepared.methods.environment, world.time));
  row_ = {world.time,
          static_cast<double>(world.step),
          static_cast<double>(count_free_bodies(world)),
          t.kinetic(),
          t.kinetic_translation,
          t.kinetic_rotation,
          t.potential,
          c.elastic_energy + prepared.engine->bond_energy(),
          t.momentum[0],
          t.momentum[1],
          t.momentum[2],
          t.angular_momentum[0],
          t.angular_momentum[1],
          t.angular_momentum[2],
          static_cast<double>(c.candidate_pairs),
          static_cast<double>(c.touching_pairs),
          static_cast<double>(c.contacts),
          c.max_overlap,
          c.max_overlap / prepared.smallest_radius,
          static_cast<double>(prepared.engine->rebuilds())};
  if (choice_.stage) row_.insert(row_.begin() + 2, static_cast<double>(stage + 1));
  if (choice_.unbalanced) row_.push_back(unbalanced_force_ratio(world, prepared.engine->contacts()));
  if (bonds_) row_.push_back(static_cast<double>(world.bonds().alive()));
  for (const std::string& name : names_) {
    const auto figure = world.metrics().find(name);
    row_.push_back(figure == world.metrics().end() ? 0 : figure->second);
  }
  add_walls(world);
  add_powers(world);
  return row_;
}

/// Adds forces on walls, exact sums over the bodies of an entry.
void Metrics::add_walls(const World& world) {
  const std::size_t first = row_.size();
  row_.resize(first + 6 * walls_.size(), 0);
  std::vector<ExactSum> sums(6 * walls_.size());
  const auto f = world.find_column("force")->as<Vec3>(), m = world.find_column("torque")->as<Vec3>();
  const auto kind = world.kind.read(), group = world.group.read();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (kind[i] == static_cast<std::uint32_t>(BodyKind::dynamic)) continue;
    const auto wall = static_cast<std::size_t>(std::distance(walls_.begin(), walls_.find(group[i])));
    const Vec3 torque = m[i] + (world.position.read()[i] - torque_centre(world, i)).cross(f[i]);
    for (std::size_t k = 0; k < 3; ++k) {
      sums[6 * wall + k].add(f[i][static_cast<int>(k)]);
      sums[6 * wall + 3 + k].add(torque[static_cast<int>(k)]);
    }
  }
  for (std::size_t k = 0; k < sums.size(); ++k) row_[first + k] = sums[k].value();
}

/// Adds the power that driven bodies give to bodies that they touch.
void Metrics::add_powers(const World& world) {
  const std::size_t first = row_.size();
  row_.resize(first + driven_.size(), 0);
  std::vector<ExactSum> sums(driven_.size());
  const auto f = world.find_column("force")->as<Vec3>(), m = world.find_column("torque")->as<Vec3>();
  const auto v = world.velocity.read(), w = world.angular_velocity.read();
  const auto kind = world.kind.read(), group = world.group.read();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (kind[i] == static_cast<std::uint32_t>(BodyKind::prescribed))
      sums[static_cast<std::size_t>(std::distance(driven_.begin(), driven_.find(group[i])))].add(
          -(f[i].dot(v[i]) + m[i].dot(w[i])));
  for (std::size_t k = 0; k < sums.size(); ++k) row_[first + k] = sums[k].value();
}

}  // namespace scree
