/// \file The last stage of the extremal sweep: nodes that may carry an extremum, in double precision.

#include <algorithm>

#include "extremal_sweep.hpp"
#include "scree/base/lanes.hpp"

namespace scree::star {

void ExtremalSweep::finish_extrema() {
  if (extrema_.empty()) return;
  place_stencils();
  evaluate_nodes();
  evaluate_terms();
  emit();
  extrema_.clear();
}

/// Four extrema at a time: their bodies' poses and the first four nodes of their stencils are loaded as rows and turned
/// into columns in registers.
void ExtremalSweep::place_stencils() {
  static_assert(kStencil == 5);
  const PlanarPose* pose = pose_.data();
  // Whole groups of eight are evaluated: the last extremum stands for those behind it.
  const std::size_t count = extrema_.size(), padded = (count + 7) / 8 * 8;
  for (std::size_t i = 0; i < padded; i += 4) {
    LaneBlock own, other, x, y;
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const Extremum& extremum = extrema_[std::min(i + lane, count - 1)];
      const Segment& segment = segments_[extremum.segment];
      const Active& active = actives_[segment.active];
      const ExtremalOutline &inner = *active.outline[segment.side], &outer = *active.outline[1 - segment.side];
      own.v[lane] = load_lanes(pose + active.body[segment.side]);
      other.v[lane] = load_lanes(pose + active.body[1 - segment.side]);
      const double *nx = inner.x.data() + extremum.node, *ny = inner.y.data() + extremum.node;
      x.v[lane] = load_lanes(nx);
      y.v[lane] = load_lanes(ny);
      at_.x[4][i + lane] = nx[4];
      at_.y[4][i + lane] = ny[4];
      at_.direction[i + lane] = segment.side == 0 ? 1 : -1;
      at_.table[i + lane] = active.field[1 - segment.side];
      at_.core[i + lane] = kCrushed * outer.r_min;
      at_.reach[i + lane] = node_reach(inner, outer);
    }
    const LaneBlock of_x = transposed(x), of_y = transposed(y);
    for (std::size_t j = 0; j < 4; ++j) {
      store_lanes(at_.x[j] + i, of_x.v[j]);
      store_lanes(at_.y[j] + i, of_y.v[j]);
    }
    const auto [ox, oy, oc, os] = transposed(own).v;
    const auto [px, py, pc, ps] = transposed(other).v;
    const Lanes dx = ox - px, dy = oy - py;  // relative_pose(own, other)
    store_lanes(at_.pose_x + i, pc * dx + ps * dy);
    store_lanes(at_.pose_y + i, pc * dy - ps * dx);
    store_lanes(at_.pose_c + i, oc * pc + os * ps);
    store_lanes(at_.pose_s + i, os * pc - oc * ps);
    store_lanes(at_.frame_x + i, px);
    store_lanes(at_.frame_y + i, py);
    store_lanes(at_.frame_c + i, pc);
    store_lanes(at_.frame_s + i, ps);
  }
}

void ExtremalSweep::evaluate_nodes() {
  for (int j = 0; j < kStencil; ++j)
    kernels::node_depths(static_cast<std::uint32_t>(extrema_.size()), shapes_->fields.data(),
                         {at_.x[j], at_.y[j], at_.u[j], at_.gx[j], at_.gy[j], at_.rho[j], at_.pose_x, at_.pose_y,
                          at_.pose_c, at_.pose_s, at_.table});
}

void ExtremalSweep::evaluate_terms() {
  const std::size_t n = extrema_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = [i](const double(&column)[kStencil][kStride], double(&of)[kStencil]) {
      for (int j = 0; j < kStencil; ++j) of[j] = column[j][i];
    };
    double u[kStencil], gx[kStencil], gy[kStencil], x[kStencil], y[kStencil];
    row(at_.u, u), row(at_.gx, gx), row(at_.gy, gy), row(at_.x, x), row(at_.y, y);
    const DepthTerm term = depth_term(u, gx, gy, x, y);
    const TermContact c =
        contact_of(term, {at_.frame_x[i], at_.frame_y[i], at_.frame_c[i], at_.frame_s[i]}, at_.direction[i], 0.5);
    result_.overlap[i] = term.value;
    result_.nx[i] = c.nx;
    result_.ny[i] = c.ny;
    result_.px[i] = c.px;
    result_.py[i] = c.py;
    result_.energy[i] = c.energy;
    result_.force[i] = c.force;
    result_.sign[i] = term.sign;
    result_.nearest2[i] = nearest2(x, y);
    result_.middle2[i] = nearest2(x, y, 1, 4);
  }
  // Nested choices, since a compiler makes them of masks.
  for (std::size_t i = 0; i < n; ++i) {
    const double near = result_.middle2[i] <= at_.reach[i] * at_.reach[i] ? 1.0 : 0.0;
    const double inside = result_.overlap[i] > 0 ? near : 0.0, contact = result_.sign[i] != 0 ? inside : 0.0;
    result_.contact[i] = contact;
    result_.crushed[i] = result_.nearest2[i] < at_.core[i] * at_.core[i] ? contact : 0.0;
  }
}

/// Leaves out what is no contact after all: few.
void ExtremalSweep::emit() {
  const auto n = static_cast<std::uint32_t>(extrema_.size());
  for (std::uint32_t i = 0; i < n; ++i)
    if (result_.crushed[i] != 0) throw_crushed_at(extrema_[i]);
  std::uint8_t kept[kExtrema / 8];
  const std::uint32_t count = kernels::mark(n, result_.contact, kept);
  const ContactBuffer::Rows rows = out_->extend(count);
  const auto copy = [&](const double* from, double* to) { kernels::copy_marked(n, kept, from, to); };
  copy(result_.overlap, rows.overlap);
  copy(result_.nx, rows.normal[0]);
  copy(result_.ny, rows.normal[1]);
  std::fill_n(rows.normal[2], count, 0.0);
  copy(result_.px, rows.point[0]);
  copy(result_.py, rows.point[1]);
  std::fill_n(rows.point[2], count, 0.0);
  copy(result_.energy, rows.energy_weight);
  copy(result_.force, rows.force_weight);
  for (std::uint32_t i = 0, k = 0; i < n; ++i) {  // branch-free: a dropped one is overwritten by the next
    extrema_[k] = extrema_[i];
    k += result_.contact[i] != 0 ? 1 : 0;
  }
  std::uint32_t feature = feature_, last_pair = last_pair_;
  for (std::uint32_t k = 0; k < count; ++k) {
    const Segment& segment = segments_[extrema_[k].segment];
    const Active& active = actives_[segment.active];
    feature = active.pair == last_pair ? feature + 1 : 0;
    last_pair = active.pair;
    rows.pair[k] = last_pair;
    rows.feature[k] = feature;
    rows.payload[k] = pack_extremum({static_cast<int>(segment.side), rows.energy_weight[k] < 0,
                                     active.outline[segment.side]->place[extrema_[k].node]});
  }
  feature_ = feature;
  last_pair_ = last_pair;
}

void ExtremalSweep::throw_crushed_at(const Extremum& extremum) const {
  const Segment& segment = segments_[extremum.segment];
  const Active& active = actives_[segment.active];
  const ExtremalOutline& outer = *active.outline[1 - segment.side];
  throw_crushed(bodies_->row[active.body[0]].id, bodies_->row[active.body[1]].id, segment.side == 1, outer.r_min,
                outer.r_max);
}

}  // namespace scree::star
