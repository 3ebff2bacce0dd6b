#include "sweep.hpp"

#include <algorithm>
#include <numbers>

namespace scree::star {

namespace {

/// Bits of `bits`, lowest first, put where `mask` has ones.
std::uint64_t deposit(std::uint64_t bits, std::uint64_t mask) {
#if defined(__BMI2__)
  return _pdep_u64(bits, mask);
#else
  std::uint64_t result = 0;
  for (; mask != 0; mask &= mask - 1, bits >>= 1)
    if ((bits & 1) != 0) result |= mask & (~mask + 1);
  return result;
#endif
}

std::uint64_t low_bits(std::uint32_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// acos to 7e-5. \source Abramowitz and Stegun 4.4.45
float coarse_acos(float x) {
  const float a = std::abs(x);
  const float r =
      std::sqrt(std::max(0.0f, 1 - a)) * (1.5707288f + a * (-0.2121144f + a * (0.0742610f - 0.0187293f * a)));
  return x < 0 ? std::numbers::pi_v<float> - r : r;
}

/// The polar angle of (x, y) to 1e-4, by its cosine or sine, whichever is steeper.
float coarse_angle(float x, float y, float distance) {
  constexpr float pi = std::numbers::pi_v<float>;
  if (std::abs(x) < std::abs(y)) return std::copysign(coarse_acos(x / distance), y);
  const float to_axis = pi / 2 - coarse_acos(std::abs(y) / distance);
  return std::copysign(x < 0 ? pi - to_axis : to_axis, y);
}

/// Half-angle [rad], to 1e-4, of the arc about the direction to the other body that holds every point of a disc of
/// radius `own` which lies in the other's disc of radius `other`, centres `distance` apart; negative when there is
/// none.
float half_arc(float distance, float own, float other) {
  constexpr float pi = std::numbers::pi_v<float>;
  if (distance >= own + other) return -1;
  if (distance <= other) return pi;
  if (distance * distance >= own * own + other * other)
    return coarse_acos(std::min(1.0f, (distance * distance + own * own - other * other) / (2 * distance * own)));
  return pi / 2 - coarse_acos(std::min(1.0f, other / distance));
}

/// Rows of the cache that are asked for before they are needed: between steps they go to a farther cache.
constexpr std::uint32_t kAhead = 10;

/// Part of a dilation that motion may use up; the rest covers rounding.
constexpr float kUsable = 0.97f;

}  // namespace

void Sweep::detect(const Outlines& outlines, const TaubinOptions& options, const BodyView& bodies,
                   std::span<const Pair> pairs, Candidates* cache, ContactBuffer& out) {
  outlines_ = &outlines;
  options_ = &options;
  bodies_ = &bodies;
  pairs_ = pairs;
  cache_ = cache;
  out_ = &out;
  counts_ = {};
  actives_ = items_ = 0;  // an exception may have left a block unfinished
  place_bodies();
  gather_candidates();
  finish_block();
}

void Sweep::finish_block() {
  test_candidates();
  regions_ = deeps_ = 0;
  listed_.clear();
  for (std::uint32_t i = 0; i < actives_; ++i) find_regions(i);
  // One loop after the other, not one region after the other: a branch then waits for a load, not for all the
  // arithmetic that led to it.
  pick_deep();
  list_deep();
  place_deep();
  evaluate_deep();
  choose_deepest();
  emit();
  actives_ = items_ = 0;
}

void Sweep::place_bodies() {
  pose_.resize(std::max(pose_.size(), bodies_->size));
  PlanarPose* pose = pose_.data();
  const Vec2* centre = outlines_->centre.data();
  const auto place = [&](std::uint32_t row) { pose[row] = planar_pose(*bodies_, row, centre[bodies_->shape[row]]); };
  if (bodies_->size <= 2 * pairs_.size()) {
    for (std::uint32_t row = 0; row < bodies_->size; ++row) place(row);
    return;
  }
  for (const Pair& pair : pairs_) {
    place(pair.a);
    place(pair.b);
  }
}

StarPair Sweep::star_pair(const Active& active) const {
  const Pair& pair = pairs_[active.pair];
  return {{active.outline[0], active.outline[1]},
          {pose_[pair.a], pose_[pair.b]},
          {bodies_->row[pair.a].id, bodies_->row[pair.b].id},
          active.pair};
}

// ------------------------------------------------------------------------------------------------------ 1. candidates

void Sweep::gather_candidates() {
  const bool both = options_->scheme == Scheme::symmetric;
  const PlanarPose* pose = pose_.data();
  for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
    const Pair& pair = pairs_[i];
    const std::uint32_t shape_a = bodies_->shape[pair.a], shape_b = bodies_->shape[pair.b];
    const Outline &a = (*outlines_)[shape_a], &b = (*outlines_)[shape_b];
    Candidates& row = cache_[i];
    __builtin_prefetch(cache_ + std::min<std::size_t>(i + kAhead, pairs_.size() - 1));
    MutualPose mutual;
    const bool held = kernels::holds(row.reference, row.lever2, row.reach2, pose[pair.a], pose[pair.b], mutual);
    const FloatPose &in_b = mutual.a_in_b, &in_a = mutual.b_in_a;
    if (!held) refresh(a, b, in_b, in_a, row);
    if ((row.mask[0] | row.mask[1] | row.wide) == 0) continue;
    if (items_ > kItems || actives_ == kActive) finish_block();
    Active& active = active_[actives_++];
    active = {i, {pair.a, pair.b}, {items_, items_, items_}, &row, {&a, &b}, row.wide != 0};
    if (in_b.x * in_b.x + in_b.y * in_b.y < std::max(a.centre_reach2, b.centre_reach2))
      check_centres(star_pair(active));
    if (active.plain) continue;
    items_ = append_side(a, Outlines::cells_of(shape_b), in_b, row.first[0], row.mask[0], items_);
    active.item[1] = items_;
    if (both) items_ = append_side(b, Outlines::cells_of(shape_a), in_a, row.first[1], row.mask[1], items_);
    active.item[2] = items_;
  }
}

inline std::uint32_t Sweep::append_side(const Outline& own, std::int32_t cells, const FloatPose& pose,
                                        std::uint32_t first, std::uint64_t mask, std::uint32_t at) {
  const Items items{item_x_, item_y_, item_cells_};
  const float *x = own.fx.data() + first, *y = own.fy.data() + first;
  for (; mask != 0; mask >>= kLanes, x += kLanes, y += kLanes)
    at += static_cast<std::uint32_t>(kernels::append(mask & 0xffff, x, y, pose, cells, items, at));
  return at;
}

void Sweep::refresh(const Outline& a, const Outline& b, const FloatPose& in_b, const FloatPose& in_a, Candidates& row) {
  ++counts_.refreshed;
  const float distance = std::sqrt(in_b.x * in_b.x + in_b.y * in_b.y);
  const float ra = static_cast<float>(a.r_max), rb = static_cast<float>(b.r_max);
  row.reference = in_b;
  row.wide = row.inside = 0;
  row.mask[0] = row.mask[1] = 0;
  const float dilation = std::min(a.map.dilation, b.map.dilation);
  const float gap = distance - (ra + rb);
  if (gap > dilation) {  // only the shift brings discs together
    row.lever2 = 0;
    row.reach2 = kUsable * gap * (kUsable * gap);
    return;
  }
  // A node of a moves by |shift| + ra |turn| at most in b's frame, one of b by |shift| + (distance + rb) |turn| in a's.
  const float lever = std::max(ra, distance + rb), reach = kUsable * dilation;
  row.lever2 = lever * lever;
  row.reach2 = reach * reach;
  find_side(a, b, in_b, in_a, 0, row);
  find_side(b, a, in_a, in_b, 1, row);
}

void Sweep::find_side(const Outline& own, const Outline& other, const FloatPose& pose, const FloatPose& other_in_own,
                      int side, Candidates& row) {
  const float distance = std::sqrt(pose.x * pose.x + pose.y * pose.y);
  const float half =
      half_arc(distance, static_cast<float>(own.r_max), static_cast<float>(other.r_max) * 1.0001f + other.map.dilation);
  if (half < 0) return;
  const float per_radian = static_cast<float>(own.nodes) / (2 * std::numbers::pi_v<float>);
  const float towards = coarse_angle(other_in_own.x, other_in_own.y, distance) * per_radian;
  // Rounded down and up, and one node more at either end: angles are good to 2e-4, 0.1 node of 4096.
  const int begin =
      static_cast<int>(towards - half * per_radian + 2 * static_cast<float>(own.nodes)) - 2 * own.nodes - 1;
  const int end = static_cast<int>(towards + half * per_radian + 2 * static_cast<float>(own.nodes)) - 2 * own.nodes + 3;
  const auto count = static_cast<std::uint32_t>(std::min(end - begin, own.nodes));
  const auto first = static_cast<std::uint32_t>(begin < 0 ? begin + own.nodes * (begin < -own.nodes ? 2 : 1) : begin);
  arc_.assign(count / 64 + 2, 0);
  for (std::uint32_t i = 0; i < count; i += kLanes) {
    const std::uint64_t bits = kernels::mapped(own.fx.data() + first + i, own.fy.data() + first + i, pose, other.map);
    arc_[i / 64] |= bits << (i % 64);
  }
  if (count % 64 != 0) arc_[count / 64] &= low_bits(count % 64);
  const std::uint32_t low = next_node(arc_, 0, count, true);
  if (low == count) return;
  const std::uint64_t next = low % 64 == 0 ? 0 : arc_[low / 64 + 1] << (64 - low % 64);
  row.first[side] = static_cast<std::uint16_t>(modulo(first + low, own.nodes));
  row.mask[side] = arc_[low / 64] >> (low % 64) | next;
  if (next_node(arc_, low + kWindow, count, true) < count) row.wide = 1;
}

// ------------------------------------------------------------------------------------------------------------ 2. test

void Sweep::test_candidates() {
  counts_.candidates += items_;
  std::fill_n(inside_, items_ / 64 + 2, 0);
  std::fill_n(item_x_ + items_, kLanes, 0.0f);
  std::fill_n(item_y_ + items_, kLanes, 0.0f);
  std::fill_n(item_cells_ + items_, kLanes, 0);
  const Items items{item_x_, item_y_, item_cells_};
  for (std::uint32_t i = 0; i < items_; i += kLanes) {
    Verdict verdict = kernels::test(items, i, outlines_->cells.data(), outlines_->sign_error, item_depth_);
    for (std::uint32_t rest = verdict.doubtful; rest != 0; rest &= rest - 1) {
      const std::uint32_t lane = rest & (~rest + 1), item = i + static_cast<std::uint32_t>(std::countr_zero(rest));
      if (item >= items_) break;
      verdict.inside = decide(item) ? verdict.inside | lane : verdict.inside & ~lane;
    }
    inside_[i / 64] |= std::uint64_t{verdict.inside} << (i % 64);
  }
}

bool Sweep::decide(std::uint32_t item) {
  ++counts_.doubtful;
  const Active& active = *std::upper_bound(active_, active_ + actives_, item,
                                           [](std::uint32_t i, const Active& a) { return i < a.item[2]; });
  const int side = item < active.item[1] ? 0 : 1;
  const std::uint64_t bit = deposit(std::uint64_t{1} << (item - active.item[side]), active.row->mask[side]);
  const Outline &own = *active.outline[side], &other = *active.outline[1 - side];
  const std::uint32_t node =
      modulo(active.row->first[side] + static_cast<std::uint32_t>(std::countr_zero(bit)), own.nodes);
  const StarPair pair = star_pair(active);
  const PlanarPoint<double> p =
      transform(relative_pose(pair.pose[side], pair.pose[1 - side]), own.x[node], own.y[node]);
  const double depth = point_hit(p.x, p.y, other.sample(p.x, p.y)).depth;
  item_depth_[item] = static_cast<float>(depth);
  return depth > 0;
}

// --------------------------------------------------------------------------------------------------------- 3. regions

/// Bits of the 64 items from `begin` on.
inline std::uint64_t Sweep::item_bits(std::uint32_t begin) const {
  const std::uint32_t shift = begin % 64;
  return inside_[begin / 64] >> shift | inside_[begin / 64 + 1] << 1 << (63 - shift);
}

/// Inside nodes of a side as bits of its mask.
std::uint64_t Sweep::inside_bits(const Active& active, int side) const {
  const std::uint64_t bits = item_bits(active.item[side]) & low_bits(active.item[side + 1] - active.item[side]);
  return deposit(bits, active.row->mask[side]);
}

void Sweep::find_regions(std::uint32_t index) {
  const Active& active = active_[index];
  const auto hand_over = [&] { region_[regions_++] = {.active = index}; };
  if (active.plain) return hand_over();
  const std::uint32_t candidates = active.item[2] - active.item[0];
  std::uint32_t seen = 0;
  if (candidates <= 32) {
    seen = static_cast<std::uint32_t>(item_bits(active.item[0]) & low_bits(candidates));
    if (seen == 0) return;
    if (seen == active.row->inside) return add_regions(index, active.row->region, active.row->regions);
  }
  const std::uint64_t inside_a = inside_bits(active, 0), inside_b = inside_bits(active, 1);
  if ((inside_a | inside_b) == 0) return;
  Joint joint;
  if (!find_runs(active, 0, inside_a, joint.runs) || !find_runs(active, 1, inside_b, joint.runs)) return hand_over();
  join_runs(active, joint);
  if (!joint.sure) return hand_over();
  if (joint.simple) return add_simple_regions(index, joint, seen);
  for (std::uint32_t region = 0; region < joint.regions; ++region) add_region(index, joint.runs, region);
}

/// \return false when there are too many, or when runs may meet across the ends of the mask
inline bool Sweep::find_runs(const Active& active, int side, std::uint64_t inside, Runs& runs) const {
  const Outline& own = *active.outline[side];
  const int n = own.nodes;
  if (n <= kWindow && (inside & 1) != 0 && (inside >> (n - 1)) != 0) return false;
  const std::uint64_t mask = active.row->mask[side];
  const std::uint32_t first = active.row->first[side], begin_of_side = side == 0 ? 0 : runs.end[0];
  const float *x = own.fx.data() + first, *y = own.fy.data() + first;
  const float *edge_in = own.edge_before.data() + first, *edge_out = own.edge_after.data() + first;
  std::uint32_t end = begin_of_side, wrapped = ~0u;  // the first run that begins past node n - 1
  for (; inside != 0; ++end) {
    if (end == Runs::kMost) return false;
    const auto begin = static_cast<std::uint32_t>(std::countr_zero(inside));
    const auto count = static_cast<std::uint32_t>(std::countr_one(inside >> begin)), last = begin + count - 1;
    const std::uint32_t item = active.item[side] + static_cast<std::uint32_t>(std::popcount(mask & low_bits(begin)));
    if (first + begin >= static_cast<std::uint32_t>(n)) wrapped = std::min(wrapped, end);
    runs.run[end] = {{modulo(first + begin, n), count},
                     item,
                     begin,
                     0,
                     x[begin],
                     y[begin],
                     item_x_[item + count - 1],
                     item_y_[item + count - 1],
                     edge_in[begin],
                     edge_out[last]};
    inside &= inside + (std::uint64_t{1} << begin);  // clears the run
  }
  if (wrapped < end) std::rotate(runs.run + begin_of_side, runs.run + wrapped, runs.run + end);
  runs.end[side] = end;
  return true;
}

/// Which runs of the two sides meet, and what that makes of them.
inline void Sweep::join_runs(const Active& active, Joint& joint) const {
  Runs& runs = joint.runs;
  const std::uint32_t end_a = runs.end[0], end = runs.end[1];
  // Between two moments at which the masks hold, a node moves by twice the dilation at most.
  const float motion = 2 * std::min(active.outline[0]->map.dilation, active.outline[1]->map.dilation);
  const float tolerance = 16 * outlines_->sign_error;
  std::uint32_t taken = 0;
  joint.sure = joint.lasting = joint.simple = true;
  const auto meet = [&](const Run& from, const Run& to) {
    const float dx = from.end_x - to.begin_x, dy = from.end_y - to.begin_y, reach = from.edge_out + to.edge_in;
    const float excess = dx * dx + dy * dy - reach * reach;
    joint.sure &= std::abs(excess) > tolerance * reach;
    joint.lasting &= std::abs(excess) > motion * (2 * reach + motion);
    return excess < 0;
  };
  for (std::uint32_t i = 0; i < end; ++i) joint.simple &= runs.run[i].nodes.count <= kLanes;
  for (std::uint32_t i = 0; i < end_a; ++i) {
    std::uint32_t row = 0;
    for (std::uint32_t k = end_a; k < end; ++k) {
      const bool ahead = meet(runs.run[i], runs.run[k]), behind = meet(runs.run[k], runs.run[i]);
      row |= static_cast<std::uint32_t>(ahead | behind) << k;
    }
    joint.simple &= (row & (row - 1)) == 0 && (row & taken) == 0;
    taken |= row;
    joint.meets[i] = row;
  }
  if (!joint.simple) name_regions(joint);
}

/// Connected runs get the same number; numbers count up in order of the runs.
void Sweep::name_regions(Joint& joint) {
  Runs& runs = joint.runs;
  const std::uint32_t end_a = runs.end[0], end = runs.end[1];
  const auto rename = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t m = 0; m < end; ++m)
      if (runs.run[m].region == from) runs.run[m].region = to;
  };
  for (std::uint32_t i = 0; i < end; ++i) runs.run[i].region = i;
  for (std::uint32_t i = 0; i < end_a; ++i) {
    for (std::uint32_t row = joint.meets[i]; row != 0; row &= row - 1) {
      const std::uint32_t s = runs.run[i].region, t = runs.run[std::countr_zero(row)].region;
      if (s != t) rename(std::max(s, t), std::min(s, t));
    }
  }
  joint.regions = 0;
  for (std::uint32_t i = 0; i < end; ++i)
    if (runs.run[i].region >= joint.regions) rename(runs.run[i].region, joint.regions++);
}

