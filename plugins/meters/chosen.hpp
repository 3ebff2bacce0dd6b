#pragma once
/// \file Which bodies a meter looks at.

#include <string>
#include <utility>
#include <vector>

#include "scree/plugin/chosen_groups.hpp"

namespace scree::meters {

/// Bodies that move freely, of the entries that option `bodies` names, or of all.
class Chosen {
 public:
  explicit Chosen(const Options& options) : names_(chosen_names(options)) {}
  explicit Chosen(std::vector<std::string> names) : names_(std::move(names)) {}
  /// \throws OptionError for a name that is no entry of bodies
  void begin(const World& world) { groups_ = ChosenGroups(names_, world); }
  /// Members count with their owner, frames without a surface not at all.
  bool operator()(const World& world, std::size_t row) const {
    return world.inverse_mass[row] != 0 && world.radius[row] != 0 && groups_(world.group[row]);
  }

 private:
  std::vector<std::string> names_;
  ChosenGroups groups_;
};

/// Volume of a body [m^3]; 0 where its material has no density.
inline double volume_of(const World& world, std::size_t row) {
  const double density = world.materials()[world.material[row]].density;
  return density > 0 ? world.mass[row] / density : 0;
}

}  // namespace scree::meters
