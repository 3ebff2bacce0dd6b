#pragma once
/// \file One side of one pair in double precision, node by node: plain, the measure of the fast path, and the way to
/// whatever has a distance but no radius (walls).

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "extremal/depth_extrema.hpp"
#include "extremal/extremal_outline.hpp"
#include "scree/detect/contact_buffer.hpp"
#include "taubin/pair_contacts.hpp"

namespace scree::star {

using ExtremalPair = OutlinePair<ExtremalOutline>;

/// The nodes of one outline in a field of depth: columns over nodes, places in the frame of the field's body.
struct NodeDepths {
  std::vector<double> x, y, u, gx, gy;
  std::vector<double> rho;                                 ///< from the field's centre [m]
  double reach = std::numeric_limits<double>::infinity();  ///< see node_reach()
  double core = 0;  ///< nodes of an extremum that come nearer to the field's centre [m] make it `crushed`
  bool crushed = false;
  void resize(std::size_t nodes);
};

/// Key of a contact's history: side, maximum or minimum, and the node as a part of the ring. Never 0.
struct ExtremumKey {
  int side;
  bool minimum;
  std::uint16_t place;  ///< place of the node, see ExtremalOutline
};
inline std::uint64_t pack_extremum(const ExtremumKey& key) {
  return std::uint64_t{1} << 63 | std::uint64_t{static_cast<std::uint32_t>(key.side)} << 17 |
         std::uint64_t{key.minimum} << 16 | key.place;
}
inline ExtremumKey extremum_key(std::uint64_t payload) {
  return {static_cast<int>(payload >> 17 & 1), (payload >> 16 & 1) != 0, static_cast<std::uint16_t>(payload)};
}

/// ContactDetector::match() for such payloads: a maximum continues the old maximum of its side whose node is nearest on
/// the ring, nearest first (ties: smallest feature), if it is within a sixteenth of the ring. Minima have no history.
void match_extrema(const ContactMatch& contacts);

/// One side of a pair.
struct TermTarget {
  std::uint32_t pair;          ///< index of the pair
  int side;                    ///< side of the nodes: 0 = body a's, 1 = b's
  const ExtremalOutline& own;  ///< the outline of that body
  PlanarPose frame;            ///< pose of the body of the field
  double share;                ///< share of the side in the pair's energy: 1/2 between outlines, 1 against a wall
};

/// A term as a contact, in world axes.
template <class Real>
struct TermContact {
  Real nx, ny, px, py;
  Real energy, force;  ///< weights
};

/// \param sign       +1 maximum, -1 minimum
/// \param frame      pose of the body of the field: x, y, c, s
/// \param direction  +1 when the nodes are those of body a: depth grows out of their body into the field's
template <class Real>
SCREE_HD inline TermContact<Real> contact_of(const DepthTerm<Real>& term, const Real& sign, const Real (&frame)[4],
                                             const Real& direction, double share) {
  const auto& [x, y, c, s] = frame;
  const Real energy = sign * share;
  return {direction * (c * term.nx - s * term.ny),
          direction * (s * term.nx + c * term.ny),
          x + (c * term.px - s * term.py),
          y + (s * term.px + c * term.py),
          energy,
          energy * term.slope};
}

/// Appends all terms with value > -margin, in order of nodes. If no node is outside, the lowest minimum is left out:
/// alternating terms around a ring must not cancel.
/// \param depths   depths of the tested nodes and two beyond
/// \param looked   bit by node: where terms are searched; empty = everywhere
/// \param feature  feature of the first contact  \return feature of the next one
std::uint32_t push_terms(NodeDepths& depths, const TermTarget& target, double margin, std::uint32_t feature,
                         ContactBuffer& out, std::span<const std::uint64_t> looked = {});

/// An extremum counts if its node or one beside it is as near as this to the other outline's centre [m]. A point of the
/// outline inside the other lies within half a spacing of a node, so this takes nothing away; it spares looking at
/// nodes all around.
inline double node_reach(const ExtremalOutline& own, const ExtremalOutline& other) {
  return other.r_max + own.spacing / 2;
}

/// Beyond this distance of their centres two outlines have no contact [m].
inline double contact_reach(const ExtremalOutline& a, const ExtremalOutline& b) {
  return a.r_max + b.r_max + std::max(a.spacing, b.spacing) / 2;
}

/// \throws NumericalError when the centre of one outline lies inside the other
void check_centres(const ExtremalPair& pair);

/// Appends the contacts of one pair of outlines.
/// \throws NumericalError when the outline of one body has reached the centre of the other
void plain_extrema(const ExtremalPair& pair, double margin, NodeDepths& scratch, ContactBuffer& out);

}  // namespace scree::star
