/// \file The last stage of the fast path: nodes that may be the deepest of their region, in double precision.

#include <algorithm>

#include "scree/base/lanes.hpp"
#include "taubin/sweep.hpp"

namespace scree::star {

namespace {

/// Table that is read if an outline has none.
constexpr RadialSample<double> kNoTable[2] = {};

const RadialSample<double>* table_of(const Outline& outline) {
  return outline.table.empty() ? kNoTable : outline.table.data();
}

// Plain loops over columns: the compiler makes them as wide as it may.

void pseudo_angles(std::size_t n, const double* __restrict x, const double* __restrict y, double* __restrict angle) {
  for (std::size_t i = 0; i < n; ++i) angle[i] = pseudo_angle(x[i], y[i]);
}

/// Finds the places that lookup() reads: the cell and how far into it.
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
  float absolute = 2 * sign_error_;
  const float relative = 2 * outlines_->depth_error;
  for (std::uint32_t i = 0; i < regions_; ++i) {
    const SimpleRegion& runs = region_[i].runs;
    const Active& active = active_[region_[i].active];
    const float* depth = item_depth_ + active.item[0];
    if (sized_) absolute = 2 * doubt(active);
    picked_[i] =
        kernels::pick(depth + runs.item[0], runs.count[0], depth + runs.item[1], runs.count[1], relative, absolute);
  }
}

/// The first pick of every region, in its place; regions with more are noted in rivals_, without branches.
void Sweep::list_deep() {
  static_assert(kLanes == 16);
  for (std::uint32_t i = 0; i < regions_; ++i) {
    const Region& region = region_[i];
    const std::uint32_t picked = picked_[i];
    if (picked != 0) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(picked)), side = bit / 16;
      add_deep(i, region.active, side, region.runs.node[side] + bit % 16);
    } else {  // no simple region; a pair for the plain path gets any node
      const ListedNode node = region.plain() ? ListedNode{} : listed_[region.listed];
      add_deep(i, region.active, node.side, node.node);
    }
    rivals_[rivalries_] = {i, picked & (picked - 1), 0, 0};
    rivalries_ += (picked & (picked - 1)) != 0 || region.listed_end > region.listed + 1 ? 1 : 0;
  }
  deeps_ = regions_;
  list_rivals();
}

void Sweep::list_rivals() {
  for (std::uint32_t k = 0; k < rivalries_; ++k) {
    Rivals& rivals = rivals_[k];
    const Region& region = region_[rivals.region];
    rivals.begin = deeps_;
    for (std::uint32_t rest = rivals.picked; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest)), side = bit / 16;
      add_deep(deeps_++, region.active, side, region.runs.node[side] + bit % 16);
    }
    for (std::uint32_t l = region.listed + 1; l < region.listed_end; ++l)
      add_deep(deeps_++, region.active, listed_[l].side, listed_[l].node);
    rivals.end = deeps_;
  }
}

inline void Sweep::add_deep(std::uint32_t at, std::uint32_t index, std::uint32_t side, std::uint32_t node) {
  const Active& active = active_[index];
  deep_[at] = {active.outline[side]->points.data() + node, active.body[side], active.body[1 - side], index, side, node};
  at_.sign[at] = side == 0 ? -1 : 1;
  if (!mixed_) return;
  const Outline& other = *active.outline[1 - side];
  at_.table[at] = table_of(other);
  at_.cells_per_unit[at] = other.cells_per_unit;
}

