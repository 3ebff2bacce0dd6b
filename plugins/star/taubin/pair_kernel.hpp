#pragma once
/// \file The contacts of two stars on a device, one thread per pair: those of pair_contacts.hpp, bit by bit. Nodes are
/// sorted out in single precision; what its errors leave open is worked out in double precision.

#include <cmath>
#include <cstddef>
#include <limits>

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
  float sign_error, depth_error, centre_reach2;
  std::uint32_t nodes;
  std::uint32_t points, edge, table, coarse_points, coarse_table;  ///< [bytes]
};

/// A node in single precision.
struct CoarsePoint {
  float x, y;
};

/// What find() has trouble with: whose centre the outline of the other body has reached.
inline constexpr int kCentreOfA = 1, kCentreOfB = 2;

/// Sizes of bodies that all have their shape's: constants, so that no kernel multiplies by them.
struct UnitSizes {
  static constexpr double own = 1, other = 1;
  SCREE_HD UnitSizes(double, double) {}
  SCREE_HD PlanarPoint<double> seen(const RelativePose& pose, double x, double y) const {
    return transform(pose, x, y);
  }
};
struct AnySizes : Sizes {
  SCREE_HD AnySizes(double of_own, double of_other) : Sizes{of_own, of_other} {}
  SCREE_HD PlanarPoint<double> seen(const RelativePose& pose, double x, double y) const {
    return transform(pose, *this, x, y);
  }
};

/// The nodes of one side as the other outline sees them, at the size of the other's shape.
template <class BodySizes>
class StarSide {
 public:
  SCREE_HD StarSide(const std::byte* tables, const OutlineEntry& own, const OutlineEntry& other,
                    const PlanarPose& own_pose, const PlanarPose& other_pose, const BodySizes& size)
      : tables_(tables), own_(own), other_(other), at_(relative_pose(own_pose, other_pose)), size_(size) {}

  SCREE_HD std::uint32_t nodes() const { return own_.nodes; }
  SCREE_HD PlanarPoint<double> own(std::uint32_t node) const { return column<PlanarPoint<double>>(own_.points)[node]; }
  SCREE_HD double edge(std::uint32_t node) const { return column<double>(own_.edge)[node]; }
  /// The node in the frame of the other outline.
  SCREE_HD PlanarPoint<double> seen(std::uint32_t node) const {
    const PlanarPoint<double> p = own(node);
    return size_.seen(at_, p.x, p.y);
  }
  /// Its depth is that of the bodies [m].
  SCREE_HD PointHit hit(const PlanarPoint<double>& p) const {
    const auto* const table = column<RadialSample<double>>(other_.table);
    PointHit hit = point_hit(p.x, p.y, lookup(table, other_.cells_per_unit, pseudo_angle(p.x, p.y)));
    hit.depth *= size_.other;
    return hit;
  }

  /// Whether a node lies within the other outline, or as near to it as the margin [m].
  SCREE_HD bool touches(std::uint32_t node, double margin) const {
    const PlanarPoint<double> p = seen(node);
    if (margin == 0 && p.x * p.x + p.y * p.y > other_.r_max * other_.r_max * (1 + 1e-9)) return false;
    return hit(p).depth > -margin;
  }
  SCREE_HD bool is_inside(std::uint32_t node) const {
    const PlanarPoint<float> p = coarsely_seen(node);
    if (p.x * p.x + p.y * p.y > other_.centre_reach2) return false;
    const CoarseHit c = coarse_hit(column<FloatCell>(other_.coarse_table), p.x, p.y);
    const float f = c.r - c.rho;
    return std::abs(f) > sign_error() ? f > 0 : touches(node, 0);
  }
  /// No less than the depth of a node inside, and no more than 1 + 2 depth_error times it and 2 sign_error beyond it,
  /// but for nodes so deep that Taubin's guard acts, which may be anything. [m]
  SCREE_HD float depth_at_most(std::uint32_t node) const {
    const PlanarPoint<float> p = coarsely_seen(node);
    const CoarseHit c = coarse_hit(column<FloatCell>(other_.coarse_table), p.x, p.y);
    if (c.rho < 0.51f * c.r) return std::numeric_limits<float>::infinity();
    return other_size() * (c.depth * (1 + other_.depth_error) + sign_error());
  }
  SCREE_HD float depth_at_least(float at_most) const {
    return at_most < std::numeric_limits<float>::infinity()
               ? at_most * (1 - 2 * other_.depth_error) - 2 * other_size() * sign_error()
               : 0;
  }