/// \param seen  the inside bits of all candidates, if they are 32 at most; else 0
void Sweep::add_simple_regions(std::uint32_t index, const Joint& joint, std::uint32_t seen) {
  const Active& active = active_[index];
  const Runs& runs = joint.runs;
  SimpleRegion regions[Runs::kMost] = {};
  std::uint32_t count = 0, taken = 0;
  const auto put = [&](int side, const Run& run) {
    SimpleRegion& region = regions[count];
    region.item[side] = static_cast<std::uint8_t>(run.item - active.item[0]);
    region.bit[side] = static_cast<std::uint8_t>(run.bit);
    region.count[side] = static_cast<std::uint8_t>(run.nodes.count);
  };
  for (std::uint32_t i = 0; i < runs.end[0]; ++i, ++count) {
    put(0, runs.run[i]);
    taken |= joint.meets[i];
    if (joint.meets[i] != 0) put(1, runs.run[std::countr_zero(joint.meets[i])]);
  }
  for (std::uint32_t k = runs.end[0]; k < runs.end[1]; ++k)
    if ((taken >> k & 1) == 0) put(1, runs.run[k]), ++count;
  add_regions(index, regions, count);
  if (!joint.lasting || count > Candidates::kRegions) return;
  active.row->inside = seen;
  active.row->regions = static_cast<std::uint16_t>(count);
  std::copy_n(regions, count, active.row->region);
}

