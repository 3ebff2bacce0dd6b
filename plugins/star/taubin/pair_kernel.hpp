#pragma once
/// \file The contacts of two stars on a device, one thread per pair: those of pair_contacts.hpp, bit by bit. Nodes are
/// sorted out in single precision; what may touch is worked out in double precision.

#include <cstddef>

#include "outline/arc.hpp"
#include "outline/crushed.hpp"
#include "outline/regions.hpp"
#include "scree/device/outline_runs.hpp"
#include "scree/device/shape_pairs.hpp"
#include "taubin/deep_node.hpp"

namespace scree::star {

/// An outline in the tables of a device: what Outline has, with columns as offsets from the begin of the tables.
struct OutlineEntry {
  double centre_x, centre_y, r_max, r_min, cells_per_unit;
  float sign_error, centre_reach2;
  std::uint32_t nodes;
  std::uint32_t points, edge, table, coarse_points, coarse_table;  ///< [bytes]
};

/// A node in single precision.
struct CoarsePoint {
  float x, y;
};

/// What find() has trouble with: whose centre the outline of the other body has reached.
inline constexpr int kCentreOfA = 1, kCentreOfB = 2;

class StarPairs {
 public:
  static constexpr int kContacts = 8;

  SCREE_HD void find(const device::PlacedShape& a, const device::PlacedShape& b, double margin, const std::byte* tables,
                     device::FoundContacts<kContacts>& found) const {
    Pair pair{tables, {entry(tables, a.shape), entry(tables, b.shape)}, {}, margin};
    pair.pose[0] = pose_of(a, *pair.outline[0]);
    pair.pose[1] = pose_of(b, *pair.outline[1]);
    if (pair.apart()) return;
    found.trouble = pair.crushed_centre();
    if (found.trouble) return;
    Runs runs[2];
    for (int side = 0; side < 2; ++side) pair.collect(side, runs[side]);
    if (runs[0].full || runs[1].full) found.trouble = device::kTooManyContacts;
    if (found.trouble) return;
    device::join_runs(runs[0], runs[1], [&](const device::TouchingRun& s, const device::TouchingRun& t) {
      return pair.meets(s, 0, t) || pair.meets(t, 1, s);
    });
    const std::uint32_t regions = runs[0].count + runs[1].count;
    for (std::uint32_t region = 0; region < regions && !found.trouble; ++region) pair.add_contact(runs, region, found);
  }
  SCREE_HD void match(const ContactMatch& contacts) const { match_runs(contacts); }

 private:
  static constexpr int kMostRuns = 8;  ///< of a side
  using Runs = device::TouchingRuns<kMostRuns>;

  static SCREE_HD const OutlineEntry* entry(const std::byte* tables, std::uint32_t shape) {
    return reinterpret_cast<const OutlineEntry*>(tables) + shape;
  }
  static SCREE_HD PlanarPose pose_of(const device::PlacedShape& body, const OutlineEntry& outline) {
    return planar_pose(body.x.x, body.x.y, body.q.w, body.q.z, outline.centre_x, outline.centre_y);
  }

  struct Pair {
    const std::byte* tables;
    const OutlineEntry* outline[2];
    PlanarPose pose[2];
    double margin;

    template <class T>
    SCREE_HD const T* column(std::uint32_t offset) const {
      return reinterpret_cast<const T*>(tables + offset);
    }
    SCREE_HD PlanarPoint<double> point(int side, std::uint32_t node) const {
      return column<PlanarPoint<double>>(outline[side]->points)[node];
    }
    SCREE_HD RadialSample<double> sample(int side, double x, double y) const {
      const OutlineEntry& o = *outline[side];
      return lookup(column<RadialSample<double>>(o.table), o.cells_per_unit, pseudo_angle(x, y));
    }

    SCREE_HD bool apart() const {
      const double dx = pose[1].x - pose[0].x, dy = pose[1].y - pose[0].y;
      const double reach = outline[0]->r_max + outline[1]->r_max;
      return margin == 0 && dx * dx + dy * dy > reach * reach;
    }

    /// As check_centres().
    SCREE_HD int crushed_centre() const {
      for (int side = 0; side < 2; ++side) {
        const RelativePose at = relative_pose(pose[side], pose[1 - side]);
        const double distance = std::sqrt(at.x * at.x + at.y * at.y);
        if (distance < outline[1 - side]->r_max && distance < sample(1 - side, at.x, at.y).r)
          return side == 0 ? kCentreOfA : kCentreOfB;
      }
      return 0;
    }

