/// \file The last stage of the extremal sweep: nodes that may carry an extremum, in double precision.

#include <algorithm>

#include "extremal/extremal_sweep.hpp"

namespace scree::star {

/// Evaluates the first of those listed.
void ExtremalSweep::finish_extrema(std::uint32_t count) {
  if (count == 0) return;
  const std::uint32_t groups = (count + kOctet - 1) / kOctet;
  // One short loop after the other: a processor looks ahead over some groups of one stage, but hardly over one of all.
  for (std::uint32_t i = 0; i < groups; ++i) place_stencils(i, count);
  for (std::uint32_t i = 0; i < groups; ++i) place_nodes(group_[i]);
  for (std::uint32_t i = 0; i < groups; ++i) find_knots(group_[i]);
  for (std::uint32_t i = 0; i < groups; ++i) evaluate_nodes(group_[i]);
  const ContactBuffer::Rows rows = out_->extend(groups * kOctet);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < groups; ++i) {
    const std::uint32_t crushed = decide(group_[i], kept, rows.overlap);
    if (crushed != 0) throw_crushed_at(extrema_[i * kOctet + static_cast<std::uint32_t>(std::countr_zero(crushed))]);
    kept += static_cast<std::uint32_t>(std::popcount(group_[i].kept));
  }
  for (std::uint32_t i = 0; i < groups; ++i) sum_forces(group_[i]);
  for (std::uint32_t i = 0; i < groups; ++i) emit_columns(group_[i], rows);
  for (std::uint32_t i = 0; i < groups; ++i) emit_names(i, rows);
  std::fill_n(rows.normal[2], kept, 0.0);
  std::fill_n(rows.point[2], kept, 0.0);
  out_->drop(groups * kOctet - kept);
  std::copy(extrema_.begin() + count, extrema_.begin() + listed_, extrema_.begin());
  listed_ -= count;
}

/// Bodies' poses and the first four nodes of the stencils are loaded as rows and turned into columns in registers.
void ExtremalSweep::place_stencils(std::uint32_t index, std::uint32_t extrema) {
  static_assert(kStencil == 5);
  Group& group = group_[index];
  group.present = (2u << (std::min(extrema - index * kOctet, kOctet) - 1)) - 1;
  Lanes own[kOctet], other[kOctet], x[kOctet], y[kOctet];
#pragma GCC unroll 8
  for (std::uint32_t lane = 0; lane < kOctet; ++lane) {
    // The last extremum stands for those behind it.
    const Extremum& extremum = extrema_[std::min(index * kOctet + lane, extrema - 1)];
    const Pair& pair = pairs_[extremum.pair];
    const bool of_b = extremum.nodes.side != 0;
    const Body &inner = body_[of_b ? pair.b : pair.a], &outer = body_[of_b ? pair.a : pair.b];
    own[lane] = load_lanes(&inner.pose);
    other[lane] = load_lanes(&outer.pose);
    const double *nx = inner.x + extremum.nodes.first, *ny = inner.y + extremum.nodes.first;
    x[lane] = load_lanes(nx);
    y[lane] = load_lanes(ny);
    group.x[4][lane] = nx[4];
    group.y[4][lane] = ny[4];
    group.direction[lane] = of_b ? -1 : 1;
    group.table[lane] = outer.field;
    group.ring[lane] = inner.outline->place[extremum.nodes.first];
    group.core[lane] = kCrushed * outer.outline->r_min;
    group.reach[lane] = node_reach(*inner.outline, *outer.outline);
  }
  const auto [ox, oy, oc, os] = columns_of(own).v;
  const auto [px, py, pc, ps] = columns_of(other).v;
  const Octet dx = ox - px, dy = oy - py;  // relative_pose(own, other)
  group.pose[0] = pc * dx + ps * dy;
  group.pose[1] = pc * dy - ps * dx;
  group.pose[2] = oc * pc + os * ps;
  group.pose[3] = os * pc - oc * ps;
  group.frame[0] = px, group.frame[1] = py, group.frame[2] = pc, group.frame[3] = ps;
  const OctetColumns of_x = columns_of(x), of_y = columns_of(y);
  for (int j = 0; j < 4; ++j) {
    store_lanes(group.x[j], of_x.v[j]);
    store_lanes(group.y[j], of_y.v[j]);
  }
}

/// Until find_knots(), u holds the rough 1/rho.
void ExtremalSweep::place_nodes(Group& group) {
  const Octet px = group.pose[0], py = group.pose[1], c = group.pose[2], s = group.pose[3];
  for (int j = 0; j < kStencil; ++j) {
    const Octet nx = load_octet(group.x[j]), ny = load_octet(group.y[j]);
    const Octet x = px + (c * nx - s * ny), y = py + (s * nx + c * ny);
    store_lanes(group.x[j], x);
    store_lanes(group.y[j], y);
    store_lanes(group.u[j], rough_inverse_root(field_rho2(x, y)));
  }
}

