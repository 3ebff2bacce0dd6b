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
  keep_contacts();
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
      own.v[lane] = load_lanes(pose + segment.body[0]);
      other.v[lane] = load_lanes(pose + segment.body[1]);
      const double *nx = segment.own->x.data() + extremum.node, *ny = segment.own->y.data() + extremum.node;
      x.v[lane] = load_lanes(nx);
      y.v[lane] = load_lanes(ny);
      at_.x[4][i + lane] = nx[4];
      at_.y[4][i + lane] = ny[4];
      at_.direction[i + lane] = segment.side == 0 ? 1 : -1;
      at_.table[i + lane] = segment.field;
      at_.core[i + lane] = kCrushed * segment.other->r_min;
      at_.reach[i + lane] = node_reach(*segment.own, *segment.other);
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
    result_.sign[i] = term.sign;
    result_.nx[i] = c.nx;
    result_.ny[i] = c.ny;
    result_.px[i] = c.px;
    result_.py[i] = c.py;
    result_.energy[i] = c.energy;
    result_.force[i] = c.force;
    result_.nearest2[i] = nearest2(x, y);
    result_.middle2[i] = nearest2(x, y, 1, 4);
  }
}

inline bool ExtremalSweep::is_contact(std::size_t i) const {
  return (result_.sign[i] != 0) & (result_.overlap[i] > 0) & (result_.middle2[i] <= at_.reach[i] * at_.reach[i]);
}

inline bool ExtremalSweep::is_crushed(std::size_t i) const { return result_.nearest2[i] < at_.core[i] * at_.core[i]; }

/// Drops what is no contact after all: few, and most often none.
void ExtremalSweep::keep_contacts() {
  const std::size_t n = extrema_.size();
  std::int64_t contacts = 0, crushed = 0;
  for (std::size_t i = 0; i < n; ++i) contacts += is_contact(i) ? 1 : 0;
  for (std::size_t i = 0; i < n; ++i) crushed += is_crushed(i) ? 1 : 0;
  for (std::size_t i = 0; crushed != 0 && i < n; ++i)
    if (is_contact(i) && is_crushed(i)) throw_crushed_at(extrema_[i]);
  if (static_cast<std::size_t>(contacts) == n) return;
  Results& r = result_;
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (double* column : {r.overlap, r.nx, r.ny, r.px, r.py, r.energy, r.force, r.sign}) column[k] = column[i];
    extrema_[k] = extrema_[i];
    k += is_contact(i) ? 1 : 0;
  }
  extrema_.resize(k);
}

void ExtremalSweep::emit() {
  const std::size_t n = extrema_.size();
  const ContactBuffer::Rows rows = out_->extend(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Segment& segment = segments_[extrema_[i].segment];
    feature_ = segment.pair == last_pair_ ? feature_ + 1 : 0;
    last_pair_ = segment.pair;
    rows.pair[i] = segment.pair;
    rows.feature[i] = feature_;
    rows.payload[i] =
        pack_extremum({static_cast<int>(segment.side), result_.sign[i] < 0, segment.own->place[extrema_[i].node]});
  }
  std::copy_n(result_.overlap, n, rows.overlap);
  std::copy_n(result_.nx, n, rows.normal[0]);
  std::copy_n(result_.ny, n, rows.normal[1]);
  std::fill_n(rows.normal[2], n, 0.0);
  std::copy_n(result_.px, n, rows.point[0]);
  std::copy_n(result_.py, n, rows.point[1]);
  std::fill_n(rows.point[2], n, 0.0);
  std::copy_n(result_.energy, n, rows.energy_weight);
  std::copy_n(result_.force, n, rows.force_weight);
}

void ExtremalSweep::throw_crushed_at(const Extremum& extremum) const {
  const Segment& segment = segments_[extremum.segment];
  const Pair& pair = pairs_[segment.pair];
  throw_crushed(bodies_->row[pair.a].id, bodies_->row[pair.b].id, segment.side == 1, segment.other->r_min,
                segment.other->r_max);
}

}  // namespace scree::star
