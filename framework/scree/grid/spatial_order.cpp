#include "scree/grid/spatial_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "scree/grid/detail/curve.hpp"

namespace scree {

namespace {

std::vector<std::uint64_t> spatial_cells(std::span<const Vec3> position, double width) {
  std::vector<std::uint64_t> cells(position.size());
  for (std::size_t i = 0; i < position.size(); ++i)
    cells[i] = detail::along_curve(detail::curve_cell(position[i], width));
  return cells;
}

}  // namespace

SpatialOrder spatial_order(std::span<const Vec3> position, std::span<const Id> id, double width) {
  struct Key {
    std::uint64_t curve;
    Id id;
    std::uint32_t row;
    bool operator<(const Key& other) const { return curve != other.curve ? curve < other.curve : id < other.id; }
  };
  SpatialOrder order{spatial_cells(position, width), std::vector<std::uint32_t>(position.size())};
  std::vector<Key> keys(position.size());
  for (std::size_t i = 0; i < position.size(); ++i) keys[i] = {order.cell[i], id[i], static_cast<std::uint32_t>(i)};
  if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
  for (std::size_t i = 0; i < keys.size(); ++i) order.rows[i] = keys[i].row;
  return order;
}

bool SpatialOrder::holds() const { return std::is_sorted(rows.begin(), rows.end()); }

void SpatialOrder::applied() {
  std::vector<std::uint64_t> moved(cell.size());
  for (std::size_t i = 0; i < rows.size(); ++i) moved[i] = cell[rows[i]];
  cell = std::move(moved);
  std::iota(rows.begin(), rows.end(), 0u);
}

}  // namespace scree
