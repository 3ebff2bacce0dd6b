#pragma once
/// \file The node that a contact is made of. Pure formulas, host and device.

#include <cmath>

#include "outline/radial_lookup.hpp"

namespace scree::star {

/// A node that may become a contact, in world axes.
struct DeepNode {
  double depth;   ///< [m]
  double nx, ny;  ///< from a to b
  double px, py;  ///< the node [m]
  double rho;     ///< from the centre of the other outline, at the size of its shape [m]
  int side;       ///< side of the node
};

/// \param own, other  poses of the node's body and of the one it lies in
/// \param x, y        the node about its outline's centre, at the body's size [m]  \param side  whose node it is
SCREE_HD inline DeepNode deep_node(const PlanarPose& own, const PlanarPose& other, double x, double y, int side,
                                   const PointHit& hit) {
  const double nx = other.c * hit.nx - other.s * hit.ny, ny = other.s * hit.nx + other.c * hit.ny;
  const double sign = side == 0 ? -1 : 1;  // b's outward normal points to a
  const double px = own.x + (own.c * x - own.s * y), py = own.y + (own.s * x + own.c * y);
  return {hit.depth, sign * nx, sign * ny, px, py, hit.rho, side};
}

/// Equal depths to the last bit; see deeper().
SCREE_HD inline DeepNode tied(const DeepNode& a, const DeepNode& b) {
  const double nx = a.nx + b.nx, ny = a.ny + b.ny, length = std::sqrt(nx * nx + ny * ny);
  if (!(length > 1e-6)) return a;  // opposite normals have no mean
  return {a.depth, nx / length, ny / length, (a.px + b.px) / 2, (a.py + b.py) / 2, a.rho, a.side};
}

/// The deeper of the two sides' nodes. Equal depths, to the last bit, occur in symmetric positions, where the choice
/// would be that of an order of the bodies: then the mean of both.
SCREE_HD inline DeepNode deeper(const DeepNode& a, const DeepNode& b) {
  return a.depth > b.depth ? a : b.depth > a.depth ? b : tied(a, b);
}

}  // namespace scree::star