  /// Where nodes can lie in the other's bounding circle. \param other_in_own  pose of the other outline
  SCREE_HD NodeArc facing(const RelativePose& other_in_own) const {
    const auto size = static_cast<float>(size_.own);
    return facing_arc(static_cast<float>(other_in_own.x), static_cast<float>(other_in_own.y),
                      size * static_cast<float>(own_.r_max), other_size() * static_cast<float>(other_.r_max) * 1.0001f,
                      static_cast<int>(own_.nodes));
  }
  SCREE_HD const RelativePose& at() const { return at_; }
  /// Whether the own outline's centre lies within the other outline, as check_centres() asks.
  SCREE_HD bool centre_is_inside() const {
    const PlanarPoint<double> centre = size_.seen(at_, 0, 0);
    const double distance = std::sqrt(centre.x * centre.x + centre.y * centre.y);
    if (distance >= other_.r_max) return false;
    const auto* const table = column<RadialSample<double>>(other_.table);
    return distance < lookup(table, other_.cells_per_unit, pseudo_angle(centre.x, centre.y)).r;
  }
  SCREE_HD double crushed_below() const { return kCrushed * other_.r_min; }
  SCREE_HD const BodySizes& size() const { return size_; }

 private:
  template <class T>
  SCREE_HD const T* column(std::uint32_t offset) const {
    return reinterpret_cast<const T*>(tables_ + offset);
  }
  SCREE_HD PlanarPoint<float> coarsely_seen(std::uint32_t node) const {
    const CoarsePoint p = column<CoarsePoint>(own_.coarse_points)[node];
    const auto c = static_cast<float>(at_.c), s = static_cast<float>(at_.s);
    const auto own_size = static_cast<float>(size_.own);
    const float px = own_size * p.x, py = own_size * p.y;
    return {(static_cast<float>(at_.x) + (c * px - s * py)) / other_size(),
            (static_cast<float>(at_.y) + (s * px + c * py)) / other_size()};
  }
  SCREE_HD float other_size() const { return static_cast<float>(size_.other); }
  /// A node's place is a sum of terms as large as its own body.
  SCREE_HD float sign_error() const {
    const double ratio = size_.own / size_.other;
    return other_.sign_error * static_cast<float>(ratio > 1 ? ratio : 1);
  }

  const std::byte* tables_;
  const OutlineEntry &own_, &other_;
  RelativePose at_;
  BodySizes size_;
};

/// Consecutive nodes of one side that touch.
struct StarRun {
  NodeRun nodes;
  std::uint32_t region = 0;
  SCREE_HD void append(const StarRun& next) { nodes.count += next.nodes.count; }
  SCREE_HD std::uint32_t node(std::uint32_t k, std::uint32_t of) const {
    const std::uint32_t n = nodes.first + k;
    return n < of ? n : n - of;
  }
};

/// The geometry of ShapePairs. \tparam BodySizes  UnitSizes or AnySizes
template <class BodySizes>
class StarPairsOf {
 public:
  static constexpr int kContacts = 8;
  using Found = device::FoundContacts<kContacts>;

