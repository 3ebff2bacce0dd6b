#pragma once
/// \file Weight of corners. Two vertices near each other are seen by every edge of the one from the vertex of the
/// other: E_c = (k/p) [sum over vertex-edge pairs of delta^p - sum over vertex pairs of taken_back() delta^p].
///
/// With c = 2 each term also has the share v of its vertex (scree/shape/corner_shares.hpp): v_V for a vertex V on
/// edges, and v_V (e_W - 1) + v_W (e_V - 1) is taken back of vertices V and W with e_V and e_W edges.

#include <algorithm>
#include <cmath>

#include "scree/base/api.hpp"

namespace scree::spheropolygon {

/// Terms too many of a vertex that sees an outline's vertex by all its edges: each vertex shall meet the other outline
/// once. \param degree  edges at the vertex seen: 2, 1 or 0
SCREE_HD inline int once_too_often(int degree) { return degree > 0 ? degree - 1 : 0; }

/// The weight c of a pair of vertices for closed polygons; others have fewer terms to take back: the ends of a chain
/// one edge, spheres none. \param c  0 as published; 2 each vertex meets the other outline once; 3 each contact counts
/// once \param degree_v, degree_w  edges at either vertex: 2, 1 or 0, not both 0 \source specification, sec. 3
SCREE_HD inline int taken_back(int c, int degree_v, int degree_w) {
  if (c == 0) return 0;
  if (c == 2) return once_too_often(degree_v) + once_too_often(degree_w);
  return degree_v + degree_w - 1;
}

/// Half width of the part of a face over which a corner is felt, sqrt(2 rs delta) [m]. \param rs  sum of the radii [m]
SCREE_HD inline double corner_width(double rs, double delta) { return std::sqrt(2 * rs * delta); }

}  // namespace scree::spheropolygon
