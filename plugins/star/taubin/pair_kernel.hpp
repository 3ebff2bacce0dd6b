#pragma once
/// \file The contacts of two stars on a device: those of pair_contacts.hpp, bit by bit. Nodes are sorted out in single
/// precision; what its errors leave open is worked out in double precision.

#include <cmath>
#include <cstddef>

#include "outline/regions.hpp"
#include "scree/device/remembered_pairs.hpp"
#include "taubin/deep_node.hpp"
#include "taubin/star_runs.hpp"
#include "taubin/star_side.hpp"

namespace scree::star {

/// Trouble of begin(): the body whose centre the outline of the other body has reached.
inline constexpr int kCentreOfA = 1, kCentreOfB = 2;

/// The geometry of device::RememberedPairs. \tparam BodySizes  UnitSizes or AnySizes
template <class BodySizes>
class StarPairsOf {
 public:
  static constexpr int kContacts = StarRuns::kContacts;
  using Memory = StarRuns;
  using Space = device::InPlane;
  using Found = device::FoundPayloads<kContacts>;
  using Side = StarSide<BodySizes>;

  SCREE_HD void forget(StarRuns& runs) const { runs.room = 0; }
  /// Contacts are called by their regions.
  SCREE_HD std::uint32_t key(const StarRuns& runs, int i) const {
    return runs.region_of(static_cast<std::uint32_t>(i));
  }
  SCREE_HD void match(const ContactMatch& contacts) const { match_runs(contacts); }

  /// Nodes of a pair to test, and data for it: the same for all lanes.
  struct Search {
    const OutlineEntry* outline[2];
    RelativePose at[2];  ///< pose of each outline in the frame of the other
    double size[2];
    std::uint32_t first[2], count[2];  ///< the nodes of each side that may touch
    bool any;

    SCREE_HD Side side(int s, const std::byte* tables) const {
      return Side(tables, *outline[s], *outline[1 - s], at[s], BodySizes(size[s], size[1 - s]));
    }
  };
  /// The runs of both sides' nodes that lie within the other outline. \return whether there is room for them
  SCREE_HD bool search(const device::Warp& warp, const Search& s, double margin, const std::byte* tables,
                       StarRuns& runs) const {
    return !s.any || (search_side(warp, s, 0, margin, tables, runs) && search_side(warp, s, 1, margin, tables, runs));
  }

  /// Both sides of a pair.
  struct Sight {
    CoarseSide<BodySizes> side[2];
  };
  /// None where gaps are contacts: single precision tells nothing of them.
  SCREE_HD std::uint32_t nodes(double margin, const StarRuns& runs, std::uint32_t region) const {
    std::uint32_t count = 0;
    for (int side = 0; side < 2 && margin == 0; ++side)
      runs.for_runs(side, region, [&](const StarRun& run) { count += run.count; });
    return count;
  }
  SCREE_HD float depth(const Sight& sight, const std::byte* tables, std::uint32_t node) const {
    return sight.side[node >> kSideBit].depth_at_most(tables, node & kNodeMask);
  }

  /// A node, and its depth at most [m].
  struct Bounded {
    std::uint32_t node = device::kNone;
    float depth = -1;
  };
  /// Choice of a region's deepest nodes by single precision.
  struct Choice {
    Bounded first, second;  ///< nodes that may be deepest, in the order of their bounds
    float third = -1;       ///< no other can be deeper [m]
    float enough = 0;       ///< the deepest are at least so deep [m]
  };
  SCREE_HD void add(const Sight& sight, std::uint32_t node, float depth, Choice& c) const {
    const float least = sight.side[node >> kSideBit].depth_at_least(depth);
    c.enough = least > c.enough ? least : c.enough;
    if (!(depth > c.third)) return;
    c.third = depth > c.second.depth ? c.second.depth : depth;
    if (!(depth > c.second.depth)) return;
    c.second = depth > c.first.depth ? c.first : Bounded{node, depth};
    if (depth > c.first.depth) c.first = {node, depth};
  }

