#pragma once
/// \file Placement of a body in the plane: position, rotation and size. Pure formulas, host and device.

#include "scree/base/api.hpp"

namespace scree {

struct PlanarVector {
  double x, y;
};

/// Size, rotation about z and position: transforms from the frame of a shape to world.
struct PlanarPlacement {
  double x, y, c, s;
  double size;  ///< size of the body relative to its shape [-]

  SCREE_HD PlanarVector point(double px, double py) const {
    return {size * (c * px - s * py) + x, size * (s * px + c * py) + y};
  }
  SCREE_HD PlanarVector direction(double dx, double dy) const { return {c * dx - s * dy, s * dx + c * dy}; }
};

/// Makes the placement of a body. \param x, y  position of the body [m]  \param w, z  components of its quaternion
SCREE_HD inline PlanarPlacement planar_placement(double x, double y, double w, double z, double size) {
  return {x, y, w * w - z * z, 2 * w * z, size};
}

/// Returns the placement of body n relative to the frame of f's shape: its lengths are world lengths divided by f.size.
SCREE_HD inline PlanarPlacement relative(const PlanarPlacement& n, const PlanarPlacement& f) {
  const double dx = n.x - f.x, dy = n.y - f.y;
  return {(f.c * dx + f.s * dy) / f.size, (f.c * dy - f.s * dx) / f.size, f.c * n.c + f.s * n.s, f.c * n.s - f.s * n.c,
          n.size / f.size};
}

}  // namespace scree
