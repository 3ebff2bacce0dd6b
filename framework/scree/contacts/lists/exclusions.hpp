#pragma once
/// \file Pairs of bodies that bonds keep from touching each other: they are not listed.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scree/model/methods.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Excluded pairs: bodies joined by a bond that does not act beside their contact and, unless their bonds allow
/// contact, all bodies of one fragment.
class Exclusions {
 public:
  Exclusions(const World& world, const Methods& methods);

  /// Checks whether two rows may not touch.
  bool exclude(std::uint32_t i, std::uint32_t j) const;
  /// Checks whether no two of these rows may touch, because all are in one fragment.
  bool exclude_all(std::span<const std::uint32_t> rows) const;

 private:
  std::span<const Id> ids_;
  std::vector<std::pair<Id, Id>> bonded_;  ///< pairs that one bond joins, ascending
  std::vector<std::uint32_t> fragment_;    ///< number of the fragment by row; empty without bonds
};

}  // namespace scree
