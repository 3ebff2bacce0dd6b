#pragma once
/// \file Z-order curve through cells of space.

#include <cstdint>

#include "scree/grid/detail/cells.hpp"

namespace scree::detail {

/// Spreads the low 21 bits of v to every third bit.
inline std::uint64_t spread(std::uint64_t v) {
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffffull;
  v = (v | v << 16) & 0x1f0000ff0000ffull;
  v = (v | v << 8) & 0x100f00f00f00f00full;
  v = (v | v << 4) & 0x10c30c30c30c30c3ull;
  v = (v | v << 2) & 0x1249249249249249ull;
  return v;
}

/// Returns the number of a cell along the curve.
inline std::uint64_t along_curve(const Cell& c) {
  return spread(std::uint64_t(c[0])) | spread(std::uint64_t(c[1])) << 1 | spread(std::uint64_t(c[2])) << 2;
}

/// Returns the cell of a place. The origin is fixed in the world, not taken from bodies: one stray body must not
/// reorder the others. \param width  width of a cell [m]
inline Cell curve_cell(const Vec3& x, double width) {
  return cell_of(x, Vec3::Constant(-width * double(kCells / 2)), width);
}

}  // namespace scree::detail
