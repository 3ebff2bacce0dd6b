#pragma once
/// \file Surface of a shape: used for pictures only, never for physics.

#include <cstdint>
#include <vector>

#include "scree/base/types.hpp"

namespace scree {

/// Points in the body frame [m] and the cells that join them. In 2D each cell is one outline: closed cells are filled
/// polygons, open ones polylines. In 3D each cell is a closed polygon facing outward.
struct Surface {
  std::vector<Vec3> points;
  std::vector<std::vector<std::uint32_t>> cells;
  bool closed = true;
};

}  // namespace scree
