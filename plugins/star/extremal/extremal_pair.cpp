#include "extremal/extremal_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::star {

void NodeDepths::resize(std::size_t nodes) {
  for (std::vector<double>* column : {&x, &y, &u, &gx, &gy, &rho}) column->resize(nodes);
}

namespace {

/// A sixteenth of the ring: contacts that are farther apart have nothing in common.
constexpr std::uint32_t kFarthest = 65536 / 16;

std::uint32_t ring_distance(std::uint16_t a, std::uint16_t b) {
  const auto ahead = static_cast<std::uint16_t>(a - b), behind = static_cast<std::uint16_t>(b - a);
  return std::min(ahead, behind);
}

/// Returns the distance between an old contact's node and a new one's, or more than kFarthest if they cannot be the
/// same.
std::uint32_t distance(std::uint64_t old_payload, std::uint64_t new_payload) {
  const ExtremumKey then = extremum_key(old_payload), now = extremum_key(new_payload);
  const bool alike = !then.minimum && !now.minimum && then.side == now.side;
  return alike ? ring_distance(then.place, now.place) : kFarthest + 1;
}

bool continued(const ContactMatch& m, std::size_t old) {
  return std::find(m.source, m.source + m.new_count, static_cast<std::int32_t>(old)) != m.source + m.new_count;
}

struct Bond {
  std::uint32_t distance = kFarthest + 1;
  std::size_t now = 0, old = 0;
};

/// The closest pair of an old and a new contact that nothing is decided about.
Bond closest_bond(const ContactMatch& m) {
  Bond best;
  for (std::size_t o = 0; o < m.old_count; ++o) {
    if (continued(m, o)) continue;
    for (std::size_t i = 0; i < m.new_count; ++i) {
      if (m.source[i] >= 0) continue;
      const std::uint32_t d = distance(m.old_payload[o], m.new_payload[i]);
      const bool tie = d == best.distance && d <= kFarthest;
      if (d < best.distance || (tie && m.old_feature[o] < m.old_feature[best.old])) best = {d, i, o};
    }
  }
  return best;
}

}  // namespace

void match_extrema(const ContactMatch& m) {
  std::fill_n(m.source, m.new_count, -1);
  for (Bond bond = closest_bond(m); bond.distance <= kFarthest; bond = closest_bond(m))
    m.source[bond.now] = static_cast<std::int32_t>(bond.old);
  for (std::size_t i = 0; i < m.new_count; ++i)
    m.new_feature[i] = m.source[i] < 0 ? unused_feature(m, i) : m.old_feature[m.source[i]];
}

namespace {

struct Stencil {
  double u[kStencil], gx[kStencil], gy[kStencil], x[kStencil], y[kStencil], rho[kStencil];

  Stencil(const NodeDepths& depths, std::uint32_t node, std::uint32_t nodes) {
    for (std::uint32_t j = 0; j < kStencil; ++j) {
      const std::size_t k = (node + 2 * nodes + j - 2) % nodes;
      u[j] = depths.u[k];
      gx[j] = depths.gx[k];
      gy[j] = depths.gy[k];
      x[j] = depths.x[k];
      y[j] = depths.y[k];
      rho[j] = depths.rho[k];
    }
  }
  SplineSegment<double> segment() const { return spline_segment(u); }
};

void push_term(const Stencil& at, const TermTarget& target, std::uint32_t node, std::uint32_t feature,
               ContactBuffer& out) {
  const SplineSegment<double> segment = at.segment();
  const double place = place_of(segment), sign = sign_of(segment);
  const PlanarPose& frame = target.frame;
  const DepthTerm<double> term = depth_term(depth_force(place, at.gx, at.gy, at.x, at.y), at.x[2], at.y[2]);
  const TermContact<double> c =
      contact_of<double>(term, sign, {frame.x, frame.y, frame.c, frame.s}, target.side == 0 ? 1 : -1, target.share);
  out.push(target.pair, segment.value(place), {c.nx, c.ny, 0}, {c.px, c.py, 0}, feature,
           pack_extremum({target.side, sign < 0, target.own.place[node]}));
  out.set_weights(c.energy, c.force);
}

/// The node of the lowest minimum, or `nodes`.
std::uint32_t lowest_minimum(const NodeDepths& depths, std::uint32_t nodes) {
  std::uint32_t lowest = nodes;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const SplineSegment<double> segment = Stencil(depths, i, nodes).segment();
    if (!segment.has_extremum() || segment.slope_in > 0) continue;
    const double value = segment.value(place_of(segment));
    if (value < least) least = value, lowest = i;
  }
  return lowest;
}

}  // namespace

