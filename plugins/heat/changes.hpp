#pragma once
/// \file Temperatures and sources that bodies in a region are given at a time.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scree/plugin/plugin.hpp"
#include "scree/scene/region.hpp"
#include "scree/world/world.hpp"

namespace scree::heat {

/// Gift to all bodies that move freely and have their centre of mass in a region at a time.
struct Change {
  double time;  ///< [s]
  Region region;
  std::optional<double> temperature;  ///< [K]
  std::optional<double> source;       ///< power into each body from then on [W]
};

/// Returns the option `changes` in the order of their times. Throws OptionError where one gives nothing.
std::vector<Change> read_changes(const Options& options);

/// Returns the column of sources that changes have given [W].
Column<double> given_source_of(World& world);

/// Makes the changes of times after `last`, up to `now`; each once in a row of calls that join.
/// \param carrier  by row: that of the owner, whose place counts for its members, or of the body itself
void make_changes(World& world, const std::vector<Change>& changes, double last, double now,
                  std::span<const std::uint32_t> carrier, std::span<double> temperature);

}  // namespace scree::heat