    /// The runs of a side's nodes within the other outline.
    SCREE_HD void collect(int side, Runs& runs) const {
      const OutlineEntry& own = *outline[side];
      const RelativePose at = relative_pose(pose[side], pose[1 - side]);
      NodeArc arc{0, own.nodes};
      if (margin == 0) {
        const RelativePose other = relative_pose(pose[1 - side], pose[side]);
        arc = facing_arc(static_cast<float>(other.x), static_cast<float>(other.y), static_cast<float>(own.r_max),
                         static_cast<float>(outline[1 - side]->r_max) * 1.0001f, static_cast<int>(own.nodes));
      }
      const std::uint32_t end = arc.first + arc.count;
      if (end > own.nodes) collect(side, at, 0, end - own.nodes, runs);
      collect(side, at, arc.first, end < own.nodes ? end : own.nodes, runs);
      runs.close(own.nodes, device::Ties::lowest_node);
    }
    SCREE_HD void collect(int side, const RelativePose& at, std::uint32_t begin, std::uint32_t end, Runs& runs) const {
      const CoarsePoint* const coarse = column<CoarsePoint>(outline[side]->coarse_points);
      for (std::uint32_t node = begin; node < end; ++node) {
        if (margin == 0 && surely_outside(1 - side, at, coarse[node])) continue;
        const PlanarPoint<double> own = point(side, node), p = transform(at, own.x, own.y);
        const double r_max = outline[1 - side]->r_max;
        if (margin == 0 && p.x * p.x + p.y * p.y > r_max * r_max * (1 + 1e-9)) continue;
        const PointHit hit = point_hit(p.x, p.y, sample(1 - side, p.x, p.y));
        if (hit.depth > -margin) runs.add(node, p.x, p.y, hit.depth);
      }
    }
    SCREE_HD bool surely_outside(int other, const RelativePose& at, const CoarsePoint& node) const {
      const auto c = static_cast<float>(at.c), s = static_cast<float>(at.s);
      const float x = static_cast<float>(at.x) + (c * node.x - s * node.y);
      const float y = static_cast<float>(at.y) + (s * node.x + c * node.y);
      const OutlineEntry& o = *outline[other];
      if (x * x + y * y > o.centre_reach2) return true;
      const CoarseHit hit = coarse_hit(column<FloatCell>(o.coarse_table), x, y);
      return hit.r - hit.rho < -o.sign_error;
    }

    /// As join_runs() of regions.hpp: the end of run s, of `side`, against the begin of run t of the other side.
    SCREE_HD bool meets(const device::TouchingRun& s, int side, const device::TouchingRun& t) const {
      const std::uint32_t from = outline[side]->nodes, to = outline[1 - side]->nodes;
      const std::uint32_t last = (s.nodes.first + s.nodes.count - 1) % from, before = (t.nodes.first + to - 1) % to;
      const double reach =
          column<double>(outline[side]->edge)[last] + column<double>(outline[1 - side]->edge)[before] + 2 * margin;
      const PlanarPoint<double> begin = point(1 - side, t.nodes.first), end = point(side, last);
      return crossing_between(s.end_x - begin.x, s.end_y - begin.y, reach) ||
             crossing_between(t.begin_x - end.x, t.begin_y - end.y, reach);
    }

    SCREE_HD DeepNode node_of(int side, const device::TouchingRun& run) const {
      const PlanarPoint<double> own = point(side, run.deepest);
      const PlanarPoint<double> p = transform(relative_pose(pose[side], pose[1 - side]), own.x, own.y);
      return deep_node(pose[side], pose[1 - side], own.x, own.y, side, point_hit(p.x, p.y, sample(1 - side, p.x, p.y)));
    }
    SCREE_HD RingInterval interval(const Runs& runs, int side, std::uint32_t region) const {
      NodeRun of_region[kMostRuns];
      std::uint32_t count = 0;
      for (std::uint32_t k = 0; k < runs.count; ++k)
        if (runs.run[k].region == region) of_region[count++] = runs.run[k].nodes;
      return ring_interval(hull(of_region, count, outline[side]->nodes), outline[side]->nodes);
    }
    SCREE_HD void add_contact(const Runs* runs, std::uint32_t region, device::FoundContacts<kContacts>& found) const {
      const device::TouchingRun* const on_a = deepest_of(runs[0], region, device::Ties::lowest_node);
      const device::TouchingRun* const on_b = deepest_of(runs[1], region, device::Ties::lowest_node);
      if (!on_a && !on_b) return;
      const DeepNode node = !on_b   ? node_of(0, *on_a)
                            : !on_a ? node_of(1, *on_b)
                                    : deeper(node_of(0, *on_a), node_of(1, *on_b));
      if (node.rho < kCrushed * outline[1 - node.side]->r_min) found.trouble = node.side == 0 ? kCentreOfB : kCentreOfA;
      found.add({node.depth, {node.nx, node.ny, 0}, {node.px, node.py, 0}, 0, -1, -1},
                pack_intervals(interval(runs[0], 0, region), interval(runs[1], 1, region)));
    }
  };
};

}  // namespace scree::star