void Sweep::add_regions(std::uint32_t index, const SimpleRegion* regions, std::uint32_t count) {
  const Active& active = active_[index];
  for (std::uint32_t i = 0; i < count; ++i) {
    Region& region = region_[regions_++];
    region.active = index;
    region.feature = i;
    region.listed = region.listed_end = 0;
    std::uint64_t payload = 0;
    for (int side = 0; side < 2; ++side) {
      const Outline& own = *active.outline[side];
      const NodeRun nodes{modulo(active.row->first[side] + regions[i].bit[side], own.nodes), regions[i].count[side]};
      region.item[side] = active.item[0] + regions[i].item[side];
      region.node[side] = nodes.first;
      region.nodes[side] = nodes.count;
      const std::uint64_t interval = own.ring_interval_of(nodes);
      payload |= (nodes.count == 0 ? 0 : interval) << (32 * side);
    }
    region.payload = payload;
  }
}

void Sweep::add_region(std::uint32_t index, const Runs& runs, std::uint32_t region) {
  const Active& active = active_[index];
  float deepest = 0;
  std::uint64_t payload = 0;
  for (int side = 0; side < 2; ++side) {
    NodeRun nodes[Runs::kMost];
    std::size_t count = 0;
    for (std::uint32_t i = side == 0 ? 0 : runs.end[0]; i < runs.end[side]; ++i) {
      const Run& run = runs.run[i];
      if (run.region != region) continue;
      deepest = std::max(deepest, kernels::largest(item_depth_ + run.item, run.nodes.count));
      nodes[count++] = run.nodes;
    }
    const Outline& own = *active.outline[side];
    if (count == 0) continue;
    payload |= own.ring_interval_of(hull({nodes, count}, static_cast<std::uint32_t>(own.nodes))) << (32 * side);
  }
  const float error = std::max(active.outline[0]->depth_error, active.outline[1]->depth_error);
  const float enough = deepest * (1 - 2 * error) - 2 * outlines_->sign_error;
  const auto listed = static_cast<std::uint32_t>(listed_.size());
  for (std::uint32_t i = 0; i < runs.end[1]; ++i) {
    const Run& run = runs.run[i];
    const std::uint32_t side = i < runs.end[0] ? 0 : 1;
    for (std::uint32_t k = 0; run.region == region && k < run.nodes.count; ++k)
      if (item_depth_[run.item + k] >= enough)
        listed_.push_back({index, modulo(run.nodes.first + k, active.outline[side]->nodes), side});
  }
  Region& added = region_[regions_++];
  added.active = index;
  added.feature = region;
  added.payload = payload;
  added.nodes[0] = added.nodes[1] = 0;
  added.listed = listed;
  added.listed_end = static_cast<std::uint32_t>(listed_.size());
}

}  // namespace scree::star
