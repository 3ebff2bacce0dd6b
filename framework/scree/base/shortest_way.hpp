#pragma once
/// \file The shortest of a displacement's images in a periodic cell.

#include <cmath>

#include "scree/base/types.hpp"

namespace scree {

/// Returns the shortest of a displacement's images [m]: the way between two bodies that are less than half of the
/// cell's lengths apart along each axis. A way that is short already keeps its bits.
/// \param edges  upper triangular; column k leads from a body to its next image, 0 where there is none [m]
inline Vec3 shortest_way(const Mat3& edges, Vec3 way) {
  for (int k = 2; k >= 0; --k)
    if (edges(k, k) > 0) way -= std::round(way[k] / edges(k, k)) * edges.col(k);
  return way;
}

}  // namespace scree
