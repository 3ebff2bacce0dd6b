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
constexpr std::uint32_t kAhead = 24;

/// Part of a dilation that motion may use up; the rest covers rounding.
constexpr float kUsable = 0.97f;

/// Counts the candidates in the masks, and lists them one by one.
Extent list_offsets(Candidates& row) {
  std::uint32_t count = 0;
  for (int side = 0; side < 2; ++side) {
    row.count[side] = static_cast<std::uint8_t>(std::popcount(row.mask[side]));
    for (std::uint64_t rest = row.mask[side]; rest != 0 && count < kLanes; rest &= rest - 1)
      row.offset[count++] = static_cast<std::uint8_t>(std::countr_zero(rest));
  }
  if (count == 0) return Extent::none;
  const bool listed = row.count[0] + row.count[1] <= kLanes && (row.mask[0] | row.mask[1]) >> (2 * kLanes) == 0;
  return listed ? Extent::few : Extent::many;
}

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
  both_ = options.scheme == Scheme::symmetric;
  mixed_ = outlines.count > 1;
  actives_ = items_ = 0;  // an exception may have left a block unfinished
  place_bodies();
  gather_candidates();
  finish_block();
}

void Sweep::finish_block() {
  test_candidates();
  regions_ = deeps_ = rivalries_ = 0;
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
  turn_.resize(pose_.size());
  PlanarPose* pose = pose_.data();
  Turn* turn = turn_.data();
  const Vec2* centre = outlines_->centre.data();
  const auto place = [&](std::uint32_t row) {
    pose[row] = planar_pose(*bodies_, row, centre[bodies_->shape[row]]);
    turn[row] = {static_cast<float>(pose[row].c), static_cast<float>(pose[row].s)};
  };
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
  const auto count = static_cast<std::uint32_t>(pairs_.size());
  for (std::uint32_t begin = 0; begin < count; begin += kGroup) {
    const std::uint32_t end = std::min(begin + kGroup, count);
    place_pairs(begin, end);
    const std::uint32_t near = find_near(begin, end);
    for (std::uint32_t k = 0; k < near; ++k) {
      if (items_ > kItems || actives_ == kActive) finish_block();
      add_candidates(near_[k], near_[k] - begin);
    }
  }
}

/// Places the pairs [begin, end) in each other's frame, and sees which of them have moved.
void Sweep::place_pairs(std::uint32_t begin, std::uint32_t end) {
  const auto last = static_cast<std::uint32_t>(pairs_.size()) - 1;
  std::uint32_t i = begin;
  for (; i + kPairLanes <= end; i += kPairLanes) {
    for (std::uint32_t k = 0; i + kAhead + kPairLanes <= last && k < kPairLanes; ++k)
      __builtin_prefetch(cache_ + i + kAhead + k);
    place_eight(&pairs_[i], cache_ + i, i - begin);
  }
  if (i == end) return;
  Pair pairs[kPairLanes];  // the last pair stands for those behind it
  Candidates rows[kPairLanes];
  for (std::uint32_t k = 0; k < kPairLanes; ++k) {
    pairs[k] = pairs_[std::min(i + k, last)];
    rows[k] = cache_[std::min(i + k, last)];
  }
  place_eight(pairs, rows, i - begin);
}

inline void Sweep::place_eight(const Pair* pair, const Candidates* row, std::uint32_t at) {
  const MutualLanes now = mutual_lanes(pose_.data(), turn_.data(), pair);
  const PoseLanes then = pose_lanes([&](std::uint32_t k) { return &row[k].reference; });
  const auto [reach2, lever2] =
      two_columns([&](std::uint32_t k) { return load_two(&row[2 * k].reach2, &row[2 * k + 1].reach2); });
  mutual_.set(at, now);
  store_vector(moved_ + at, moved_lanes(now, then, reach2, lever2));
  const IntLanes crowded = now.a_x * now.a_x + now.a_y * now.a_y < outlines_->centre_reach2;
  store_vector(crowded_ + at, crowded);
}

