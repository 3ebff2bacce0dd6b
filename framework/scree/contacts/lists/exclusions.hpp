#pragma once
/// \file Which bodies bonds keep from touching each other: pairs of them are not listed.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scree/contacts/methods.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Bodies joined by a bond, and, unless their bonds allow contact, those that hang together by many.
class Exclusions {
 public:
  Exclusions(const World& world, const Methods& methods);

  /// Whether two rows may not touch.
  bool exclude(std::uint32_t i, std::uint32_t j) const;
  /// Whether no two of these rows may touch: all hang together.
  bool exclude_all(std::span<const std::uint32_t> rows) const;

 private:
  std::span<const Id> ids_;
  std::vector<std::pair<Id, Id>> bonded_;  ///< pairs that one bond joins, ascending
  std::vector<std::uint32_t> fragment_;    ///< per row, a number for all that hang together; empty without bonds
};

}  // namespace scree