/// Four nodes at a time: nodes and their bodies' poses are loaded as rows and turned into columns in registers.
void Sweep::place_deep() {
  const PlanarPose* pose = pose_.data();
  if (!mixed_ && deeps_ > 0) {
    const Outline& outline = *active_[0].outline[0];
    std::fill_n(at_.table, deeps_, table_of(outline));
    std::fill_n(at_.cells_per_unit, deeps_, outline.cells_per_unit);
  }
  for (std::uint32_t i = deeps_; i % 4 != 0; ++i) {  // the last node stands for those behind it
    deep_[i] = deep_[deeps_ - 1];
    at_.sign[i] = at_.sign[deeps_ - 1];
  }
  for (std::uint32_t i = 0; i < deeps_; i += 4) {
    const Deep* deep = deep_ + i;
    LaneBlock own, other;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      own.v[lane] = load_lanes(pose + deep[lane].own);
      other.v[lane] = load_lanes(pose + deep[lane].other);
    }
    const auto points = [&](std::uint32_t k, std::uint32_t l) {
      const auto p = load_as<DoublePair>(deep[k].point), q = load_as<DoublePair>(deep[l].point);
      return __builtin_shufflevector(p, q, 0, 1, 2, 3);
    };
    const Lanes even = points(0, 2), odd = points(1, 3), sign = load_lanes(at_.sign + i);
    Lanes x = __builtin_shufflevector(even, odd, 0, 4, 2, 6), y = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
    if (sized_) {
      const double* scale = bodies_->scale;
      const Lanes size = {scale[deep[0].own], scale[deep[1].own], scale[deep[2].own], scale[deep[3].own]};
      x *= size, y *= size;
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
  for (std::size_t i = 0; sized_ && i < n; ++i) {
    const double size = bodies_->scale[deep_[i].other];
    at_.x[i] /= size, at_.y[i] /= size;
  }
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
  for (std::size_t i = 0; sized_ && i < n; ++i) at_.depth[i] *= bodies_->scale[deep_[i].other];
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
std::uint32_t Sweep::deepest_of(const Rivals& rivals) {
  const auto node = [&](std::uint32_t i) {
    return modulo(deep_[i].node, active_[deep_[i].active].outline[deep_[i].side]->nodes);
  };
  std::uint32_t best = rivals.region, twin = best;
  for (std::uint32_t i = rivals.begin; i < rivals.end; ++i) {
    const bool tie = at_.depth[i] == at_.depth[best];
    if (tie && deep_[i].side != deep_[best].side && twin == best) twin = i;
    const bool first = tie && deep_[i].side == deep_[best].side && node(i) < node(best);
    if (first || at_.depth[i] > at_.depth[best]) best = twin = i;
  }
  if (twin == best) return best;
  for (std::uint32_t i = twin; i < rivals.end; ++i) {
    const bool other_side = deep_[i].side != deep_[best].side && at_.depth[i] == at_.depth[best];
    if (other_side && node(i) < node(twin)) twin = i;
  }
  const bool best_is_a = deep_[best].side == 0;
  const DeepNode mean = tied(deep_node_at(best_is_a ? best : twin), deep_node_at(best_is_a ? twin : best));
  at_.nx[best] = mean.nx;
  at_.ny[best] = mean.ny;
  at_.world_x[best] = mean.px;
  at_.world_y[best] = mean.py;
  return best;
}

/// Puts the deepest node of a region in the region's place.
void Sweep::choose_deepest() {
  for (std::uint32_t k = 0; k < rivalries_; ++k) {
    const std::uint32_t from = deepest_of(rivals_[k]), to = rivals_[k].region;
    deep_[to] = deep_[from];
    for (double* column : {at_.depth, at_.nx, at_.ny, at_.world_x, at_.world_y, at_.rho}) column[to] = column[from];
  }
  for (std::uint32_t i = 0; crushed_ && i < regions_; ++i) {
    if (region_[i].plain()) continue;
    const DeepNode contact = deep_node_at(i);
    const Active& active = active_[region_[i].active];
    if (is_crushed(contact, *active.outline[1 - contact.side])) throw_crushed(star_pair(active), 1 - contact.side);
  }
}

void Sweep::emit() {
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < regions_; ++i) {
    if (!region_[i].plain()) continue;
    emit_regions(begin, i);
    ++counts_.reference;
    plain_contacts(star_pair(active_[region_[i].active]), *options_, 0, plain_, *out_);
    begin = i + 1;
  }
  emit_regions(begin, regions_);
}

void Sweep::emit_regions(std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t count = end - begin;
  const ContactBuffer::Rows rows = out_->extend(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Region& region = region_[begin + i];
    rows.pair[i] = active_[region.active].pair;
    rows.feature[i] = region.feature;
    rows.payload[i] = region.runs.payload;
  }
  std::copy_n(at_.depth + begin, count, rows.overlap);
  std::copy_n(at_.nx + begin, count, rows.normal[0]);
  std::copy_n(at_.ny + begin, count, rows.normal[1]);
  std::copy_n(at_.world_x + begin, count, rows.point[0]);
  std::copy_n(at_.world_y + begin, count, rows.point[1]);
  std::fill_n(rows.normal[2], count, 0.0);
  std::fill_n(rows.point[2], count, 0.0);
}

}  // namespace scree::star
