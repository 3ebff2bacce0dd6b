#pragma once
/// \file Where a body of the plane stands, and how large it is. Pure formulas, host and device.

#include "scree/base/api.hpp"

namespace scree {

struct PlanarVector {
  double x, y;
};

/// A size, a rotation about z and a position: frame of a shape to world.
struct PlanarPlacement {
  double x, y, c, s;
  double size;  ///< of the body relative to its shape [-]

  SCREE_HD PlanarVector point(double px, double py) const {
    return {size * (c * px - s * py) + x, size * (s * px + c * py) + y};
  }
  SCREE_HD PlanarVector direction(double dx, double dy) const { return {c * dx - s * dy, s * dx + c * dy}; }
};

/// \param x, y  of the body [m]  \param w, z  of its quaternion
SCREE_HD inline PlanarPlacement planar_placement(double x, double y, double w, double z, double size) {
  return {x, y, w * w - z * z, 2 * w * z, size};
}

/// The placement of body n as seen from the frame of f's shape: lengths in it are those of the world over f.size.
SCREE_HD inline PlanarPlacement relative(const PlanarPlacement& n, const PlanarPlacement& f) {
  const double dx = n.x - f.x, dy = n.y - f.y;
  return {(f.c * dx + f.s * dy) / f.size, (f.c * dy - f.s * dx) / f.size, f.c * n.c + f.s * n.s, f.c * n.s - f.s * n.c,
          n.size / f.size};
}

}  // namespace scree
