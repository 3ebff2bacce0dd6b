#pragma once
/// \file Canonical order of bodies: along a Z-order curve through space.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// Order of rows along a Z-order curve over cells of a given width, ties by id. Neighbours in space become neighbours
/// in memory. The order does not depend on the previous order of the bodies.
struct SpatialOrder {
  std::vector<std::uint64_t> cell;  ///< place along the curve of each row's cell
  std::vector<std::uint32_t> rows;  ///< in order

  /// Checks whether rows have this order already.
  SCREE_API bool holds() const;
  /// Changes this order into the order after rows have been reordered by it.
  SCREE_API void applied();
};

/// Returns the order of bodies. \param width  width of a cell [m]
SCREE_API SpatialOrder spatial_order(std::span<const Vec3> position, std::span<const Id> id, double width);

}  // namespace scree