/// Brings the candidates of the pairs [begin, end) up to date and lists in near_ those that have any. Whether a pair
/// has moved or has candidates cannot be predicted: lists are written without branches. \return their number
std::uint32_t Sweep::find_near(std::uint32_t begin, std::uint32_t end) {
  std::uint32_t stale = 0, near = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    stale_[stale] = i;
    stale += moved_[i - begin] != 0 ? 1 : 0;
  }
  for (std::uint32_t k = 0; k < stale; ++k) {
    const std::uint32_t i = stale_[k];
    refresh((*outlines_)[bodies_->shape[pairs_[i].a]], (*outlines_)[bodies_->shape[pairs_[i].b]],
            mutual_.a_in_b(i - begin), mutual_.b_in_a(i - begin), cache_[i]);
  }
  for (std::uint32_t i = begin; i < end; ++i) {
    near_[near] = i;
    near += cache_[i].extent != Extent::none ? 1 : 0;
  }
  return near;
}

/// Appends a pair's candidates to the items.
[[gnu::always_inline]] inline void Sweep::add_candidates(std::uint32_t index, std::uint32_t in_group) {
  const Pair& pair = pairs_[index];
  const std::uint32_t shape_a = bodies_->shape[pair.a], shape_b = bodies_->shape[pair.b];
  const Outline &a = (*outlines_)[shape_a], &b = (*outlines_)[shape_b];
  Candidates& row = cache_[index];
  __builtin_prefetch(&row.inside);  // for find_regions()
  Active& active = active_[actives_++];
  const std::uint32_t begin = items_, middle = begin + row.count[0], end = middle + (both_ ? row.count[1] : 0);
  active = {index, {pair.a, pair.b}, {begin, middle, end}, &row, {&a, &b}, row.extent == Extent::wide};
  if (crowded_[in_group] != 0) check_centres(star_pair(active));
  const FloatPose in_b = mutual_.a_in_b(in_group), in_a = mutual_.b_in_a(in_group);
  const std::int32_t cells_a = outlines_->first_cell[shape_a], cells_b = outlines_->first_cell[shape_b];
  if (row.extent == Extent::few) {
    const SideNodes of_a{row.count[0], a.fx.data() + row.first[0], a.fy.data() + row.first[0], in_b, cells_b};
    const SideNodes of_b{both_ ? row.count[1] : 0u, b.fx.data() + row.first[1], b.fy.data() + row.first[1], in_a,
                         cells_a};
    kernels::append_pair(row.offset, of_a, of_b, mixed_, {item_x_, item_y_, item_cells_}, begin);
  } else if (active.plain) {
    active.item[1] = active.item[2] = begin;
    return;
  } else {
    append_side(a, cells_b, in_b, row.first[0], row.mask[0], begin);
    if (both_) append_side(b, cells_a, in_a, row.first[1], row.mask[1], middle);
  }
  items_ = end;
}

inline void Sweep::append_side(const Outline& own, std::int32_t cells, const FloatPose& pose, std::uint32_t first,
                               std::uint64_t mask, std::uint32_t at) {
  const Items items{item_x_, item_y_, item_cells_};
  const float *x = own.fx.data() + first, *y = own.fy.data() + first;
  for (; mask != 0; mask >>= kLanes, x += kLanes, y += kLanes)
    at += static_cast<std::uint32_t>(kernels::append(mask & 0xffff, x, y, pose, cells, items, at));
}

void Sweep::refresh(const Outline& a, const Outline& b, const FloatPose& in_b, const FloatPose& in_a, Candidates& row) {
  ++counts_.refreshed;
  const float distance = std::sqrt(in_b.x * in_b.x + in_b.y * in_b.y);
  const float ra = static_cast<float>(a.r_max), rb = static_cast<float>(b.r_max);
  row.reference = in_b;
  row.extent = Extent::none;
  row.inside = row.regions = 0;
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
  const bool wide = !find_side(a, b, in_b, in_a, 0, row) | !find_side(b, a, in_a, in_b, 1, row);
  row.extent = wide ? Extent::wide : list_offsets(row);
}

