#include "chosen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scree/base/error.hpp"

namespace scree::meters {

Chosen::Chosen(const Options& options) {
  if (!options.has("bodies")) return;
  for (const Options& name : options.objects("bodies")) names_.push_back(name.as_text());
}

void Chosen::begin(const World& world) {
  if (names_.empty()) return;
  groups_.assign(world.group_names.size(), 0);
  for (std::size_t k = 0; k < names_.size(); ++k) {
    const auto at = std::ranges::find(world.group_names, names_[k]);
    if (at == world.group_names.end())
      throw OptionError(fmt::format("/bodies/{}", k), fmt::format("there is no entry \"{}\" of bodies. There are: {}.",
                                                                  names_[k], fmt::join(world.group_names, ", ")));
    groups_[static_cast<std::size_t>(at - world.group_names.begin())] = 1;
  }
}

bool Chosen::operator()(const World& world, std::size_t row) const {
  if (world.inverse_mass[row] == 0 || world.radius[row] == 0) return false;
  const std::uint32_t group = world.group[row];
  return groups_.empty() || (group < groups_.size() && groups_[group]);
}

double volume_of(const World& world, std::size_t row) {
  const double density = world.materials()[world.material[row]].density;
  return density > 0 ? world.mass[row] / density : 0;
}

}  // namespace scree::meters
