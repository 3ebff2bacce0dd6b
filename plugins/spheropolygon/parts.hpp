#pragma once
/// \file Parts of each shape for the detector: vertices and edges. A sphere of a clump is a vertex without edges.

#include <cstdint>
#include <vector>

#include "edge_tree.hpp"
#include "scree/shape/shape.hpp"
#include "skeleton.hpp"

namespace scree::spheropolygon {

/// Vertices and edges of the body frame, numbered as the shape has them: edge k leads from vertex k to end_of(k).
struct Parts {
  Skeleton skeleton;                  ///< without vertices: the shape offers none
  std::vector<double> vertex_radius;  ///< [m]
  std::vector<std::uint8_t> degree;   ///< edges at each vertex: 2, 1 at the ends of a chain, 0 for spheres
  std::vector<double> share;          ///< weight of each vertex: corner_shares()
  std::vector<RoundVertex> rows;      ///< vertices and radii once more, for loops
  std::vector<Segment> edges;
  EdgeTree tree;
  Box box;                 ///< box of the vertices
  double edge_radius = 0;  ///< [m]
  double largest_vertex_radius = 0;
  double reach = 0;            ///< largest distance of a vertex from the origin [m]
  double bounding_radius = 0;  ///< [m]
  double shortest_edge = 0;    ///< [m]
};

Parts make_parts(const Shape& shape);

}  // namespace scree::spheropolygon
