#pragma once
/// \file Runs of consecutive nodes of an outline that lie within another body, in kernels: as for_each_run() of
/// detect/node_runs.hpp, but collected while the nodes go by.

#include <cstdint>

#include "scree/detect/node_runs.hpp"

namespace scree::device {

/// The runs of one side of a pair. A Run has
///
///   nodes, region        runs with equal regions bound the same overlap
///   append(next)         what follows it on the ring
template <int kMost, class Run>
struct RunList {
  std::uint32_t count = 0;
  bool full = false;  ///< there were more
  Run run[kMost];

  /// The next node that touches, as a run of its own: nodes come in ascending order.
  SCREE_HD void add(const Run& next) {
    if (count > 0 && run[count - 1].nodes.first + run[count - 1].nodes.count == next.nodes.first)
      run[count - 1].append(next);
    else if (count < kMost)
      run[count++] = next;
    else
      full = true;
  }

  /// Joins the runs on both sides of node 0. \param nodes  of the ring
  SCREE_HD void close(std::uint32_t nodes) {
    if (count < 2) return;
    Run& tail = run[count - 1];
    if (run[0].nodes.first != 0 || tail.nodes.first + tail.nodes.count != nodes) return;
    tail.append(run[0]);
    for (std::uint32_t k = 1; k < count; ++k) run[k - 1] = run[k];
    --count;
  }
};

/// Numbers the regions of both sides' runs: those that meet bound the same overlap. A region has the lowest number of
/// its runs, those of side a counted first.
/// \param meet  (run of a, run of b) -> bool
template <class Runs, class Meet>
SCREE_HD inline void join_runs(Runs& a, Runs& b, const Meet& meet) {
  for (std::uint32_t k = 0; k < a.count; ++k) a.run[k].region = k;
  for (std::uint32_t k = 0; k < b.count; ++k) b.run[k].region = a.count + k;
  const auto rename = [](Runs& runs, std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t k = 0; k < runs.count; ++k)
      if (runs.run[k].region == from) runs.run[k].region = to;
  };
  for (std::uint32_t i = 0; i < a.count; ++i)
    for (std::uint32_t k = 0; k < b.count; ++k) {
      const std::uint32_t s = a.run[i].region, t = b.run[k].region;
      if (s == t || !meet(a.run[i], b.run[k])) continue;
      rename(a, s > t ? s : t, s < t ? s : t);
      rename(b, s > t ? s : t, s < t ? s : t);
    }
}

/// A run with its deepest node; of equally deep ones the first on the ring. Places are in a frame of the caller's
/// choice.
struct TouchingRun {
  NodeRun nodes;
  std::uint32_t deepest;                  ///< node
  double depth;                           ///< there [m]
  double begin_x, begin_y, end_x, end_y;  ///< first and last node [m]
  std::uint32_t region = 0;

  SCREE_HD void append(const TouchingRun& next) {
    nodes.count += next.nodes.count;
    end_x = next.end_x, end_y = next.end_y;
    if (next.depth > depth) depth = next.depth, deepest = next.deepest;
  }
};

/// The deepest run of a region on one side, or null.
template <int kMost>
SCREE_HD inline const TouchingRun* deepest_of(const RunList<kMost, TouchingRun>& runs, std::uint32_t region) {
  const TouchingRun* best = nullptr;
  for (std::uint32_t k = 0; k < runs.count; ++k)
    if (runs.run[k].region == region && (!best || runs.run[k].depth > best->depth)) best = &runs.run[k];
  return best;
}

}  // namespace scree::device
