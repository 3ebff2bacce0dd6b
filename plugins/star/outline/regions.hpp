#pragma once
/// \file From the nodes of two outlines that lie inside each other to contacts: runs, regions, the deepest node.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "outline/outline.hpp"
#include "scree/detect/node_runs.hpp"

namespace scree::star {

/// A node of one side within reach of the other's outline.
struct NodeHit {
  std::uint32_t node;
  double px, py;  ///< in the other side's frame [m]
  PointHit hit;
};

/// One side's maximal run of consecutive hits.
struct HitRun {
  NodeRun nodes;
  double begin_x, begin_y, end_x, end_y;  ///< first and last node in the other side's frame [m]
  std::uint32_t deepest;                  ///< index into the side's hits
  std::uint32_t region;                   ///< runs with equal numbers bound the same overlap
};

/// What one pair's contacts are made of; kept between pairs for its memory.
struct PairHits {
  std::vector<NodeHit> hits[2];
  std::vector<HitRun> runs[2];
};

/// Splits the hits of one side, in order of nodes, into maximal cyclic runs, in order of their first node.
void find_runs(std::span<const NodeHit> hits, std::uint32_t nodes, std::vector<HitRun>& runs);

/// Whether the end of a run of one outline and the begin of a run of the other meet in one crossing of the outlines.
/// Both outlines run counter-clockwise: where one leaves the other, the other enters it, and the crossing lies on the
/// edge behind the end of the first run and on the edge ahead of the begin of the second.
/// \param dx, dy  from one node to the other [m]  \param reach  length of both edges (and twice the margin) [m]
template <class Real>
inline bool crossing_between(Real dx, Real dy, Real reach) {
  return dx * dx + dy * dy <= reach * reach;
}

/// Numbers the regions of both sides' runs from 0 without gaps, in order of the runs of side 0, then of side 1.
/// \return number of regions
std::uint32_t join_runs(PairHits& pair, const Outline& a, const Outline& b, double margin);

/// Hull of several runs of one outline: the ring less its largest gap between runs.
NodeRun hull(std::span<const NodeRun> runs, std::uint32_t nodes);

}  // namespace scree::star
