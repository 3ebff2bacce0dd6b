#pragma once
/// \file Rows in the order of ids, for sums, hashes and files that must not depend on the order of rows.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scree/world/world.hpp"

namespace scree {

/// Returns some rows in the order of ids. \param keep  predicate of a row: true to include it
template <class Keep>
std::vector<std::uint32_t> rows_by_id(const World& world, const Keep& keep) {
  std::vector<std::uint32_t> rows;
  rows.reserve(world.size());
  for (std::uint32_t i = 0; i < world.size(); ++i)
    if (keep(i)) rows.push_back(i);
  const auto ids = world.id.read();
  std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) { return ids[a] < ids[b]; });
  return rows;
}

/// Returns the rows of all bodies in the order of ids.
inline std::vector<std::uint32_t> rows_by_id(const World& world) {
  return rows_by_id(world, [](std::uint32_t) { return true; });
}

}  // namespace scree
