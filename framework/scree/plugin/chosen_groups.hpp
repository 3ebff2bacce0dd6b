#pragma once
/// \file Groups of a scene's bodies that a hook is for.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/scene/options.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Returns the texts of option `bodies`; none if it is not given.
SCREE_API std::vector<std::string> chosen_names(const Options& options);

/// All groups of bodies, or those of some names. Groups that hooks add later count only if all are chosen.
class SCREE_API ChosenGroups {
 public:
  ChosenGroups() = default;
  /// Chooses groups. \param names  none: all \throws OptionError at /bodies/k for a name that is no group of the World
  ChosenGroups(std::span<const std::string> names, const World& world);

  /// Checks whether a group is chosen. \param group  an entry of World::group
  bool operator()(std::uint32_t group) const { return all_ || (group < chosen_.size() && chosen_[group] != 0); }

 private:
  bool all_ = true;
  std::vector<char> chosen_;  ///< by group
};

}  // namespace scree