  SCREE_HD void find(const device::PlacedShape& a, const device::PlacedShape& b, double margin, const std::byte* tables,
                     Found& found) const {
    const OutlineEntry* const entries = reinterpret_cast<const OutlineEntry*>(tables);
    const OutlineEntry &of_a = entries[a.shape], &of_b = entries[b.shape];
    const BodySizes size(a.scale, b.scale);
    const Meeting meeting(tables, of_a, of_b, pose_of(a, of_a, size.own), pose_of(b, of_b, size.other), size, margin);
    if (margin == 0 && meeting.apart(size.own * of_a.r_max + size.other * of_b.r_max)) return;
    meeting.find(found);
  }
  SCREE_HD void match(const ContactMatch& contacts) const { match_runs(contacts); }

 private:
  static constexpr int kMostRuns = 8;  ///< of a side
  using Runs = device::RunList<kMostRuns, StarRun>;

  using Side = StarSide<BodySizes>;

  static SCREE_HD PlanarPose pose_of(const device::PlacedShape& body, const OutlineEntry& outline, double scale) {
    return planar_pose(body.x.x, body.x.y, body.q.w, body.q.z, scale * outline.centre_x, scale * outline.centre_y);
  }

  struct Meeting {
    PlanarPose pose_a, pose_b;
    Side a, b;
    double margin;

    SCREE_HD Meeting(const std::byte* tables, const OutlineEntry& of_a, const OutlineEntry& of_b,
                     const PlanarPose& at_a, const PlanarPose& at_b, const BodySizes& size, double gap)
        : pose_a(at_a),
          pose_b(at_b),
          a(tables, of_a, of_b, at_a, at_b, size),
          b(tables, of_b, of_a, at_b, at_a, BodySizes(size.other, size.own)),
          margin(gap) {}

    SCREE_HD bool apart(double reach) const {
      const double dx = pose_b.x - pose_a.x, dy = pose_b.y - pose_a.y;
      return dx * dx + dy * dy > reach * reach;
    }

    SCREE_HD void find(Found& found) const {
      if (a.centre_is_inside() || b.centre_is_inside()) {
        found.trouble = a.centre_is_inside() ? kCentreOfA : kCentreOfB;
        return;
      }
      Runs runs_a, runs_b;
      collect(a, b.at(), runs_a);
      collect(b, a.at(), runs_b);
      if (runs_a.full || runs_b.full) {
        found.trouble = device::kTooManyContacts;
        return;
      }
      device::join_runs(runs_a, runs_b,
                        [&](const StarRun& s, const StarRun& t) { return meets(a, s, b, t) || meets(b, t, a, s); });
      for (std::uint32_t region = 0; region < runs_a.count + runs_b.count; ++region)
        add_contact(runs_a, runs_b, region, found);
    }

    /// The runs of a side's nodes within the other outline.
    SCREE_HD void collect(const Side& side, const RelativePose& other_in_own, Runs& runs) const {
      const std::uint32_t nodes = side.nodes();
      const NodeArc arc = margin == 0 ? side.facing(other_in_own) : NodeArc{0, nodes};
      const std::uint32_t end = arc.first + arc.count, wrapped = end > nodes ? end - nodes : 0;
      for (std::uint32_t k = 0; k < arc.count; ++k) {  // in ascending order: what lies behind node 0 first
        const std::uint32_t node = k < wrapped ? k : arc.first + (k - wrapped);
        if (margin == 0 ? side.is_inside(node) : side.touches(node, margin)) runs.add({{node, 1}});
      }
      runs.close(nodes);
    }

    /// As join_runs() of regions.hpp: the end of run s against the begin of run t of the other side.
    SCREE_HD bool meets(const Side& from, const StarRun& s, const Side& to, const StarRun& t) const {
      const std::uint32_t last = s.node(s.nodes.count - 1, from.nodes());
      const std::uint32_t before = t.nodes.first > 0 ? t.nodes.first - 1 : to.nodes() - 1;
      const double behind = from.edge(last), ahead = to.edge(before);
      const PlanarPoint<double> begin = to.own(t.nodes.first), end = from.own(last);
      const PlanarPoint<double> begin_seen = to.seen(t.nodes.first), end_seen = from.seen(last);
      return crossing_between(end_seen.x - begin.x, end_seen.y - begin.y,
                              crossing_reach(ahead, behind, from.size(), margin)) ||
             crossing_between(begin_seen.x - end.x, begin_seen.y - end.y,
                              crossing_reach(behind, ahead, to.size(), margin));
    }

