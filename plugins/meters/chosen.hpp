#pragma once
/// \file Bodies that a meter measures.

#include <string>
#include <utility>
#include <vector>

#include "scree/hooks/stored_bodies.hpp"
#include "scree/plugin/chosen_groups.hpp"

namespace scree::meters {

/// Bodies that move freely, of the entries that option `bodies` names, or of all. Those that a modifier has stored are
/// among them.
class Chosen {
 public:
  explicit Chosen(const Options& options) : names_(chosen_names(options)) {}
  explicit Chosen(std::vector<std::string> names) : names_(std::move(names)) {}
  /// \throws OptionError for a name that is no entry of bodies
  void begin(const World& world) { groups_ = ChosenGroups(names_, world); }
  /// Members of frames count one by one, other members with their owner.
  bool operator()(const World& world, std::size_t row) const {
    return groups_(world.group[row]) && moves_freely(world, row);
  }
  /// Checks whether bodies of this entry are measured.
  bool has(std::uint32_t group) const { return groups_(group); }
  /// Calls visit(BodyState) for each of them.
  template <class Visit>
  void for_each(const World& world, const Visit& visit) const {
    for_each_free_body(world, [&](const BodyState& state) {
      if (groups_(state.group)) visit(state);
    });
  }

 private:
  std::vector<std::string> names_;
  ChosenGroups groups_;
};

}  // namespace scree::meters
