/// \file The last stage of the fast path: nodes that may be the deepest of their region, in double precision.

#include <algorithm>

#include "scree/base/lanes.hpp"
#include "sweep.hpp"

namespace scree::star {

namespace {

/// In place of an outline's table where it has none.
constexpr RadialSample<double> kNoTable[2] = {};

// Plain loops over columns: the compiler makes them as wide as it may.

void pseudo_angles(std::size_t n, const double* __restrict x, const double* __restrict y, double* __restrict angle) {
  for (std::size_t i = 0; i < n; ++i) angle[i] = pseudo_angle(x[i], y[i]);
}

/// Where lookup() reads: the cell and how far into it.
void find_cells(std::size_t n, const double* __restrict angle, const double* __restrict cells_per_unit,
                std::int32_t* __restrict cell, double* __restrict t) {
  for (std::size_t i = 0; i < n; ++i) {
    const double position = angle[i] * cells_per_unit[i];
    cell[i] = static_cast<std::int32_t>(position);
    t[i] = position - static_cast<double>(cell[i]);
  }
}

bool any_nearer(std::size_t n, const double* __restrict x, const double* __restrict y, double distance) {
  std::int64_t any = 0;
  for (std::size_t i = 0; i < n; ++i) any |= x[i] * x[i] + y[i] * y[i] < distance * distance ? 1 : 0;
  return any != 0;
}

void point_hits(std::size_t n, const double* __restrict x, const double* __restrict y, const double* __restrict r,
                const double* __restrict slope, const double* __restrict c, const double* __restrict s,
                double* __restrict depth, double* __restrict nx, double* __restrict ny, double* __restrict rho) {
  for (std::size_t i = 0; i < n; ++i) {
    const PointHit hit = point_hit(x[i], y[i], {r[i], slope[i]});
    depth[i] = hit.depth;
    nx[i] = c[i] * hit.nx - s[i] * hit.ny;
    ny[i] = s[i] * hit.nx + c[i] * hit.ny;
    rho[i] = hit.rho;
  }
}

}  // namespace

void Sweep::pick_deep() {
  const float absolute = 2 * outlines_->sign_error;
  for (std::uint32_t i = 0; i < regions_; ++i) {
    Region& region = region_[i];
    const Active& active = active_[region.active];
    const float relative = 2 * std::max(active.outline[0]->depth_error, active.outline[1]->depth_error);
    region.picked = kernels::pick(item_depth_ + region.item[0], region.nodes[0], item_depth_ + region.item[1],
                                  region.nodes[1], relative, absolute);
  }
}

void Sweep::list_deep() {
  static_assert(kLanes == 16);
  for (std::uint32_t i = 0; i < regions_; ++i) {
    Region& region = region_[i];
    region.first = deeps_;
    for (std::uint32_t rest = region.picked; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest)), side = bit / 16;
      deep_[deeps_++] = {region.active, region.node[side] + bit % 16, side};
    }
    for (std::uint32_t k = region.listed; k < region.listed_end; ++k) deep_[deeps_++] = listed_[k];
    region.count = deeps_ - region.first;
  }
}

/// Four nodes at a time: their bodies' poses are loaded as rows and turned into columns in registers.
void Sweep::place_deep() {
  const PlanarPose* pose = pose_.data();
  for (std::uint32_t i = 0; i < deeps_; i += 4) {
    LaneBlock own, other;
    Lanes x, y, sign;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      Deep& deep = deep_[std::min(i + lane, deeps_ - 1)];  // the last node stands for those behind it
      const Active& active = active_[deep.active];
      const Outline &inner = *active.outline[deep.side], &outer = *active.outline[1 - deep.side];
      const std::uint32_t node = deep.node = modulo(deep.node, inner.nodes);
      own.v[lane] = load_lanes(pose + active.body[deep.side]);
      other.v[lane] = load_lanes(pose + active.body[1 - deep.side]);
      x[lane] = inner.x[node];
      y[lane] = inner.y[node];
      sign[lane] = deep.side == 0 ? -1 : 1;
      at_.table[i + lane] = outer.table.empty() ? kNoTable : outer.table.data();
      at_.cells_per_unit[i + lane] = outer.cells_per_unit;
    }
    const auto [ox, oy, oc, os] = transposed(own).v;
    const auto [px, py, pc, ps] = transposed(other).v;
    // relative_pose(own, other), transform() and own's transform().
    const Lanes dx = ox - px, dy = oy - py, c = oc * pc + os * ps, s = os * pc - oc * ps;
    store_lanes(at_.x + i, (pc * dx + ps * dy) + (c * x - s * y));
    store_lanes(at_.y + i, (pc * dy - ps * dx) + (s * x + c * y));
    store_lanes(at_.world_x + i, ox + (oc * x - os * y));
    store_lanes(at_.world_y + i, oy + (os * x + oc * y));
    store_lanes(at_.c + i, sign * pc);
    store_lanes(at_.s + i, sign * ps);
  }
}