    /// f(node) for the nodes of a region.
    template <class F>
    static SCREE_HD void for_nodes(const Runs& runs, std::uint32_t region, std::uint32_t nodes, const F& f) {
      for (std::uint32_t r = 0; r < runs.count; ++r)
        for (std::uint32_t k = 0; runs.run[r].region == region && k < runs.run[r].nodes.count; ++k)
          f(runs.run[r].node(k, nodes));
    }
    /// A depth that the deepest of a region's nodes have at least, by single precision [m].
    SCREE_HD float enough(const Runs& runs, std::uint32_t region, const Side& side) const {
      float most = 0;
      for_nodes(runs, region, side.nodes(), [&](std::uint32_t node) {
        const float least = side.depth_at_least(side.depth_at_most(node));
        most = least > most ? least : most;
      });
      return most;
    }

    /// The deepest node of a side, the lowest of equally deep ones.
    struct Deepest {
      std::uint32_t node = device::kNone;
      PointHit hit{0, 0, 0, 0};
    };
    SCREE_HD Deepest deepest(const Runs& runs, std::uint32_t region, const Side& side, float least) const {
      Deepest best;
      for_nodes(runs, region, side.nodes(), [&](std::uint32_t node) {
        if (margin == 0 && side.depth_at_most(node) < least) return;
        const PointHit hit = side.hit(side.seen(node));
        const bool deeper = best.node == device::kNone || hit.depth > best.hit.depth ||
                            (hit.depth == best.hit.depth && node < best.node);
        if (deeper) best = {node, hit};
      });
      return best;
    }

    static SCREE_HD RingInterval interval(const Runs& runs, std::uint32_t region, std::uint32_t nodes) {
      NodeRun of_region[kMostRuns];
      std::uint32_t count = 0;
      for (std::uint32_t k = 0; k < runs.count; ++k)
        if (runs.run[k].region == region) of_region[count++] = runs.run[k].nodes;
      return ring_interval(hull(of_region, count, nodes), nodes);
    }

    SCREE_HD void add_contact(const Runs& runs_a, const Runs& runs_b, std::uint32_t region, Found& found) const {
      const float of_a = enough(runs_a, region, a), of_b = enough(runs_b, region, b);
      const float least = of_a > of_b ? of_a : of_b;
      const Deepest on_a = deepest(runs_a, region, a, least), on_b = deepest(runs_b, region, b, least);
      if (on_a.node == device::kNone && on_b.node == device::kNone) return;
      const auto of_side = [&](const Side& side, const Deepest& d, int number) {
        const PlanarPoint<double> p = side.own(d.node);
        return deep_node(number == 0 ? pose_a : pose_b, number == 0 ? pose_b : pose_a, side.size().own * p.x,
                         side.size().own * p.y, number, d.hit);
      };
      const DeepNode node = on_b.node == device::kNone   ? of_side(a, on_a, 0)
                            : on_a.node == device::kNone ? of_side(b, on_b, 1)
                                                         : deeper(of_side(a, on_a, 0), of_side(b, on_b, 1));
      if (node.rho < (node.side == 0 ? a : b).crushed_below()) found.trouble = node.side == 0 ? kCentreOfB : kCentreOfA;
      found.add({node.depth, {node.nx, node.ny, 0}, {node.px, node.py, 0}, 0, -1, -1},
                pack_intervals(interval(runs_a, region, a.nodes()), interval(runs_b, region, b.nodes())));
    }
  };
};
using StarPairs = StarPairsOf<UnitSizes>;
using SizedStarPairs = StarPairsOf<AnySizes>;

}  // namespace scree::star
