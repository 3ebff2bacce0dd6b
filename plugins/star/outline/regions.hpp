#pragma once
/// \file From the nodes of two outlines that lie inside each other to contacts: runs, regions, the deepest node.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "outline/outline_pair.hpp"
#include "scree/detect/node_runs.hpp"

namespace scree::star {

/// A node of one side within reach of the other's outline.
struct NodeHit {
  std::uint32_t node;
  double px, py;  ///< in the other side's frame, at the size of its shape [m]
  PointHit hit;   ///< likewise, but for the depth, which is that of the bodies
};

/// One side's maximal run of consecutive hits.
struct HitRun {
  NodeRun nodes;
  double begin_x, begin_y, end_x, end_y;  ///< first and last node, as NodeHit::px, py [m]
  std::uint32_t deepest;                  ///< index into the side's hits
  std::uint32_t region;                   ///< runs with equal numbers bound the same overlap
};

/// Hits of one pair, from which its contacts are made; kept between pairs for its memory.
struct PairHits {
  std::vector<NodeHit> hits[2];
  std::vector<HitRun> runs[2];
};

/// Splits the hits of one side, in order of nodes, into maximal cyclic runs, in order of their first node.
void find_runs(std::span<const NodeHit> hits, std::uint32_t nodes, std::vector<HitRun>& runs);

/// Checks whether the end of a run of one outline and the begin of a run of the other meet in one crossing of the
/// outlines. Both outlines run counter-clockwise: where one leaves the other, the other enters it. The crossing lies on
/// the edge behind the end of the first run and on the edge ahead of the begin of the second.
/// \param dx, dy  from one node to the other [m]  \param reach  length of both edges (and twice the margin) [m]
template <class Real>
SCREE_HD inline bool crossing_between(Real dx, Real dy, Real reach) {
  return dx * dx + dy * dy <= reach * reach;
}

/// Returns the reach of such a crossing, at the size of the shape whose frame is used.
/// \tparam BodySizes  sizes, like Sizes
/// \param here, there  edges of this shape and of the other one, each at its own size [m]
/// \param size    `other` of this body, `own` of the one that is seen
/// \param margin  [m]
template <class BodySizes>
SCREE_HD inline double crossing_reach(double here, double there, const BodySizes& size, double margin) {
  return there * (size.own / size.other) + here + 2 * margin / size.other;
}

/// Numbers the regions of both sides' runs from 0 without gaps, in order of the runs of side 0, then of side 1.
/// \return number of regions
std::uint32_t join_runs(PairHits& hits, const StarPair& pair, double margin);

/// Hull of several runs of one outline: the ring less its largest gap between runs.
/// \param runs  by first node
SCREE_HD inline NodeRun hull(const NodeRun* runs, std::uint32_t count, std::uint32_t nodes) {
  std::uint32_t largest = 0;
  NodeRun best = count > 0 ? runs[0] : NodeRun{};
  for (std::uint32_t i = 0; i < count; ++i) {
    const NodeRun& before = runs[(i + count - 1) % count];
    const std::uint32_t gap = (runs[i].first + 2 * nodes - before.first - before.count) % nodes;
    if (i > 0 && gap <= largest) continue;
    largest = gap;
    best = {runs[i].first, nodes - gap};
  }
  return best;
}

}  // namespace scree::star