/// Until evaluate_nodes(), u and gx hold the place in the cell and 1/rho.
void ExtremalSweep::find_knots(Group& group) {
  const auto table = load_as<OctetInt>(group.table);
  for (int j = 0; j < kStencil; ++j) {
    const Octet x = load_octet(group.x[j]), y = load_octet(group.y[j]);
    const FieldPlace<Octet> place = field_place(x, y, field_rho2(x, y), load_octet(group.u[j]));
    const OctetInt cell = whole_part(place.position), knot = table + cell;
    store_lanes(group.u[j], place.position - as_real(cell));
    store_lanes(group.rho[j], place.rho);
    store_lanes(group.gx[j], place.inverse);
    store_lanes(group.knot[j], knot);
  }
}

void ExtremalSweep::evaluate_nodes(Group& group) const {
  for (int j = 0; j < kStencil; ++j) {
    const KnotOctets knots = kernels::load_knots(shapes_->fields.data(), group.knot[j]);
    const Depth<Octet> depth = field_depth(knots.a, knots.w, load_octet(group.u[j]), load_octet(group.x[j]),
                                           load_octet(group.y[j]), load_octet(group.rho[j]), load_octet(group.gx[j]));
    store_lanes(group.u[j], depth.u);
    store_lanes(group.gx[j], depth.gx);
    store_lanes(group.gy[j], depth.gy);
  }
}

namespace {

using Columns = double[kStencil][8];

struct StencilOctets {
  Octet v[kStencil];
  explicit StencilOctets(const Columns& columns) {
    for (int j = 0; j < kStencil; ++j) v[j] = load_octet(columns[j]);
  }
};

}  // namespace

/// Decides which of a group are contacts: nearly all are. \return bits of those with a node in the other's core
std::uint32_t ExtremalSweep::decide(Group& group, std::uint32_t row, double* overlap) {
  const SplineSegment<Octet> segment = spline_segment(StencilOctets(group.u).v);
  group.place = place_of(segment);
  group.sign = sign_of(segment);
  const Octet value = segment.value(group.place);
  const StencilOctets rho(group.rho);
  const auto contact = segment.has_extremum() & (value > 0) & (least(rho.v, 1, 4) <= load_octet(group.reach));
  group.row = row;
  group.kept = lanes_set(contact) & group.present;
  group.minima = lanes_set(group.sign < 0);
  kernels::store_marked(group.kept, value, overlap + row);
  return lanes_set(least(rho.v) < load_octet(group.core)) & group.kept;
}

void ExtremalSweep::sum_forces(Group& group) {
  const StencilOctets gx(group.gx), gy(group.gy), x(group.x), y(group.y);
  group.force = depth_force(group.place, gx.v, gy.v, x.v, y.v);
}

void ExtremalSweep::emit_columns(const Group& group, const ContactBuffer::Rows& rows) {
  const DepthTerm<Octet> term = depth_term(group.force, load_octet(group.x[2]), load_octet(group.y[2]));
  const TermContact<Octet> c = contact_of(term, group.sign, group.frame, load_octet(group.direction), 0.5);
  const auto put = [&](const Octet& v, double* column) { kernels::store_marked(group.kept, v, column + group.row); };
  put(c.nx, rows.normal[0]);
  put(c.ny, rows.normal[1]);
  put(c.px, rows.point[0]);
  put(c.py, rows.point[1]);
  put(c.energy, rows.energy_weight);
  put(c.force, rows.force_weight);
}

/// Writes the features and payloads that distinguish contacts.
void ExtremalSweep::emit_names(std::uint32_t index, const ContactBuffer::Rows& rows) {
  const Group& group = group_[index];
  std::uint32_t feature = feature_, last_pair = last_pair_, row = group.row;
  for (std::uint32_t lane = 0; lane < kOctet; ++lane) {  // branch-free: a dropped one is overwritten by the next
    const Extremum& extremum = extrema_[index * kOctet + lane];
    const std::uint32_t keep = group.kept >> lane & 1;
    const std::uint32_t next = extremum.pair == last_pair ? feature + 1 : 0;
    rows.pair[row] = extremum.pair;
    rows.feature[row] = next;
    rows.payload[row] = pack_extremum({extremum.nodes.side, (group.minima >> lane & 1) != 0, group.ring[lane]});
    feature = keep != 0 ? next : feature;
    last_pair = keep != 0 ? extremum.pair : last_pair;
    row += keep;
  }
  feature_ = feature;
  last_pair_ = last_pair;
}

void ExtremalSweep::throw_crushed_at(const Extremum& extremum) const {
  const Pair& pair = pairs_[extremum.pair];
  const bool of_b = extremum.nodes.side != 0;
  const ExtremalOutline& outer = *body_[of_b ? pair.a : pair.b].outline;
  throw_crushed(bodies_->row[pair.a].id, bodies_->row[pair.b].id, of_b, outer.r_min, outer.r_max);
}

}  // namespace scree::star