  /// A pair as it stands.
  class Meeting {
   public:
    Meeting() = default;
    SCREE_HD Meeting(const device::PlacedShape& at_a, const device::PlacedShape& at_b, double gap,
                     const std::byte* tables)
        : Meeting(outline_of(at_a, tables), outline_of(at_b, tables), at_a, at_b, BodySizes(at_a.scale, at_b.scale),
                  gap, tables) {}

    SCREE_HD bool holds(const StarRuns& runs) const { return runs.room > 0 && way_since(runs) < runs.room; }
    /// Nothing is known of the pair any more but where to look. \param trouble  whose centre the other has reached
    SCREE_HD Search begin(StarRuns& runs, int& trouble) const {
      const RelativePose& at = a_.at();
      runs.x = static_cast<float>(at.x), runs.y = static_cast<float>(at.y);
      runs.c = static_cast<float>(at.c), runs.s = static_cast<float>(at.s);
      runs.count[0] = runs.count[1] = 0;
      runs.room = 0;
      Search s;
      s.any = false;
      float room = most_room();
      if (margin_ == 0 && apart(room)) {
        runs.room = room;
        return s;
      }
      const typename Side::Place of_a = a_.centre(), of_b = b_.centre();
      if (of_a.inside || of_b.inside) {
        trouble = of_a.inside ? kCentreOfA : kCentreOfB;
        return s;
      }
      lower(room, of_a.room);
      lower(room, of_b.room);
      runs.room = room;
      s.any = true;
      const Side* const side[2] = {&a_, &b_};
      for (int k = 0; k < 2; ++k) {
        const NodeArc arc =
            margin_ == 0 ? side[k]->facing(side[1 - k]->at(), most_room()) : NodeArc{0, side[k]->nodes()};
        s.outline[k] = &side[k]->outline(), s.at[k] = side[k]->at(), s.size[k] = side[k]->size().own;
        s.first[k] = arc.first, s.count[k] = arc.count;
      }
      return s;
    }
    /// Finds the runs that belong together, and the contacts.
    SCREE_HD void finish(StarRuns& runs, Found& found) const {
      float room = runs.room;
      join(runs, room);
      runs.room = margin_ == 0 ? room : 0;
      runs.for_regions([&](std::uint32_t r) { found.add(payload(runs, r)); });
    }
    SCREE_HD Sight sight() const { return {{a_.coarse(), b_.coarse()}}; }
    template <class F>
    SCREE_HD void for_nodes(const StarRuns& runs, std::uint32_t region, const F& f) const {
      runs.for_nodes(0, region, a_.nodes(), f);
      runs.for_nodes(1, region, b_.nodes(), [&](std::uint32_t node) { f(1u << kSideBit | node); });
    }
    SCREE_HD device::Contact contact(const StarRuns& runs, std::uint32_t region, const Choice& choice,
                                     int& trouble) const {
      const DeepNode node = deepest_of(runs, region, choice);
      if (node.rho < (node.side == 0 ? a_ : b_).crushed_below()) trouble = node.side == 0 ? kCentreOfB : kCentreOfA;
      return {node.depth, {node.nx, node.ny, 0}, {node.px, node.py, 0}, 0, -1, -1};
    }

   private:
    PlanarPose pose_a_, pose_b_;
    Side a_, b_;
    double margin_, reach_a_, reach_;
    const std::byte* tables_;

    SCREE_HD Meeting(const OutlineEntry& of_a, const OutlineEntry& of_b, const device::PlacedShape& at_a,
                     const device::PlacedShape& at_b, const BodySizes& size, double gap, const std::byte* tables)
        : pose_a_(pose_of(at_a, of_a, size.own)),
          pose_b_(pose_of(at_b, of_b, size.other)),
          a_(tables, of_a, of_b, pose_a_, pose_b_, size),
          b_(tables, of_b, of_a, pose_b_, pose_a_, BodySizes(size.other, size.own)),
          margin_(gap),
          reach_a_(size.own * of_a.r_max),
          reach_(reach_a_ + size.other * of_b.r_max),
          tables_(tables) {}

