#include "sweep.hpp"

#include <algorithm>
#include <numbers>

namespace scree::star {

namespace {

FloatPose rounded(const RelativePose& p) {
  return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.c), static_cast<float>(p.s)};
}

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

std::uint32_t modulo(std::uint32_t node, int nodes) {
  const auto n = static_cast<std::uint32_t>(nodes);
  return node < n ? node : node - n;  // windows begin below n and are shorter than a turn
}

/// Half-angle [rad] of the arc about the direction to the other body that holds every point of a disc of radius `own`
/// which lies in the other's disc of radius `other`, centres `distance` apart; negative when there is none.
float half_arc(float distance, float own, float other) {
  constexpr float pi = std::numbers::pi_v<float>;
  if (distance >= own + other) return -1;
  if (distance <= other) return pi;
  if (distance * distance >= own * own + other * other)
    return std::acos(std::min(1.0f, (distance * distance + own * own - other * other) / (2 * distance * own)));
  return std::asin(std::min(1.0f, other / distance));
}

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
  place_bodies();
  gather_candidates();
  test_candidates();
  regions_.clear();
  deep_.clear();
  for (std::uint32_t i = 0; i < active_.size(); ++i) find_regions(i);
  evaluate_deep();
  emit();
}

void Sweep::place_bodies() {
  pose_.resize(std::max(pose_.size(), bodies_->size));
  const auto place = [&](std::uint32_t row) {
    if (const Outline* outline = outlines_->of_shape[bodies_->shape[row]].get())
      pose_[row] = planar_pose(*bodies_, row, *outline);
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
          {bodies_->id[pair.a], bodies_->id[pair.b]},
          active.pair};
}

// ------------------------------------------------------------------------------------------------------ 1. candidates

void Sweep::gather_candidates() {
  active_.clear();
  items_ = 0;
  const bool both = options_->scheme == Scheme::symmetric;
  for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
    const Pair& pair = pairs_[i];
    const std::uint32_t shape_a = bodies_->shape[pair.a], shape_b = bodies_->shape[pair.b];
    const Outline &a = (*outlines_)[shape_a], &b = (*outlines_)[shape_b];
    const FloatPose in_b = rounded(relative_pose(pose_[pair.a], pose_[pair.b]));
    const FloatPose in_a = rounded(relative_pose(pose_[pair.b], pose_[pair.a]));
    Candidates& row = cache_[pair.slot];
    const float dx = in_b.x - row.reference.x, dy = in_b.y - row.reference.y;
    const float dc = in_b.c - row.reference.c, ds = in_b.s - row.reference.s;
    const float moved2 = (dx * dx + dy * dy) + row.lever2 * (dc * dc + ds * ds);
    if (!(moved2 < row.reach2)) refresh(a, b, in_b, in_a, row);
    if ((row.mask[0] | row.mask[1] | row.wide) == 0) continue;
    Active active{i, {items_, items_, items_}, &row, {&a, &b}, row.wide != 0};
    const float largest = static_cast<float>(std::max(a.r_max, b.r_max));
    if (in_b.x * in_b.x + in_b.y * in_b.y < largest * largest) check_centres(star_pair(active));
    if (!active.plain) {
      append_side(a, Outlines::cells_of(shape_b), in_b, row.first[0], row.mask[0]);
      active.item[1] = items_;
      if (both) append_side(b, Outlines::cells_of(shape_a), in_a, row.first[1], row.mask[1]);
      active.item[2] = items_;
    }
    active_.push_back(active);
  }
}

void Sweep::append_side(const Outline& own, std::int32_t cells, const FloatPose& pose, std::uint32_t first,
                        std::uint64_t mask) {
  if (items_ + kWindow + kLanes > item_x_.size()) {
    const std::size_t size = 2 * item_x_.size() + 1024;
    item_x_.resize(size);
    item_y_.resize(size);
    item_depth_.resize(size);
    item_cells_.resize(size);
  }
  const Items items{item_x_.data(), item_y_.data(), item_cells_.data()};
  const float *x = own.fx.data() + first, *y = own.fy.data() + first;
  for (; mask != 0; mask >>= kLanes, x += kLanes, y += kLanes)
    items_ += static_cast<std::uint32_t>(kernels::append(mask & 0xffff, x, y, pose, cells, items, items_));
}

