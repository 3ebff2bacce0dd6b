#pragma once
/// \file The skeleton of a swept body: a polygon or an open chain of vertices, checked.

#include <string>
#include <vector>

#include "scree/base/types.hpp"
#include "segment.hpp"

namespace scree::spheropolygon {

struct Skeleton {
  std::vector<Vec2> vertices;  ///< [m], counter-clockwise where closed
  bool closed = true;

  std::size_t edge_count() const { return closed ? vertices.size() : vertices.size() - 1; }
  std::size_t end_of(std::size_t edge) const { return (edge + 1) % vertices.size(); }
};

/// The edges as segments, in order.
std::vector<Segment> segments_of(const Skeleton& skeleton);

/// Twice the signed area between the origin and the way from p to q.
inline double cross(const Vec2& p, const Vec2& q) { return p.x() * q.y() - p.y() * q.x(); }

/// Checks whether the segments p - q and r - s have a point in common.
bool segments_meet(const Vec2& p, const Vec2& q, const Vec2& r, const Vec2& s);

/// Checks whether a point lies within the polygon, by the number of edges to its right.
bool inside(const Skeleton& polygon, const Vec2& p);

/// Edges shorter than this part of the bounding radius are refused.
inline constexpr double kShortestEdge = 1e-6;

/// Checks a skeleton of a scene, and reverses clockwise polygons.
/// \param radius   radius of the swept disc [m]
/// \param pointer  pointer to the option with the vertices
/// \return true if it was reversed
/// \throws OptionError for too few or repeated vertices, short edges, and polygons that intersect themselves
bool check_and_orient(Skeleton& skeleton, double radius, const std::string& pointer);

}  // namespace scree::spheropolygon