    /// Checks whether the circles around both outlines are apart. \param room  becomes the gap, if that is less
    SCREE_HD bool apart(float& room) const {
      const double dx = pose_b_.x - pose_a_.x, dy = pose_b_.y - pose_a_.y, squared = dx * dx + dy * dy;
      if (!(squared > reach_ * reach_)) return false;
      lower(room, 0.99f * static_cast<float>(std::sqrt(squared) - reach_));
      return true;
    }
    /// More is never remembered: nodes that are farther from the other's circle are not looked at.
    SCREE_HD float most_room() const { return 0.02f * static_cast<float>(reach_); }
    /// Returns the largest displacement of a point of one outline near the other, relative to the other [m]. Such
    /// points lie within a's circle, or a little outside.
    SCREE_HD float way_since(const StarRuns& then) const {
      const RelativePose& now = a_.at();
      const auto dx = static_cast<float>(now.x - then.x), dy = static_cast<float>(now.y - then.y);
      const auto dc = static_cast<float>(now.c - then.c), ds = static_cast<float>(now.s - then.s);
      // What is remembered is a pose in single precision.
      const auto lever = static_cast<float>(reach_a_) + most_room(), rounding = 2.5e-7f * static_cast<float>(reach_);
      return std::sqrt(dx * dx + dy * dy) + lever * std::sqrt(dc * dc + ds * ds) + rounding;
    }

    /// Returns the payload of a contact.
    SCREE_HD std::uint64_t payload(const StarRuns& runs, std::uint32_t region) const {
      return pack_intervals(interval(runs, 0, region), interval(runs, 1, region));
    }

    /// Numbers the regions.
    SCREE_HD void join(StarRuns& runs, float& room) const {
      const std::uint32_t all = runs.all();
      for (std::uint32_t r = 0; r < all; ++r) runs.region[r] = static_cast<std::uint8_t>(r);
      for (std::uint32_t i = 0; i < runs.count[0]; ++i)
        for (std::uint32_t k = runs.count[0]; k < all; ++k) {
          const std::uint8_t s = runs.region[i], t = runs.region[k];
          if (s == t ||
              !(meets(a_, runs.run[i], b_, runs.run[k], room) || meets(b_, runs.run[k], a_, runs.run[i], room)))
            continue;
          for (std::uint32_t r = 0; r < all; ++r)
            if (runs.region[r] == (s > t ? s : t)) runs.region[r] = s < t ? s : t;
        }
    }

    /// Checks a crossing like join_runs() of regions.hpp: the end of run s against the begin of run t of the other
    /// side.
    SCREE_HD bool meets(const Side& from, const StarRun& s, const Side& to, const StarRun& t, float& room) const {
      const std::uint32_t last = s.node(s.count - 1u, from.nodes());
      const std::uint32_t before = t.first > 0 ? t.first - 1u : to.nodes() - 1;
      const double behind = from.edge(last), ahead = to.edge(before);
      const PlanarPoint<double> begin = to.own(t.first), end = from.own(last);
      const PlanarPoint<double> begin_seen = to.seen(t.first), end_seen = from.seen(last);
      const auto crosses = [&](double dx, double dy, double here, double there, const BodySizes& size) {
        const double limit = crossing_reach(here, there, size, margin_);
        const double difference = std::sqrt(dx * dx + dy * dy) - limit;
        lower(room, 0.99f * static_cast<float>(size.other * std::abs(difference)));
        return crossing_between(dx, dy, limit);
      };
      return crosses(end_seen.x - begin.x, end_seen.y - begin.y, ahead, behind, from.size()) ||
             crosses(begin_seen.x - end.x, begin_seen.y - end.y, behind, ahead, to.size());
    }

