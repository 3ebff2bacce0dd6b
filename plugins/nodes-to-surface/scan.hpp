#pragma once
/// \file The nodes of one body in the distance field of another: runs of nodes that touch.

#include <vector>

#include "outline.hpp"
#include "scree/detect/node_runs.hpp"
#include "scree/detect/planar_placement.hpp"

namespace scree::nodes_to_surface {

/// Placement in the plane with the vectors of the core.
struct Placement2 : PlanarPlacement {
  explicit Placement2(const PlanarPlacement& p) : PlanarPlacement(p) {}
  Placement2(const Vec3& position, const Quat& q, double scale)
      : PlanarPlacement(planar_placement(position[0], position[1], q.w(), q.z(), scale)) {}
  Vec3 point(const Vec3& p) const {
    const PlanarVector v = PlanarPlacement::point(p[0], p[1]);
    return {v.x, v.y, 0};
  }
  Vec3 direction(const Vec3& p) const {
    const PlanarVector v = PlanarPlacement::direction(p[0], p[1]);
    return {v.x, v.y, 0};
  }
};

inline Placement2 relative(const Placement2& n, const Placement2& f) {
  return Placement2(scree::relative(static_cast<const PlanarPlacement&>(n), static_cast<const PlanarPlacement&>(f)));
}

/// A run with what a contact needs of its deepest node.
struct TouchingRuns {
  std::vector<OutlineRun> runs;  ///< begin and end in world axes [m]
  std::vector<Vec3> gradient;    ///< gradient of the field at the deepest node, world axes, out of the field's body
};

/// Working memory of a thread.
struct Scratch {
  std::vector<Vec3> points, gradients;
  std::vector<double> distances;
  std::vector<std::uint32_t> node;   ///< node of each point
  std::vector<std::uint32_t> place;  ///< place of each node among the points; valid where the mask is set
  std::vector<std::uint64_t> mask;
};

/// Checks that no point of a body with bounding radius `radius` at `centre` comes within margin, all in the frame of
/// the field's shape.
bool out_of_reach(const Outline& field, const Vec3& centre, double radius, double margin);

/// Finds the runs of nodes with overlap > -margin.
/// \param n, f    placements of the nodes' body and the field's body
/// \param margin  [m], world
void scan(const Outline& nodes, const Placement2& n, const Outline& field, const Placement2& f, double margin,
          Scratch& scratch, TouchingRuns& out);

}  // namespace scree::nodes_to_surface
