#include "scree/grid/spatial_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "scree/grid/detail/cells.hpp"

namespace scree {

namespace {

/// Spreads the low 21 bits of v to every third bit.
std::uint64_t spread(std::uint64_t v) {
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffffull;
  v = (v | v << 16) & 0x1f0000ff0000ffull;
  v = (v | v << 8) & 0x100f00f00f00f00full;
  v = (v | v << 4) & 0x10c30c30c30c30c3ull;
  v = (v | v << 2) & 0x1249249249249249ull;
  return v;
}

std::vector<std::uint64_t> spatial_cells(std::span<const Vec3> position, double width) {
  // The origin is fixed in the world, not taken from the bodies: one stray body must not reshuffle the others.
  const Vec3 origin = Vec3::Constant(-width * double(detail::kCells / 2));
  std::vector<std::uint64_t> cells(position.size());
  for (std::size_t i = 0; i < position.size(); ++i) {
    const detail::Cell c = detail::cell_of(position[i], origin, width);
    cells[i] = spread(std::uint64_t(c[0])) | spread(std::uint64_t(c[1])) << 1 | spread(std::uint64_t(c[2])) << 2;
  }
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
