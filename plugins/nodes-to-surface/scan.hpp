#pragma once
/// \file The nodes of one body in the distance field of another: runs of nodes that touch.

#include <vector>

#include "outline.hpp"
#include "scree/detect/node_runs.hpp"

namespace scree::nodes_to_surface {

/// A size, a rotation about z and a position: frame of a shape to world.
struct Placement2 {
  Placement2(const Vec3& position, const Quat& q, double scale)
      : x(position[0]), y(position[1]), c(q.w() * q.w() - q.z() * q.z()), s(2 * q.w() * q.z()), size(scale) {}
  Placement2(double x_, double y_, double c_, double s_, double scale) : x(x_), y(y_), c(c_), s(s_), size(scale) {}

  Vec3 point(const Vec3& p) const {
    return {size * (c * p[0] - s * p[1]) + x, size * (s * p[0] + c * p[1]) + y, 0};
  }
  Vec3 direction(const Vec3& p) const { return {c * p[0] - s * p[1], s * p[0] + c * p[1], 0}; }

  double x, y, c, s;
  double size;  ///< of the body relative to its shape [-]
};

/// The placement of body n as seen from the frame of f's shape: lengths in it are those of the world over f.size.
inline Placement2 relative(const Placement2& n, const Placement2& f) {
  const double dx = n.x - f.x, dy = n.y - f.y;
  return {(f.c * dx + f.s * dy) / f.size, (f.c * dy - f.s * dx) / f.size, f.c * n.c + f.s * n.s,
          f.c * n.s - f.s * n.c, n.size / f.size};
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

/// Whether no point of a body with bounding radius `radius` at `centre` comes within margin, all in the frame of the
/// field's shape.
bool out_of_reach(const Outline& field, const Vec3& centre, double radius, double margin);

/// Finds the runs of nodes with overlap > -margin.
/// \param n, f    placements of the nodes' body and the field's body
/// \param margin  [m], world
void scan(const Outline& nodes, const Placement2& n, const Outline& field, const Placement2& f, double margin,
          Scratch& scratch, TouchingRuns& out);

}  // namespace scree::nodes_to_surface
