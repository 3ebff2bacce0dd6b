#include "scree/run/figures.hpp"

#include <algorithm>
#include <iterator>

#include "scree/base/exact_sum.hpp"

namespace scree {

bool Figures::note(const Prepared& prepared) {
  const World& world = *prepared.world;
  const std::size_t before = bonds_ + names_.size() + walls_.size();
  group_names_ = world.group_names;
  bonds_ = bonds_ || world.bonds().size() > 0;
  for (const auto& [name, value] : world.figures()) names_.insert(name);
  const auto kind = world.kind.read(), group = world.group.read();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (kind[i] != static_cast<std::uint32_t>(BodyKind::dynamic)) walls_.insert(group[i]);
  return bonds_ + names_.size() + walls_.size() > before;
}

std::vector<std::string> Figures::columns() const {
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
  if (bonds_) columns.push_back("bonds");
  columns.insert(columns.end(), names_.begin(), names_.end());
  for (const std::uint32_t g : walls_)
    for (const char* quantity : {"force_x_N", "force_y_N", "force_z_N", "torque_x_N_m", "torque_y_N_m", "torque_z_N_m"})
      columns.push_back(group_names_[g] + "_" + quantity);
  return columns;
}

const std::vector<double>& Figures::row(const Prepared& prepared) {
  const World& world = *prepared.world;
  const ContactTotals c = prepared.engine->totals();
  const Totals t = totals(world, gravity_at(prepared.methods.environment, world.time));
  row_ = {world.time,
          static_cast<double>(world.step),
          static_cast<double>(t.dynamic_bodies),
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
  if (bonds_) row_.push_back(static_cast<double>(world.bonds().alive()));
  for (const std::string& name : names_) {
    const auto figure = world.figures().find(name);
    row_.push_back(figure == world.figures().end() ? 0 : figure->second);
  }
  add_walls(world);
  return row_;
}

/// Forces on walls, summed over the bodies of an entry without rounding; torques about each body's origin.
void Figures::add_walls(const World& world) {
  const std::size_t first = row_.size();
  row_.resize(first + 6 * walls_.size(), 0);
  std::vector<ExactSum> sums(6 * walls_.size());
  const auto f = world.find_column("force")->as<Vec3>(), m = world.find_column("torque")->as<Vec3>();
  const auto kind = world.kind.read(), group = world.group.read();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (kind[i] == static_cast<std::uint32_t>(BodyKind::dynamic)) continue;
    const auto wall = static_cast<std::size_t>(std::distance(walls_.begin(), walls_.find(group[i])));
    for (std::size_t k = 0; k < 3; ++k) {
      sums[6 * wall + k].add(f[i][static_cast<int>(k)]);
      sums[6 * wall + 3 + k].add(m[i][static_cast<int>(k)]);
    }
  }
  for (std::size_t k = 0; k < sums.size(); ++k) row_[first + k] = sums[k].value();
}

}  // namespace scree
