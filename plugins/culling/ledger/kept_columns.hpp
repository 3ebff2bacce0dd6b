#pragma once
/// \file Per-body values that a stored granule keeps besides its place: columns of packings and other plugins.

#include <string>
#include <vector>

#include "scree/world/world.hpp"

namespace scree::culling {

/// Checks whether stored granules keep the values of a column of this name.
bool is_kept_column(const std::string& name);
/// Adds names of columns that are not known yet. Those of the state of motion, of what the last step computed, and this
/// plugin's own are made anew when a granule comes back, and not kept.
void find_kept_columns(const World& world, std::vector<std::string>& names);
/// Values of a row, column by column.
std::vector<std::byte> row_values(const World& world, const std::vector<std::string>& names, std::size_t row);
/// Writes them. Columns that came later than the values stay as they are.
void set_row_values(World& world, const std::vector<std::string>& names, std::size_t row,
                    const std::vector<std::byte>& values);

}  // namespace scree::culling