void Sweep::refresh(const Outline& a, const Outline& b, const FloatPose& in_b, const FloatPose& in_a, Candidates& row) {
  ++counts_.refreshed;
  const float distance = std::sqrt(in_b.x * in_b.x + in_b.y * in_b.y);
  const float ra = static_cast<float>(a.r_max), rb = static_cast<float>(b.r_max);
  row.reference = in_b;
  row.wide = 0;
  row.mask[0] = row.mask[1] = 0;
  const float dilation = std::min(a.map.dilation, b.map.dilation);
  const float gap = distance - (ra + rb);
  if (gap > dilation) {  // only the shift brings discs together
    row.lever2 = 0;
    row.reach2 = kUsable * gap * (kUsable * gap);
    return;
  }
  // A node of a moves by |shift| + ra |turn| at most in b's frame, one of b by |shift| + (distance + rb) |turn| in a's.
  // (u + v)^2 <= 2 (u^2 + v^2).
  const float lever = std::max(ra, distance + rb), reach = kUsable * dilation;
  row.lever2 = lever * lever;
  row.reach2 = 0.5f * reach * reach;
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
  const float towards = std::atan2(other_in_own.y, other_in_own.x) * per_radian;
  // One node more at either end for the rounding of angles.
  const int begin = static_cast<int>(std::floor(towards - half * per_radian)) - 1;
  const int end = static_cast<int>(std::ceil(towards + half * per_radian)) + 2;
  const auto count = static_cast<std::uint32_t>(std::min(end - begin, own.nodes));
  const auto first = static_cast<std::uint32_t>((begin % own.nodes + own.nodes) % own.nodes);
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
  counts_.candidates = items_;
  inside_.assign(items_ / 64 + 2, 0);
  if (items_ == 0) return;
  std::fill_n(item_x_.data() + items_, kLanes, 0.0f);
  std::fill_n(item_y_.data() + items_, kLanes, 0.0f);
  std::fill_n(item_cells_.data() + items_, kLanes, 0);
  const Items items{item_x_.data(), item_y_.data(), item_cells_.data()};
  for (std::uint32_t i = 0; i < items_; i += kLanes) {
    Verdict verdict = kernels::test(items, i, outlines_->cells.data(), outlines_->sign_error, item_depth_.data());
    for (std::uint32_t rest = verdict.doubtful; rest != 0; rest &= rest - 1) {
      const std::uint32_t item = i + static_cast<std::uint32_t>(std::countr_zero(rest));
      if (item >= items_) break;
      verdict.inside &= ~(rest & (~rest + 1));
      if (decide(item)) verdict.inside |= rest & (~rest + 1);
    }
    inside_[i / 64] |= std::uint64_t{verdict.inside} << (i % 64);
  }
}

