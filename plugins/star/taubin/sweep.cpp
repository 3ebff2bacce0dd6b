/// \file The fast path, block by block: pairs placed in each other's frame, candidates gathered and tested.
#include "taubin/sweep.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "taubin/bits.hpp"

namespace scree::star {

namespace {

/// Rows of the cache that are asked for before they are needed: between steps they go to a farther cache.
constexpr std::uint32_t kAhead = 24;

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
  note_sizes();
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

/// A node's place is a sum of terms as large as its own body, in units of the other one: the error grows with the span
/// of sizes. Pairs beyond kMostRatio take the plain path.
void Sweep::note_sizes() {
  sign_error_ = outlines_->sign_error;
  const double* scale = bodies_->scale;
  sized_ = scale != nullptr && std::any_of(scale, scale + bodies_->size, [](double s) { return s != 1; });
  if (!sized_) return;
  unit_.resize(std::max(unit_.size(), bodies_->size));
  double largest = 0, smallest = std::numeric_limits<double>::infinity();
  for (std::uint32_t row = 0; row < bodies_->size; ++row) {
    unit_[row] = static_cast<float>(1 / scale[row]);
    const Outline* outline = outlines_->of_shape[bodies_->shape[row]].get();
    if (outline == nullptr) continue;
    largest = std::max(largest, scale[row] * outline->r_max);
    smallest = std::min(smallest, scale[row]);
  }
  const auto span = static_cast<float>(largest / smallest) / std::sqrt(outlines_->centre_reach2);
  sign_error_ *= std::clamp(1.01f * span, 1.0f, kMostRatio);
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
          active.pair,
          {bodies_->scale_of(pair.a), bodies_->scale_of(pair.b)}};
}

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

/// Places at the sizes of shapes.
inline void Sweep::size_lanes(MutualLanes& lanes, const Pair* pair) const {
  OctetFloat of_a, of_b;
  for (std::uint32_t k = 0; k < kPairLanes; ++k) {
    of_a[k] = unit_[pair[k].a];
    of_b[k] = unit_[pair[k].b];
  }
  lanes.a_x *= of_b, lanes.a_y *= of_b;
  lanes.b_x *= of_a, lanes.b_y *= of_a;
}

inline void Sweep::place_eight(const Pair* pair, const Candidates* row, std::uint32_t at) {
  MutualLanes now = mutual_lanes(pose_.data(), turn_.data(), pair);
  if (sized_) size_lanes(now, pair);
  const PoseLanes then = pose_lanes([&](std::uint32_t k) { return &row[k].reference; });
  const auto [reach2, lever2] =
      two_columns([&](std::uint32_t k) { return load_two(&row[2 * k].reach2, &row[2 * k + 1].reach2); });
  mutual_.set(at, now);
  store_lanes(moved_ + at, moved_lanes(now, then, reach2, lever2));
  OctetInt crowded = now.a_x * now.a_x + now.a_y * now.a_y < outlines_->centre_reach2;
  if (sized_) crowded |= now.b_x * now.b_x + now.b_y * now.b_y < outlines_->centre_reach2;
  store_lanes(crowded_ + at, crowded);
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
    const Pair& pair = pairs_[i];
    refresh((*outlines_)[bodies_->shape[pair.a]], (*outlines_)[bodies_->shape[pair.b]], ratio(sizes(pair.a, pair.b)),
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
  FloatPose in_b = mutual_.a_in_b(in_group), in_a = mutual_.b_in_a(in_group);
  if (sized_) {
    in_b = sized(in_b, ratio(sizes(pair.a, pair.b)));
    in_a = sized(in_a, ratio(sizes(pair.b, pair.a)));
  }
  const std::int32_t cells_a = outlines_->first_cell[shape_a], cells_b = outlines_->first_cell[shape_b];
  if (row.extent == Extent::few && !sized_) {  // append_pair() takes one stretch for both sides
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

void Sweep::test_candidates() {
  counts_.candidates += items_;
  std::fill_n(inside_, items_ / 64 + 2, 0);
  std::fill_n(item_x_ + items_, kLanes, 0.0f);
  std::fill_n(item_y_ + items_, kLanes, 0.0f);
  const std::uint32_t from = mixed_ ? items_ : 0;  // append_pair() has written tables only where they differ
  std::fill_n(item_cells_ + from, items_ + kLanes - from, 0);
  const Items items{item_x_, item_y_, item_cells_};
  for (std::uint32_t i = 0; i < items_; i += kLanes) {
    Verdict verdict = kernels::test(items, i, outlines_->cells.data(), sign_error_, item_depth_);
    for (std::uint32_t rest = verdict.doubtful; rest != 0; rest &= rest - 1) {
      const std::uint32_t lane = rest & (~rest + 1), item = i + static_cast<std::uint32_t>(std::countr_zero(rest));
      if (item >= items_) break;
      verdict.inside = decide(item) ? verdict.inside | lane : verdict.inside & ~lane;
    }
    inside_[i / 64] |= std::uint64_t{verdict.inside} << (i % 64);
  }
  if (sized_) size_depths();
}

/// Depths at the sizes of bodies.
void Sweep::size_depths() {
  for (const Active& active : std::span(active_, actives_))
    for (std::uint32_t side = 0; side < 2; ++side) {
      const auto scale = static_cast<float>(bodies_->scale[active.body[1 - side]]);
      for (std::uint32_t i = active.item[side]; i < active.item[side + 1]; ++i) item_depth_[i] *= scale;
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
  const PlanarPoint<double> p = transform(relative_pose(pair.pose[side], pair.pose[1 - side]), pair.sizes(side),
                                          own.points[node].x, own.points[node].y);
  const double depth = point_hit(p.x, p.y, other.sample(p.x, p.y)).depth;
  item_depth_[item] = static_cast<float>(depth);
  return depth > 0;
}

}  // namespace scree::star
