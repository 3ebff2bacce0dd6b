#pragma once
/// \file Motion of a periodic cell: edges H, their rate, and the velocity gradient of what moves with them.

#include "scree/world/periodic_cell.hpp"

namespace scree::deforming_cell {

/// Returns the centre of the cell's box [m]. It rests while the cell deforms.
inline Vec3 centre_of(const PeriodicCell& cell) { return cell.lower + 0.5 * Vec3(cell.edges.diagonal()); }

/// Returns the inverse of the edges along the axes that are periodic; 0 along others [1/m].
inline Mat3 inverse_edges(const PeriodicCell& cell) {
  Mat3 edges = cell.edges;
  for (int k = 0; k < 3; ++k)
    if (!cell.periodic(k)) edges(k, k) = 1;
  Mat3 inverse = edges.triangularView<Eigen::Upper>().solve(Mat3(Mat3::Identity()));
  for (int k = 0; k < 3; ++k)
    if (!cell.periodic(k)) inverse.row(k).setZero();
  return inverse;
}

/// Returns the velocity gradient L that moves the cell's images: rate = L H [1/s].
inline Mat3 gradient_of(const PeriodicCell& cell) { return cell.rate * inverse_edges(cell); }

}  // namespace scree::deforming_cell