    SCREE_HD RingInterval interval(const StarRuns& runs, int side, std::uint32_t region) const {
      const std::uint32_t nodes = (side == 0 ? a_ : b_).nodes();
      NodeRun of_region[StarRuns::kMost];
      std::uint32_t count = 0;
      runs.for_runs(side, region, [&](const StarRun& run) { of_region[count++] = run.nodes(); });
      if (count == 1) return ring_interval(of_region[0], nodes);
      return ring_interval(hull(of_region, count, nodes), nodes);
    }

    /// The deepest node of a side, the lowest of equally deep ones.
    struct Deepest {
      std::uint32_t node = device::kNone;
      PointHit hit{0, 0, 0, 0};
    };
    SCREE_HD Deepest deepest(const StarRuns& runs, int number, const Side& side, std::uint32_t region,
                             float enough) const {
      Deepest best;
      const CoarseSide<BodySizes> coarse = side.coarse();
      runs.for_nodes(number, region, side.nodes(), [&](std::uint32_t node) {
        if (margin_ == 0 && coarse.depth_at_most(tables_, node) < enough) return;
        const PointHit hit = side.hit(side.seen(node));
        const bool deeper = best.node == device::kNone || hit.depth > best.hit.depth ||
                            (hit.depth == best.hit.depth && node < best.node);
        if (deeper) best = {node, hit};
      });
      return best;
    }
    SCREE_HD DeepNode of_side(int number, const Deepest& d) const {
      const Side& side = number == 0 ? a_ : b_;
      const PlanarPoint<double> p = side.own(d.node);
      return deep_node(number == 0 ? pose_a_ : pose_b_, number == 0 ? pose_b_ : pose_a_, side.size().own * p.x,
                       side.size().own * p.y, number, d.hit);
    }

    SCREE_HD DeepNode at_node(std::uint32_t node) const {
      const std::uint32_t side = node >> kSideBit, number = node & kNodeMask;
      const Side& of = side == 0 ? a_ : b_;
      return of_side(static_cast<int>(side), {number, of.hit(of.seen(number))});
    }
    /// The deeper of two nodes: the lower one where both are of one side and equally deep.
    static SCREE_HD DeepNode deeper_of(const DeepNode& s, std::uint32_t node_s, const DeepNode& t,
                                       std::uint32_t node_t) {
      if (s.side != t.side) return s.side == 0 ? deeper(s, t) : deeper(t, s);
      return s.depth > t.depth || (s.depth == t.depth && node_s < node_t) ? s : t;
    }
    SCREE_HD DeepNode deepest_of_all(const StarRuns& runs, std::uint32_t region, float enough) const {
      const Deepest on_a = deepest(runs, 0, a_, region, enough), on_b = deepest(runs, 1, b_, region, enough);
      return on_b.node == device::kNone   ? of_side(0, on_a)
             : on_a.node == device::kNone ? of_side(1, on_b)
                                          : deeper(of_side(0, on_a), of_side(1, on_b));
    }
    SCREE_HD DeepNode deepest_of(const StarRuns& runs, std::uint32_t region, const Choice& c) const {
      if (margin_ != 0 || !(c.third < c.enough)) return deepest_of_all(runs, region, c.enough);
      const DeepNode first = at_node(c.first.node);
      return c.second.depth < c.enough ? first : deeper_of(first, c.first.node, at_node(c.second.node), c.second.node);
    }
  };

 private:
  static SCREE_HD void lower(float& room, float bound) { room = bound < room ? bound : room; }

