#pragma once
/// \file Poses of bodies in the plane, and of their vertices and edges. Pure formulas, host and device.

#include "segment.hpp"

namespace scree::spheropolygon {

/// Pose of a body: centre [m], cosine and sine of its angle.
struct Pose {
  double x, y, c, s;

  SCREE_HD Point direction(Point p) const { return {c * p.x - s * p.y, s * p.x + c * p.y}; }
  SCREE_HD Point point(Point p) const {
    const Point d = direction(p);
    return {d.x + x, d.y + y};
  }
};

/// Returns the pose. \param w, z  components of the unit quaternion, body to world, of a rotation about z
SCREE_HD inline Pose pose_of(double x, double y, double w, double z) { return {x, y, w * w - z * z, 2 * w * z}; }

/// The pose of p in the body frame of q.
SCREE_HD inline Pose relative(const Pose& p, const Pose& q) {
  const double dx = p.x - q.x, dy = p.y - q.y;
  return {q.c * dx + q.s * dy, q.c * dy - q.s * dx, q.c * p.c + q.s * p.s, q.c * p.s - q.s * p.c};
}

/// A body's turn, size and shift for its vertices and edges, one by one; what the detector does on the host by four
/// numbers at once gives the same bits.
struct Placement {
  double x, y;          ///< centre [m]
  double c, s;          ///< cosine and sine, times the size
  double size;          ///< size of the body relative to its shape [-]
  double other_radius;  ///< radius of the other body's edges [m]

  /// Returns a vertex in the world. \param p, radius  position and radius in the shape
  SCREE_HD RoundVertex vertex(Point p, double radius) const {
    return {p.x * c - p.y * s + x, p.y * c + p.x * s + y, radius * size + other_radius, radius * size};
  }
  SCREE_HD Segment edge(double mx, double my, double hx, double hy) const {
    return {mx * c - my * s + x, my * c + mx * s + y, hx * c - hy * s, hy * c + hx * s};
  }
};

}  // namespace scree::spheropolygon