void Sweep::evaluate_deep() {
  const std::size_t n = deeps_;
  counts_.deep += n;
  pseudo_angles(n, at_.x, at_.y, at_.angle);
  find_cells(n, at_.angle, at_.cells_per_unit, at_.cell, at_.t);
  // The table lies in a farther cache: ask for all rows before the first one is needed.
  for (std::size_t i = 0; i < n; ++i) __builtin_prefetch(at_.table[i] + at_.cell[i]);
  crushed_ = any_nearer(n, at_.x, at_.y, 1.01 * kCrushed * outlines_->largest_r_min);  // choose_deepest() looks closer
  look_up();
  for (std::size_t i = 0; outlines_->tables_missing && i < n; ++i) {
    const Outline& other = *active_[deep_[i].active].outline[1 - deep_[i].side];
    if (!other.table.empty()) continue;
    const RadialSample<double> sample = other.sample(at_.x[i], at_.y[i]);
    at_.r[i] = sample.r;
    at_.slope[i] = sample.slope;
  }
  point_hits(n, at_.x, at_.y, at_.r, at_.slope, at_.c, at_.s, at_.depth, at_.nx, at_.ny, at_.rho);
}

/// lookup() of all nodes: the two samples that a node lies between are one row of four numbers.
void Sweep::look_up() {
  for (std::uint32_t i = 0; i < deeps_; i += 4) {
    LaneBlock rows;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      const std::uint32_t k = std::min(i + lane, deeps_ - 1);
      rows.v[lane] = load_lanes(at_.table[k] + at_.cell[k]);
    }
    const auto [r, slope, next_r, next_slope] = transposed(rows).v;
    const Lanes t = load_lanes(at_.t + i);
    store_lanes(at_.r + i, r + t * (next_r - r));
    store_lanes(at_.slope + i, slope + t * (next_slope - slope));
  }
}

inline DeepNode Sweep::deep_node_at(std::uint32_t i) const {
  const int side = static_cast<int>(deep_[i].side);
  return {at_.depth[i], at_.nx[i], at_.ny[i], at_.world_x[i], at_.world_y[i], at_.rho[i], side};
}

/// The deepest of several. When both sides have one, the first of them becomes their mean.
std::uint32_t Sweep::deepest_of(const Region& region) {
  std::uint32_t best = region.first, twin = best;
  for (std::uint32_t i = region.first + 1; i < region.first + region.count; ++i) {
    const bool tie = at_.depth[i] == at_.depth[best];
    if (tie && deep_[i].side != deep_[best].side && twin == best) twin = i;
    const bool better = at_.depth[i] > at_.depth[best] ||
                        (tie && deep_[i].side == deep_[best].side && deep_[i].node < deep_[best].node);
    if (better) best = twin = i;
  }
  if (twin == best) return best;
  for (std::uint32_t i = twin; i < region.first + region.count; ++i) {
    const bool other_side = deep_[i].side != deep_[best].side && at_.depth[i] == at_.depth[best];
    if (other_side && deep_[i].node < deep_[twin].node) twin = i;
  }
  const bool best_is_a = deep_[best].side == 0;
  const DeepNode mean = tied(deep_node_at(best_is_a ? best : twin), deep_node_at(best_is_a ? twin : best));
  at_.nx[best] = mean.nx;
  at_.ny[best] = mean.ny;
  at_.world_x[best] = mean.px;
  at_.world_y[best] = mean.py;
  return best;
}

void Sweep::choose_deepest() {
  for (std::uint32_t i = 0; i < regions_; ++i)
    region_[i].deepest = region_[i].count > 1 ? deepest_of(region_[i]) : region_[i].first;
  for (std::uint32_t i = 0; crushed_ && i < regions_; ++i) {
    if (region_[i].count == 0) continue;
    const DeepNode contact = deep_node_at(region_[i].deepest);
    const Active& active = active_[region_[i].active];
    if (is_crushed(contact, *active.outline[1 - contact.side])) throw_crushed(star_pair(active), 1 - contact.side);
  }
}

void Sweep::emit() {
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < regions_; ++i) {
    if (region_[i].count != 0) continue;
    emit_regions(begin, i);
    ++counts_.reference;
    plain_contacts(star_pair(active_[region_[i].active]), *options_, 0, plain_, *out_);
    begin = i + 1;
  }
  emit_regions(begin, regions_);
}

void Sweep::emit_regions(std::uint32_t begin, std::uint32_t end) {
  const ContactBuffer::Rows rows = out_->extend(end - begin);
  for (std::uint32_t i = begin; i < end; ++i) {
    const Region& region = region_[i];
    const std::uint32_t row = i - begin, k = region.deepest;
    rows.pair[row] = active_[region.active].pair;
    rows.feature[row] = region.feature;
    rows.payload[row] = region.payload;
    rows.overlap[row] = at_.depth[k];
    rows.normal[0][row] = at_.nx[k];
    rows.normal[1][row] = at_.ny[k];
    rows.point[0][row] = at_.world_x[k];
    rows.point[1][row] = at_.world_y[k];
  }
  std::fill_n(rows.normal[2], end - begin, 0.0);
  std::fill_n(rows.point[2], end - begin, 0.0);
}

}  // namespace scree::star
