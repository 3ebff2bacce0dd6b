#include "ledger/kept_columns.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

namespace scree::culling {

namespace {

constexpr std::string_view kMadeAnew[] = {"position",
                                          "orientation",
                                          "velocity",
                                          "angular_velocity",
                                          "mass",
                                          "inverse_mass",
                                          "inertia",
                                          "inverse_inertia",
                                          "radius",
                                          "id",
                                          "shape",
                                          "material",
                                          "group",
                                          "kind",
                                          "owner",
                                          "scale",
                                          "force",
                                          "torque",
                                          "own_force",
                                          "own_torque",
                                          "reference_position",
                                          "reference_orientation",
                                          "list_velocity",
                                          "list_turning",
                                          "list_slack",
                                          "member_position",
                                          "member_orientation",
                                          "cell_crossings",
                                          "list_reach"};

}  // namespace

bool is_kept_column(const std::string& name) {
  return !name.starts_with("culling_") && std::ranges::find(kMadeAnew, name) == std::end(kMadeAnew);
}

void find_kept_columns(const World& world, std::vector<std::string>& names) {
  for (const auto& column : world.columns())
    if (is_kept_column(column->name()) && std::ranges::find(names, column->name()) == names.end())
      names.push_back(column->name());
}

std::vector<std::byte> row_values(const World& world, const std::vector<std::string>& names, std::size_t row) {
  std::vector<std::byte> values;
  for (const std::string& name : names) {
    const ColumnStorage& column = *world.find_column(name);
    const std::byte* const first = column.read() + row * column.row_bytes();
    values.insert(values.end(), first, first + column.row_bytes());
  }
  return values;
}

void set_row_values(World& world, const std::vector<std::string>& names, std::size_t row,
                    const std::vector<std::byte>& values) {
  std::size_t at = 0;
  for (const std::string& name : names) {
    ColumnStorage& column = *world.find_column(name);
    if (at + column.row_bytes() > values.size()) return;
    std::memcpy(column.open_write() + row * column.row_bytes(), values.data() + at, column.row_bytes());
    column.close_write();
    at += column.row_bytes();
  }
}

}  // namespace scree::culling