/// \return false when the side's candidates do not fit its mask
bool Sweep::find_side(const Outline& own, const Outline& other, const FloatPose& pose, const FloatPose& other_in_own,
                      int side, Candidates& row) {
  const float distance = std::sqrt(pose.x * pose.x + pose.y * pose.y);
  const float half =
      half_arc(distance, static_cast<float>(own.r_max), static_cast<float>(other.r_max) * 1.0001f + other.map.dilation);
  if (half < 0) return true;
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
  if (low == count) return true;
  const std::uint64_t next = low % 64 == 0 ? 0 : arc_[low / 64 + 1] << (64 - low % 64);
  row.first[side] = static_cast<std::uint16_t>(modulo(first + low, own.nodes));
  row.mask[side] = arc_[low / 64] >> (low % 64) | next;
  return next_node(arc_, low + kWindow, count, true) == count;
}

// ------------------------------------------------------------------------------------------------------------ 2. test

void Sweep::test_candidates() {
  counts_.candidates += items_;
  std::fill_n(inside_, items_ / 64 + 2, 0);
  std::fill_n(item_x_ + items_, kLanes, 0.0f);
  std::fill_n(item_y_ + items_, kLanes, 0.0f);
  const std::uint32_t from = mixed_ ? items_ : 0;  // append_pair() has written tables only where they differ
  std::fill_n(item_cells_ + from, items_ + kLanes - from, 0);
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
      transform(relative_pose(pair.pose[side], pair.pose[1 - side]), own.points[node].x, own.points[node].y);
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
  const auto hand_over = [&] { add_region(index, {}, 0); };
  if (active.plain) return hand_over();
  const Candidates& row = *active.row;
  const std::uint32_t candidates = active.item[2] - active.item[0];
  const bool few = candidates <= 32;
  const auto seen = few ? static_cast<std::uint32_t>(item_bits(active.item[0]) & low_bits(candidates)) : 0;
  if (few && seen == row.inside) {
    // Rows of regions that are not there are overwritten by the next pair's: how many there are cannot be predicted.
    const std::uint32_t begin = regions_;
    add_region(index, row.region[0], 0);
    add_region(index, row.region[1], 1);
    if (row.regions > 2) add_region(index, row.region[2], 2);
    regions_ = begin + row.regions;
    return;
  }
  const std::uint64_t inside_a = inside_bits(active, 0), inside_b = inside_bits(active, 1);
  if ((inside_a | inside_b) == 0) return;
  Joint joint;
  if (!find_runs(active, 0, inside_a, joint.runs) || !find_runs(active, 1, inside_b, joint.runs)) return hand_over();
  join_runs(active, joint);
  if (!joint.sure) return hand_over();
  if (joint.simple) return add_simple_regions(index, joint, seen);
  for (std::uint32_t region = 0; region < joint.regions; ++region) add_complex_region(index, joint.runs, region);
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
    region.count[side] = static_cast<std::uint8_t>(run.nodes.count);
    region.node[side] = static_cast<std::uint16_t>(run.nodes.first);
    region.payload |= active.outline[side]->ring_interval_of(run.nodes) << (32 * side);
  };
  for (std::uint32_t i = 0; i < runs.end[0]; ++i, ++count) {
    put(0, runs.run[i]);
    taken |= joint.meets[i];
    if (joint.meets[i] != 0) put(1, runs.run[std::countr_zero(joint.meets[i])]);
  }
  for (std::uint32_t k = runs.end[0]; k < runs.end[1]; ++k)
    if ((taken >> k & 1) == 0) put(1, runs.run[k]), ++count;
  for (std::uint32_t i = 0; i < count; ++i) add_region(index, regions[i], i);
  if (!joint.lasting || count > Candidates::kRegions || seen == 0) return;
  active.row->inside = seen;
  active.row->regions = count;
  std::copy_n(regions, count, active.row->region);
}

inline void Sweep::add_region(std::uint32_t index, const SimpleRegion& runs, std::uint32_t feature) {
  region_[regions_++] = {runs, index, feature, 0, 0};
}

void Sweep::add_complex_region(std::uint32_t index, const Runs& runs, std::uint32_t region) {
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
        listed_.push_back({side, modulo(run.nodes.first + k, active.outline[side]->nodes)});
  }
  region_[regions_++] = {{{}, {}, {}, payload}, index, region, listed, static_cast<std::uint32_t>(listed_.size())};
}

}  // namespace scree::star
