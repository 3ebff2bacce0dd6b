#pragma once
/// \file Fragments that came apart when bonds broke.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/disjoint_sets.hpp"
#include "scree/model/methods.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Current fragments, and those before the last bonds broke. Bonds whose bodies touch each other anyway do not count.
class SplitFragments {
 public:
  /// \param broken  indices of the bonds that just broke
  SplitFragments(const World& world, const Methods& methods, std::span<const std::uint32_t> broken);

  /// Checks whether two rows came apart.
  bool parted(std::uint32_t i, std::uint32_t j) {
    return before_.find(i) == before_.find(j) && now_.find(i) != now_.find(j);
  }
  /// Returns bodies among which are all pairs that came apart and are near each other. These are bodies of every part
  /// of a split fragment except its largest, and bodies of that one in the same place.
  std::vector<std::uint32_t> bodies(const World& world);

 private:
  DisjointSets now_, before_;
};

}  // namespace scree
