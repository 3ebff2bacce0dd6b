#pragma once
/// \file The canonical order of bodies: along a Z-order curve through space.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// Rows along a Z-order curve over cells of a given width, ties by id. Neighbours in space become neighbours in memory,
/// and the order does not depend on the one the bodies had before.
struct SpatialOrder {
  std::vector<std::uint64_t> cell;  ///< by row: the place along the curve of the cell that the body lies in
  std::vector<std::uint32_t> rows;  ///< in order

  /// Whether rows have this order already.
  SCREE_API bool holds() const;
  /// The same after rows have been put into this order.
  SCREE_API void applied();
};

/// \param width  of a cell [m]
SCREE_API SpatialOrder spatial_order(std::span<const Vec3> position, std::span<const Id> id, double width);

}  // namespace scree
