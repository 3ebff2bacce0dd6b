#pragma once
/// \file One pair in double precision, node by node: plain, and the measure of the fast path.

#include "regions.hpp"
#include "scree/detect/contact_buffer.hpp"
#include "scree/world/body_view.hpp"
#include "star_detector.hpp"

namespace scree::star {

/// One pair as a detector sees it; index 0 is body a, 1 is body b.
template <class AnyOutline>
struct OutlinePair {
  const AnyOutline* outline[2];
  PlanarPose pose[2];
  Id id[2];
  std::uint32_t index = 0;  ///< in the span of pairs
};
using StarPair = OutlinePair<Outline>;

/// Pose of the outline of a body in the plane: rotation from the z part of its quaternion.
/// \param centre  of the outline in the body frame [m]
inline PlanarPose planar_pose(const BodyView& bodies, std::uint32_t row, const Vec2& centre) {
  const Quat& q = bodies.row[row].orientation;
  const Vec3& x = bodies.row[row].position;
  const double c = q.w() * q.w() - q.z() * q.z(), s = 2 * (q.w() * q.z());
  return {x.x() + (c * centre.x() - s * centre.y()), x.y() + (s * centre.x() + c * centre.y()), c, s};
}

/// \param outline_of  shape -> its outline  \param index  of the pair in the span of pairs
template <class AnyOutline, class OutlineOf>
OutlinePair<AnyOutline> outline_pair(const OutlineOf& outline_of, const BodyView& bodies, const Pair& pair,
                                     std::uint32_t index) {
  OutlinePair<AnyOutline> result;
  result.index = index;
  const std::uint32_t rows[2] = {pair.a, pair.b};
  for (int side = 0; side < 2; ++side) {
    result.outline[side] = outline_of(bodies.shape[rows[side]]);
    result.pose[side] = planar_pose(bodies, rows[side], result.outline[side]->centre);
    result.id[side] = bodies.row[rows[side]].id;
  }
  return result;
}

/// A node that may become a contact, in world axes.
struct DeepNode {
  double depth;   ///< [m]
  double nx, ny;  ///< from a to b
  double px, py;  ///< the node [m]
  double rho;     ///< from the centre of the other outline [m]
  int side;       ///< whose node it is
};

/// \param own, other  poses of the node's body and of the one it lies in
/// \param x, y        the node about its outline's centre [m]  \param side  whose node it is
inline DeepNode deep_node(const PlanarPose& own, const PlanarPose& other, double x, double y, int side,
                          const PointHit& hit) {
  const double nx = other.c * hit.nx - other.s * hit.ny, ny = other.s * hit.nx + other.c * hit.ny;
  const double sign = side == 0 ? -1 : 1;  // b's outward normal points to a
  const double px = own.x + (own.c * x - own.s * y), py = own.y + (own.s * x + own.c * y);
  return {hit.depth, sign * nx, sign * ny, px, py, hit.rho, side};
}

/// Equal depths to the last bit; see deeper().
DeepNode tied(const DeepNode& a, const DeepNode& b);

/// The deeper of the two sides' nodes. Equal depths, to the last bit, occur in symmetric positions, where the choice
/// would be that of an order of the bodies: then the mean of both.
inline DeepNode deeper(const DeepNode& a, const DeepNode& b) {
  return a.depth > b.depth ? a : b.depth > a.depth ? b : tied(a, b);
}

/// A node as near the other's centre as this part of its smallest radius has lost its way.
inline constexpr double kCrushed = 0.1;

inline bool is_crushed(const DeepNode& node, const Outline& other) { return node.rho < kCrushed * other.r_min; }

/// \throws NumericalError naming both bodies: the other's outline has reached the centre of the inner one, whose
/// smallest and largest radius are given [m]
[[noreturn]] void throw_crushed(Id a, Id b, bool a_is_inner, double r_min, double r_max);
[[noreturn]] void throw_crushed(const StarPair& pair, int inner);

/// \throws NumericalError when the centre of one outline lies inside the other
void check_centres(const StarPair& pair);

/// Appends the contacts of one pair.
void plain_contacts(const StarPair& pair, const TaubinOptions& options, double margin, PairHits& scratch,
                    ContactBuffer& out);

}  // namespace scree::star
