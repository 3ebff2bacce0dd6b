#pragma once
/// \file Single bodies and entries that a hook follows.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scree/plugin/chosen_groups.hpp"

namespace scree {

/// Bodies of the entries in option `bodies`, and those whose ids are in option `ids`.
class SCREE_API ChosenBodies {
 public:
  /// \param hook  name of the hook, for messages \throws OptionError if neither option is given
  ChosenBodies(const Options& options, const std::string& hook);
  /// Looks the names and ids up. \throws OptionError for one that does not exist
  void begin(const World& world);
  /// Returns the rows of the bodies, in the order of their ids.
  std::vector<std::size_t> rows(const World& world) const;

 private:
  Options options_;
  std::optional<ChosenGroups> groups_;
  std::vector<Id> ids_;  ///< ascending
};

}  // namespace scree
