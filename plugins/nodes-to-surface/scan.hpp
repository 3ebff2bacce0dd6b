#pragma once
/// \file The nodes of one body in the distance field of another: runs of nodes that touch.

#include <vector>

#include "outline.hpp"
#include "scree/detect/node_runs.hpp"

namespace scree::nodes_to_surface {

/// A position and a rotation about z: body frame to world.
struct Placement2 {
  Placement2(const Vec3& position, const Quat& q)
      : x(position[0]), y(position[1]), c(q.w() * q.w() - q.z() * q.z()), s(2 * q.w() * q.z()) {}
  Placement2(double x_, double y_, double c_, double s_) : x(x_), y(y_), c(c_), s(s_) {}

  Vec3 point(const Vec3& p) const { return {c * p[0] - s * p[1] + x, s * p[0] + c * p[1] + y, 0}; }
  Vec3 direction(const Vec3& p) const { return {c * p[0] - s * p[1], s * p[0] + c * p[1], 0}; }

  double x, y, c, s;
};

/// The placement of body n as seen from the body frame of f.
inline Placement2 relative(const Placement2& n, const Placement2& f) {
  const double dx = n.x - f.x, dy = n.y - f.y;
  return {f.c * dx + f.s * dy, f.c * dy - f.s * dx, f.c * n.c + f.s * n.s, f.c * n.s - f.s * n.c};
}

/// A run with what a contact needs of its deepest node.
struct TouchingRuns {
  std::vector<OutlineRun> runs;  ///< begin and end in world axes [m]
  std::vector<Vec3> gradient;    ///< of the field at the deepest node, world axes, out of the field's body
};

/// Working memory of a thread.
struct Scratch {
  std::vector<Vec3> points, gradients;
  std::vector<double> distances;
  std::vector<std::uint32_t> node;   ///< of each point
  std::vector<std::uint32_t> place;  ///< of each node among the points; valid where the mask is set
  std::vector<std::uint64_t> mask;
};

/// Whether no point of a body with bounding radius `radius` at `centre` (frame of the field's body) comes within
/// margin.
bool out_of_reach(const Outline& field, const Vec3& centre, double radius, double margin);

/// Finds the runs of nodes with overlap > -margin.
/// \param n, f  placements of the nodes' body and the field's body
void scan(const Outline& nodes, const Placement2& n, const Outline& field, const Placement2& f, double margin,
          Scratch& scratch, TouchingRuns& out);

}  // namespace scree::nodes_to_surface
