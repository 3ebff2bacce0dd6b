#pragma once
/// \file Cells of a grid as sorted keys.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "scree/base/types.hpp"

namespace scree::detail {

inline constexpr int kCellBits = 21;
inline constexpr std::int64_t kCells = std::int64_t{1} << kCellBits;

using Cell = Eigen::Matrix<std::int64_t, 3, 1>;

/// Returns the cell of a place. Coordinates are clamped to the outermost cells: places beyond share them and are still
/// compared by distance.
inline Cell cell_of(const Vec3& x, const Vec3& origin, double width) {
  Cell c;
  for (int k = 0; k < 3; ++k)
    c[k] = static_cast<std::int64_t>(std::clamp(std::floor((x[k] - origin[k]) / width), 0.0, double(kCells - 1)));
  return c;
}

inline std::uint64_t pack(const Cell& c) {
  return (static_cast<std::uint64_t>(c[2]) << (2 * kCellBits)) | (static_cast<std::uint64_t>(c[1]) << kCellBits) |
         static_cast<std::uint64_t>(c[0]);
}

inline Cell unpack(std::uint64_t key) {
  constexpr std::uint64_t mask = kCells - 1;
  return {static_cast<std::int64_t>(key & mask), static_cast<std::int64_t>((key >> kCellBits) & mask),
          static_cast<std::int64_t>(key >> (2 * kCellBits))};
}

inline bool inside(const Cell& c) { return (c.array() >= 0).all() && (c.array() < kCells).all(); }

/// Cells of one row along x, [x0, x1] at (y, z), as a range of keys.
struct KeyRange {
  std::uint64_t first, last;
};
inline KeyRange row_of_cells(std::int64_t x0, std::int64_t x1, std::int64_t y, std::int64_t z) {
  return {pack({std::max<std::int64_t>(x0, 0), y, z}), pack({std::min(x1, kCells - 1), y, z})};
}

}  // namespace scree::detail
