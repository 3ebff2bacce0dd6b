#include "scree/grid/spatial_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "scree/base/parallel.hpp"
#include "scree/grid/detail/curve.hpp"

namespace scree {

namespace {

struct Key {
  std::uint64_t curve;
  Id id;
  std::uint32_t row;
  bool operator<(const Key& other) const { return curve != other.curve ? curve < other.curve : id < other.id; }
};

/// Sorts keys that are nearly sorted: rows mostly have the order of the last rebuild. Pairs of neighbours out of order
/// are taken out, sorted, and merged with the rest (C. R. Cook and D. J. Kim, Best sorting algorithm for nearly sorted
/// lists, Commun. ACM 23 (1980) 620).
void sort_nearly_sorted(std::vector<Key>& keys) {
  std::vector<Key> kept, taken_out;
  kept.reserve(keys.size());
  for (const Key& key : keys) {
    if (kept.empty() || !(key < kept.back())) {
      kept.push_back(key);
      continue;
    }
    taken_out.push_back(kept.back());
    taken_out.push_back(key);
    kept.pop_back();
  }
  std::sort(taken_out.begin(), taken_out.end());
  std::merge(kept.begin(), kept.end(), taken_out.begin(), taken_out.end(), keys.begin());
}

}  // namespace

SpatialOrder spatial_order(std::span<const Vec3> position, std::span<const Id> id, double width) {
  const std::size_t n = position.size();
  SpatialOrder order{std::vector<std::uint64_t>(n), std::vector<std::uint32_t>(n)};
  std::vector<Key> keys(n);
  parallel_for(static_cast<std::ptrdiff_t>(n), [&](std::ptrdiff_t row) {
    const auto i = static_cast<std::size_t>(row);
    order.cell[i] = detail::along_curve(detail::curve_cell(position[i], width));
    keys[i] = {order.cell[i], id[i], static_cast<std::uint32_t>(i)};
  });
  sort_nearly_sorted(keys);
  for (std::size_t i = 0; i < n; ++i) order.rows[i] = keys[i].row;
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
