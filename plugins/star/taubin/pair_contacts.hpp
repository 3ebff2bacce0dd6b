#pragma once
/// \file One pair in double precision, node by node: plain, and the measure of the fast path.

#include "outline/crushed.hpp"
#include "outline/outline_pair.hpp"
#include "outline/regions.hpp"
#include "scree/detect/contact_buffer.hpp"
#include "taubin/star_detector.hpp"

namespace scree::star {

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

inline bool is_crushed(const DeepNode& node, const Outline& other) { return node.rho < kCrushed * other.r_min; }

/// \throws NumericalError as the other throw_crushed() does
[[noreturn]] void throw_crushed(const StarPair& pair, int inner);

/// \throws NumericalError when the centre of one outline lies inside the other
void check_centres(const StarPair& pair);

/// Appends the contacts of one pair.
void plain_contacts(const StarPair& pair, const TaubinOptions& options, double margin, PairHits& scratch,
                    ContactBuffer& out);

}  // namespace scree::star