std::uint32_t push_terms(NodeDepths& depths, const TermTarget& target, double margin, std::uint32_t feature,
                         ContactBuffer& out, std::span<const std::uint64_t> looked) {
  const auto n = static_cast<std::uint32_t>(target.own.nodes);
  const bool all_inside =
      looked.empty() && std::none_of(depths.u.begin(), depths.u.end(), [](double u) { return u <= 0; });
  const std::uint32_t left_out = all_inside ? lowest_minimum(depths, n) : n;
  depths.crushed = false;
  const auto next = [&](std::uint32_t i) { return looked.empty() ? i : next_node(looked, i, n, true); };
  for (std::uint32_t i = next(0); i < n; i = next(i + 1)) {
    const Stencil stencil(depths, i, n);
    const SplineSegment<double> segment = stencil.segment();
    if (i == left_out || !segment.has_extremum() || !(segment.value(place_of(segment)) > -margin)) continue;
    if (least(stencil.rho, 1, 4) > depths.reach) continue;
    depths.crushed = depths.crushed || least(stencil.rho) < depths.core;
    push_term(stencil, target, i, feature++, out);
  }
  return feature;
}

void check_centres(const ExtremalPair& pair) {
  for (int side = 0; side < 2; ++side) {
    const ExtremalOutline& other = *pair.outline[1 - side];
    const RelativePose pose = relative_pose(pair.pose[side], pair.pose[1 - side]);
    if (pose.x * pose.x + pose.y * pose.y >= other.r_max * other.r_max) continue;
    if (field_depth(other.field.data(), pose.x, pose.y, field_place(pose.x, pose.y)).u > 0)
      throw_crushed(pair.id[0], pair.id[1], side == 0, pair.outline[side]->r_min, pair.outline[side]->r_max);
  }
}

void plain_extrema(const ExtremalPair& pair, double margin, NodeDepths& scratch, ContactBuffer& out) {
  const double dx = pair.pose[1].x - pair.pose[0].x, dy = pair.pose[1].y - pair.pose[0].y;
  const double reach = contact_reach(*pair.outline[0], *pair.outline[1]) + margin;
  if (dx * dx + dy * dy > reach * reach) return;
  check_centres(pair);
  std::uint32_t feature = 0;
  for (int side = 0; side < 2; ++side) {
    const ExtremalOutline &own = *pair.outline[side], &other = *pair.outline[1 - side];
    const RelativePose pose = relative_pose(pair.pose[side], pair.pose[1 - side]);
    const auto n = static_cast<std::size_t>(own.nodes);
    scratch.resize(n);
    scratch.core = kCrushed * other.r_min;
    scratch.reach = node_reach(own, other) + margin;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t k = i + ExtremalOutline::kBefore;
      const PlanarPoint<double> p = transform(pose, own.x[k], own.y[k]);
      const FieldPlace<double> place = field_place(p.x, p.y);
      const Depth<double> depth = field_depth(other.field.data(), p.x, p.y, place);
      scratch.x[i] = p.x;
      scratch.y[i] = p.y;
      scratch.u[i] = depth.u;
      scratch.gx[i] = depth.gx;
      scratch.gy[i] = depth.gy;
      scratch.rho[i] = place.rho;
    }
    feature = push_terms(scratch, {pair.index, side, own, pair.pose[1 - side], 0.5}, margin, feature, out);
    if (scratch.crushed) throw_crushed(pair.id[0], pair.id[1], side == 1, other.r_min, other.r_max);
  }
}

}  // namespace scree::star