bool Sweep::decide(std::uint32_t item) {
  ++counts_.doubtful;
  const auto after = std::upper_bound(active_.begin(), active_.end(), item,
                                      [](std::uint32_t i, const Active& active) { return i < active.item[2]; });
  const Active& active = *after;
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

std::uint64_t Sweep::inside_bits(const Active& active, int side) const {
  const std::uint32_t begin = active.item[side], shift = begin % 64;
  const std::uint64_t bits = inside_[begin / 64] >> shift | inside_[begin / 64 + 1] << 1 << (63 - shift);
  return deposit(bits & low_bits(active.item[side + 1] - begin), active.row->mask[side]);
}

void Sweep::find_regions(std::uint32_t index) {
  const Active& active = active_[index];
  const auto hand_over = [&] { regions_.push_back({index, 0, 0, 0, 0}); };
  if (active.plain) return hand_over();
  const std::uint64_t inside[2] = {inside_bits(active, 0), inside_bits(active, 1)};
  if ((inside[0] | inside[1]) == 0) return;
  for (int side = 0; side < 2; ++side) {
    const int n = active.outline[side]->nodes;
    const bool closed = n <= kWindow && (inside[side] & 1) != 0 && (inside[side] >> (n - 1)) != 0;
    if (closed) return hand_over();
    find_runs(active, side, inside[side]);
  }
  if (!join_runs(active)) return hand_over();
  std::uint32_t feature = 0;
  for (const auto& runs : runs_)
    for (const Run& run : runs)
      if (run.region == feature) add_region(index, feature++, run.region);
}

void Sweep::find_runs(const Active& active, int side, std::uint64_t inside) {
  std::vector<Run>& runs = runs_[side];
  runs.clear();
  const std::uint64_t mask = active.row->mask[side];
  const std::uint32_t first = active.row->first[side];
  const int n = active.outline[side]->nodes;
  std::size_t wrapped = ~std::size_t{0};  // the first run that begins past node n - 1
  while (inside != 0) {
    const auto begin = static_cast<std::uint32_t>(std::countr_zero(inside));
    const auto count = static_cast<std::uint32_t>(std::countr_one(inside >> begin));
    const std::uint32_t item = active.item[side] + static_cast<std::uint32_t>(std::popcount(mask & low_bits(begin)));
    if (first + begin >= static_cast<std::uint32_t>(n)) wrapped = std::min(wrapped, runs.size());
    const float deepest = *std::max_element(item_depth_.data() + item, item_depth_.data() + item + count);
    runs.push_back({{modulo(first + begin, n), count}, item, item + count - 1, deepest, 0});
    inside &= ~(low_bits(count) << begin);
  }
  if (wrapped < runs.size()) std::rotate(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(wrapped), runs.end());
}

/// \return false when single precision cannot tell whether two runs meet
bool Sweep::join_runs(const Active& active) {
  std::uint32_t next = 0;
  for (auto& runs : runs_)
    for (Run& run : runs) run.region = next++;
  if (next == 1) return true;
  const float tolerance = 16 * outlines_->sign_error;
  bool sure = true;
  const auto meets = [&](int from, const Run& s, const Run& t) {
    const Outline &own = *active.outline[from], &other = *active.outline[1 - from];
    const std::uint32_t last = modulo(s.nodes.first + s.nodes.count - 1, own.nodes);
    const float reach = own.edge_after[last] + other.edge_before[t.nodes.first];
    const float dx = item_x_[s.last] - other.fx[t.nodes.first], dy = item_y_[s.last] - other.fy[t.nodes.first];
    const float excess = dx * dx + dy * dy - reach * reach;
    sure = sure && std::abs(excess) > tolerance * reach;
    return excess < 0;
  };
  const auto rename = [&](std::uint32_t from, std::uint32_t to) {
    for (auto& runs : runs_)
      for (Run& run : runs)
        if (run.region == from) run.region = to;
  };
  for (Run& s : runs_[0]) {
    for (Run& t : runs_[1]) {
      const bool joined = s.region == t.region;
      if ((meets(0, s, t) || meets(1, t, s)) && !joined)
        rename(std::max(s.region, t.region), std::min(s.region, t.region));
    }
  }
  std::uint32_t regions = 0;
  for (auto& runs : runs_)
    for (Run& run : runs)
      if (run.region >= regions) rename(run.region, regions++);
  return sure;
}

void Sweep::add_region(std::uint32_t index, std::uint32_t feature, std::uint32_t region) {
  const Active& active = active_[index];
  float deepest = 0;
  RingInterval interval[2];
  for (int side = 0; side < 2; ++side) {
    region_runs_.clear();
    for (const Run& run : runs_[side]) {
      if (run.region != region) continue;
      deepest = std::max(deepest, run.deepest);
      region_runs_.push_back(run.nodes);
    }
    if (region_runs_.empty()) continue;
    const Outline& own = *active.outline[side];
    const NodeRun nodes = hull(region_runs_, static_cast<std::uint32_t>(own.nodes));
    interval[side] = {own.ring_first[nodes.first], own.ring_length[nodes.count]};
  }
  const float error = std::max(active.outline[0]->depth_error, active.outline[1]->depth_error);
  const float enough = deepest * (1 - 2 * error) - 2 * outlines_->sign_error;
  const auto first = static_cast<std::uint32_t>(deep_.size());
  for (int side = 0; side < 2; ++side) {
    for (const Run& run : runs_[side]) {
      if (run.region != region || run.deepest < enough) continue;
      for (std::uint32_t k = 0; k < run.nodes.count; ++k)
        if (item_depth_[run.item + k] >= enough)
          add_deep(index, side, modulo(run.nodes.first + k, active.outline[side]->nodes));
    }
  }
  regions_.push_back({index, feature, pack_intervals(interval[0], interval[1]), first,
                      static_cast<std::uint32_t>(deep_.size()) - first});
}

void Sweep::add_deep(std::uint32_t index, int side, std::uint32_t node) {
  const std::size_t i = deep_.size();
  if (i == deep_capacity_) {
    const std::size_t capacity = 2 * deep_capacity_ + 512;
    std::vector<double> grown(capacity * kDeepColumns);
    for (int c = 0; c < kDeepColumns; ++c)
      std::copy_n(deep_columns_.data() + c * deep_capacity_, i, grown.data() + c * capacity);
    deep_columns_ = std::move(grown);
    deep_capacity_ = capacity;
  }
  const Active& active = active_[index];
  const Pair& pair = pairs_[active.pair];
  const PlanarPose &own = pose_[side == 0 ? pair.a : pair.b], &other = pose_[side == 0 ? pair.b : pair.a];
  const Outline& outline = *active.outline[side];
  const double values[] = {own.x,   own.y,   own.c,   own.s,           other.x,
                           other.y, other.c, other.s, outline.x[node], outline.y[node]};
  for (int c = 0; c < 10; ++c) deep_columns_[static_cast<std::size_t>(c) * deep_capacity_ + i] = values[c];
  deep_.push_back({index, node, static_cast<std::uint8_t>(side)});
}

// ------------------------------------------------------------------------------------------------- 4. double precision

namespace {

/// Nodes into the other outlines' frames: columns own pose, other pose, node -> point.
void move_deep(std::size_t n, double* const* in, double* __restrict px, double* __restrict py) {
  for (std::size_t i = 0; i < n; ++i) {
    const RelativePose pose =
        relative_pose({in[0][i], in[1][i], in[2][i], in[3][i]}, {in[4][i], in[5][i], in[6][i], in[7][i]});
    const PlanarPoint<double> p = transform(pose, in[8][i], in[9][i]);
    px[i] = p.x;
    py[i] = p.y;
  }
}

}  // namespace

void Sweep::evaluate_deep() {
  const std::size_t n = deep_.size();
  if (n == 0) return;
  double* in[10];
  for (int c = 0; c < 10; ++c) in[c] = column(static_cast<DeepColumn>(c));
  double* __restrict px = column(kNormalX), * __restrict py = column(kNormalY);
  move_deep(n, in, px, py);
  double* __restrict r = column(kR), * __restrict slope = column(kSlope);
  for (std::size_t i = 0; i < n; ++i) {
    const RadialSample<double> sample = active_[deep_[i].active].outline[1 - deep_[i].side]->sample(px[i], py[i]);
    r[i] = sample.r;
    slope[i] = sample.slope;
  }
  double* __restrict depth = column(kDepth), * __restrict rho = column(kRho);
  for (std::size_t i = 0; i < n; ++i) {
    const PointHit hit = point_hit(px[i], py[i], {r[i], slope[i]});
    depth[i] = hit.depth;
    rho[i] = hit.rho;
    px[i] = hit.nx;
    py[i] = hit.ny;
  }
}

void Sweep::emit() {
  for (const Region& region : regions_) {
    const Active& active = active_[region.active];
    const StarPair pair = star_pair(active);
    if (region.count == 0) {
      ++counts_.reference;
      plain_contacts(pair, *options_, 0, plain_, *out_);
      continue;
    }
    DeepNode best[2];
    std::uint32_t node[2];
    bool found[2] = {false, false};
    for (std::uint32_t i = region.first; i < region.first + region.count; ++i) {
      const Deep& deep = deep_[i];
      const PointHit hit{column(kDepth)[i], column(kNormalX)[i], column(kNormalY)[i], column(kRho)[i]};
      const int side = deep.side;
      const bool better =
          !found[side] || hit.depth > best[side].depth || (hit.depth == best[side].depth && deep.node < node[side]);
      if (!better) continue;
      best[side] = deep_node(pair, side, deep.node, hit);
      node[side] = deep.node;
      found[side] = true;
    }
    const DeepNode contact = !found[1] ? best[0] : !found[0] ? best[1] : deeper(best[0], best[1]);
    check_depth(pair, contact);
    out_->push(active.pair, contact.depth, {contact.nx, contact.ny, 0}, {contact.px, contact.py, 0}, region.feature,
               region.payload);
  }
}

}  // namespace scree::star
