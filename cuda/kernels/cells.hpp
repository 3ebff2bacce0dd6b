#pragma once
/// \file Cells of a grid without end, by Morton keys: sorted keys put sites that are near each other side by side, and
/// who is in a cell is found by bisection.

#include <cmath>
#include <cstdint>

#include "scree/device/vector.hpp"

namespace scree::device {

inline constexpr int kCellBits = 21;  ///< per axis
inline constexpr std::int32_t kMostCells = 1 << kCellBits;

/// The lower 21 bits of v, with two zeros between each.
SCREE_HD inline std::uint64_t spread(std::uint64_t v) {
  v = (v | v << 32) & 0x1f00000000ffffull;
  v = (v | v << 16) & 0x1f0000ff0000ffull;
  v = (v | v << 8) & 0x100f00f00f00f00full;
  v = (v | v << 4) & 0x10c30c30c30c30c3ull;
  return (v | v << 2) & 0x1249249249249249ull;
}

struct Cell {
  std::int32_t x, y, z;
};

/// Cells beyond the grid's end are its last ones: neighbours stay neighbours.
SCREE_HD inline std::int32_t cell_of(double x, double per_edge) {
  const double cell = std::floor(x * per_edge) + kMostCells / 2;
  if (!(cell > 0)) return 0;
  return cell < kMostCells - 1 ? static_cast<std::int32_t>(cell) : kMostCells - 1;
}
SCREE_HD inline Cell cell_of(const Vector3d& x, double per_edge) {
  return {cell_of(x.x, per_edge), cell_of(x.y, per_edge), cell_of(x.z, per_edge)};
}
SCREE_HD inline std::uint64_t key_of(const Cell& c) {
  return spread(static_cast<std::uint64_t>(c.x)) | spread(static_cast<std::uint64_t>(c.y)) << 1 |
         spread(static_cast<std::uint64_t>(c.z)) << 2;
}

/// The first place in keys[first .. end) that holds `key` or more.
template <class Key>
SCREE_HD inline std::uint32_t lower_bound(const Key* keys, std::uint32_t first, std::uint32_t end, Key key) {
  while (first < end) {
    const std::uint32_t middle = first + (end - first) / 2;
    if (keys[middle] < key)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

}  // namespace scree::device