  /// The runs of a side, in ascending order of nodes.
  SCREE_HD bool search_side(const device::Warp& warp, const Search& s, int number, double margin,
                            const std::byte* tables, StarRuns& runs) const {
    const Side side = s.side(number, tables);
    const CoarseSide<BodySizes> coarse = side.coarse();
    const std::uint32_t nodes = side.nodes(), first_run = runs.begin(number), count = s.count[number];
    const std::uint32_t end = s.first[number] + count, wrapped = end > nodes ? end - nodes : 0;
    // What lies behind node 0 comes first.
    const auto node_of = [&](std::uint32_t k) { return k < wrapped ? k : s.first[number] + (k - wrapped); };
    device::Lane<float> room;
    warp.each([&](int lane) { room[lane] = runs.room; });
    StarRun run{0, 0};
    std::uint32_t found = 0;
    for (std::uint32_t begin = 0; begin < count; begin += device::kWarpSize) {
      device::Lane<bool> inside;
      warp.each([&](int lane) {
        const std::uint32_t k = begin + static_cast<std::uint32_t>(lane);
        inside[lane] = false;
        if (k >= count) return;
        if (margin != 0) {
          inside[lane] = side.touches(node_of(k), margin);
        } else {
          const typename Side::Place place = side.place(coarse, node_of(k));
          inside[lane] = place.inside;
          lower(room[lane], place.room);
        }
      });
      for (std::uint32_t bits = warp.ballot(inside); bits != 0;) {
        const std::uint32_t k = begin + device::lowest_bit(bits), node = node_of(k);
        std::uint32_t more = device::lowest_run(bits);
        if (k < wrapped && k + more > wrapped) more = wrapped - k;
        bits &= ~device::low_bits(k - begin + more);
        if (found > 0 && std::uint32_t{run.first} + run.count == node) {
          run.count = static_cast<std::uint16_t>(run.count + more);
        } else {
          if (found == StarRuns::kMost) return false;
          if (found > 0) write(warp, runs.run[first_run + found - 1], run);
          run = {static_cast<std::uint16_t>(node), static_cast<std::uint16_t>(more)};
          ++found;
        }
      }
    }
    if (found > 0) write(warp, runs.run[first_run + found - 1], run);
    const float least = warp.smallest(room);
    warp.each([&](int lane) {
      if (lane != 0) return;
      runs.room = least;
      runs.count[number] = static_cast<std::uint8_t>(found);
      close(runs, number, nodes);
    });
    warp.meet();
    return true;
  }
  static SCREE_HD void write(const device::Warp& warp, StarRun& to, const StarRun& run) {
    warp.each([&](int lane) {
      if (lane == 0) to = run;
    });
  }
  /// Joins the runs on both sides of node 0.
  static SCREE_HD void close(StarRuns& runs, int side, std::uint32_t nodes) {
    const std::uint32_t first = runs.begin(side), end = runs.end(side);
    if (end - first < 2) return;
    StarRun& tail = runs.run[end - 1];
    if (runs.run[first].first != 0 || std::uint32_t{tail.first} + tail.count != nodes) return;
    tail.count = static_cast<std::uint16_t>(tail.count + runs.run[first].count);
    for (std::uint32_t r = first + 1; r < end; ++r) runs.run[r - 1] = runs.run[r];
    --runs.count[side];
  }

  /// Numbers of nodes: behind that of their side.
  static constexpr std::uint32_t kSideBit = 16, kNodeMask = (1u << kSideBit) - 1;

  static SCREE_HD PlanarPose pose_of(const device::PlacedShape& body, const OutlineEntry& outline, double scale) {
    return planar_pose(body.x.x, body.x.y, body.q.w, body.q.z, scale * outline.centre_x, scale * outline.centre_y);
  }
  static SCREE_HD const OutlineEntry& outline_of(const device::PlacedShape& body, const std::byte* tables) {
    return reinterpret_cast<const OutlineEntry*>(tables)[body.shape];
  }
};
using StarPairs = StarPairsOf<UnitSizes>;
using SizedStarPairs = StarPairsOf<AnySizes>;

}  // namespace scree::star
