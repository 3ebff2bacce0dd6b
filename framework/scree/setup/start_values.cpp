/// \file Start values of bodies' columns.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scree/setup/detail/set_up.hpp"

namespace scree::detail {

namespace {

/// Names of columns that scenes may set: those of numbers that a method shows, and none that other keys set.
std::vector<std::string> settable(const World& world) {
  const World bare(world.dimension());
  std::vector<std::string> names;
  for (const auto& column : world.columns())
    if (column->show() && column->type() == ColumnType::float64 && !bare.find_column(column->name()))
      names.push_back(column->name());
  std::ranges::sort(names);
  return names;
}

void set_values(const std::vector<double>& values, std::span<const Id> ids, World& world, ColumnStorage& column) {
  auto* const rows = reinterpret_cast<double*>(column.open_write());
  for (const Id id : ids)
    if (const auto row = world.row(id)) std::ranges::copy(values, rows + *row * values.size());
  column.close_write();
}

}  // namespace

void set_start_values(const Scene& scene, std::span<const PlacedBodies> placed, World& world) {
  for (std::size_t k = 0; k < placed.size(); ++k) {
    for (const auto& [name, values] : scene.bodies[k].columns) {
      if (name == "external_force" || name == "external_torque") world.external_wrenches();
      const std::string place = scene.where(scene.bodies[k].pointer + "/columns/" + name);
      std::vector<std::string> known = settable(world);
      if (std::ranges::find(known, name) == known.end()) {
        if (std::ranges::find(known, "external_force") == known.end())
          known.insert(known.end(), {"external_force", "external_torque"});
        const std::string nearest = nearest_name(name, known);
        throw InputError(fmt::format("{}: no method of this scene has a column \"{}\" of bodies.{} There are: {}.",
                                     place, name, nearest.empty() ? "" : fmt::format(" Did you mean \"{}\"?", nearest),
                                     fmt::join(known, ", ")));
      }
      ColumnStorage& column = *world.find_column(name);
      if (static_cast<std::size_t>(column.components()) != values.size())
        throw InputError(fmt::format("{}: column \"{}\" holds {} per body, not {}.", place, name,
                                     column.components() == 1 ? "one number" : "a vector",
                                     values.size() == 1 ? "one number" : "a vector"));
      set_values(values, placed[k].ids, world, column);
    }
  }
}

}  // namespace scree::detail
