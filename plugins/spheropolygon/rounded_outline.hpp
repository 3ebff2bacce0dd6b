#pragma once
/// \file The outline of a skeleton swept by a disc: straight pieces beside edges and arcs about convex vertices, cut
/// where they run into the body, its moments, and points along it.

#include <vector>

#include "skeleton.hpp"

namespace scree::spheropolygon {

/// A piece of the outline, with the body on its left.
struct OutlinePiece {
  Vec2 from, to;               ///< [m]
  Vec2 centre = Vec2::Zero();  ///< centre of an arc [m]
  double begin = 0, end = 0;   ///< angles of an arc about its centre [rad], begin < end; equal: a straight piece
  bool arc() const { return begin < end; }
};

/// Area [m^2], centroid [m], and the second moments about it: of x^2 and of y^2 [m^4].
struct AreaMoments {
  double area = 0;
  Vec2 centroid = Vec2::Zero();
  double xx = 0, yy = 0;
  double polar() const { return xx + yy; }
};

/// Returns the whole boundary, holes enclosed by the sweep included: every piece of the untrimmed offset curve that is
/// nowhere nearer to the skeleton than the radius. Pieces come in order around the skeleton.
/// \param radius  radius of the disc [m]; 0 gives the polygon itself
std::vector<OutlinePiece> rounded_outline(const Skeleton& polygon, double radius);

/// The offset curve of an open chain, there and back; not cut: a line to look at.
std::vector<OutlinePiece> chain_outline(const Skeleton& chain, double radius);

/// By Green's theorem along the pieces: exact to rounding, whether or not parts of the sweep overlap.
AreaMoments moments(const std::vector<OutlinePiece>& boundary);

/// Points along the closed curve that holds most area, counter-clockwise.
/// \param spacing  largest distance along straight pieces [m]  \param angle  and along arcs [rad]
std::vector<Vec2> outline_points(const std::vector<OutlinePiece>& boundary, double spacing, double angle);

}  // namespace scree::spheropolygon
