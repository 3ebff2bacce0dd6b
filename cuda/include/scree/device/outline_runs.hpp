#pragma once
/// \file Runs of consecutive nodes of an outline that lie within another body, in kernels: as for_each_run() of
/// detect/node_runs.hpp, but collected while the nodes go by.

#include <cstdint>

#include "scree/detect/node_runs.hpp"

namespace scree::device {

/// A run with its deepest node. Places are in a frame of the caller's choice.
struct TouchingRun {
  NodeRun nodes;
  std::uint32_t deepest;                  ///< node
  double depth;                           ///< there [m]
  double begin_x, begin_y, end_x, end_y;  ///< first and last node [m]
  std::uint32_t region;                   ///< runs with equal numbers bound the same overlap
};

/// Which of equally deep nodes counts, where a run goes over node 0.
enum class Ties { lowest_node, first_on_ring };

/// The runs of one side of a pair.
template <int kMost>
struct TouchingRuns {
  std::uint32_t count = 0;
  bool full = false;  ///< there were more
  TouchingRun run[kMost];

  /// The next node that touches: nodes come in ascending order.
  SCREE_HD void add(std::uint32_t node, double x, double y, double depth) {
    if (count > 0) {
      TouchingRun& last = run[count - 1];
      if (last.nodes.first + last.nodes.count == node) {
        ++last.nodes.count;
        last.end_x = x, last.end_y = y;
        if (depth > last.depth) last.depth = depth, last.deepest = node;
        return;
      }
    }
    if (count == kMost) {
      full = true;
      return;
    }
    run[count++] = {{node, 1}, node, depth, x, y, x, y, 0};
  }

  /// Joins the runs on both sides of node 0. \param nodes  of the ring
  SCREE_HD void close(std::uint32_t nodes, Ties ties) {
    if (count < 2) return;
    const TouchingRun head = run[0];
    TouchingRun& tail = run[count - 1];
    if (head.nodes.first != 0 || tail.nodes.first + tail.nodes.count != nodes) return;
    tail.nodes.count += head.nodes.count;
    tail.end_x = head.end_x, tail.end_y = head.end_y;
    if (head.depth > tail.depth || (head.depth == tail.depth && ties == Ties::lowest_node))
      tail.depth = head.depth, tail.deepest = head.deepest;
    for (std::uint32_t k = 1; k < count; ++k) run[k - 1] = run[k];
    --count;
  }
};

/// Numbers the regions of both sides' runs: those that meet bound the same overlap. A region has the lowest number of
/// its runs, those of side a counted first.
/// \param meet  (run of a, run of b) -> bool
template <int kMost, class Meet>
SCREE_HD inline void join_runs(TouchingRuns<kMost>& a, TouchingRuns<kMost>& b, const Meet& meet) {
  for (std::uint32_t k = 0; k < a.count; ++k) a.run[k].region = k;
  for (std::uint32_t k = 0; k < b.count; ++k) b.run[k].region = a.count + k;
  const auto rename = [](TouchingRuns<kMost>& runs, std::uint32_t from, std::uint32_t to) {
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

/// The deepest run of a region on one side, or null.
template <int kMost>
SCREE_HD inline const TouchingRun* deepest_of(const TouchingRuns<kMost>& runs, std::uint32_t region, Ties ties) {
  const TouchingRun* best = nullptr;
  for (std::uint32_t k = 0; k < runs.count; ++k) {
    const TouchingRun& run = runs.run[k];
    if (run.region != region) continue;
    const bool deeper = best == nullptr || run.depth > best->depth ||
                        (ties == Ties::lowest_node && run.depth == best->depth && run.deepest < best->deepest);
    if (deeper) best = &run;
  }
  return best;
}

}  // namespace scree::device
