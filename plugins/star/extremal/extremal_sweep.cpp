#include "extremal/extremal_sweep.hpp"

#include <algorithm>
#include <cmath>

namespace scree::star {

namespace {

/// Parts of the smallest radius of both that nodes may move before windows are found anew. The farther, the longer they
/// hold; the nearer, the fewer nodes are in them: within the last, hardly more than those with an extremum.
constexpr float kReach[] = {0.022f, 0.007f, 0.002f, 0.0005f, 0.0001f};
constexpr std::uint8_t kNearest = 4;
static_assert(kReach[0] <= kSlopeReach * kSlopeCore);
/// Steps after which windows that still hold are worth narrowing; that have held when narrower ones would do; and when
/// wider ones would.
constexpr std::uint8_t kPatience = 40, kSlow = 20, kFast = 5;
/// Rows of the cache that are asked for before they are needed: between steps they go to a farther cache.
constexpr std::uint32_t kCachesAhead = 10;
/// Times the farthest, at most, where there are none.
constexpr float kFarReach = 2;
/// Part of a reach that motion may use up; the rest covers rounding.
constexpr float kUsableReach = 0.97f;

/// Returns the largest distance that nodes may move if there are no windows [m].
float farthest_reach(const ExtremalOutline& own, const ExtremalOutline& other) {
  return kFarReach * kReach[0] * static_cast<float>(std::min(own.r_min, other.r_min));
}

/// Bound of the error of single-precision depths of one outline's nodes in the other's field [m]: that of the field,
/// and of the nodes' places.
float depth_error(const ExtremalOutline& own, const ExtremalOutline& other) {
  return static_cast<float>(other.bounds.error + 1e-6 * other.bounds.steepest * (own.r_max + other.r_max));
}

}  // namespace

void ExtremalSweep::detect(const ExtremalShapes& shapes, const BodyView& bodies, std::span<const Pair> pairs,
                           DepthWindows* cache, ContactBuffer& out) {
  shapes_ = &shapes;
  bodies_ = &bodies;
  pairs_ = pairs;
  cache_ = cache;
  out_ = &out;
  gathered_ = listed_ = 0;  // an exception may have left some
  last_pair_ = ~0u;
  place_bodies();
  windows_.resize(std::max<std::size_t>(windows_.size(), 2 * kWindows));
  found_.resize(windows_.size());
  renewals_.clear();
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    if (body_[pairs[i].a].outline != nullptr && body_[pairs[i].b].outline != nullptr) {
      if (gathered_ >= kWindows) finish_windows();
      gather_pair(i);
    } else {
      finish_windows();
      finish_extrema(listed_);
      wall_extrema(shapes, bodies, pairs[i], i, 0, wall_, out);
    }
  }
  finish_windows();
  finish_extrema(listed_);
}

void ExtremalSweep::place_bodies() {
  body_.resize(std::max(body_.size(), bodies_->size));
  for (std::uint32_t row = 0; row < bodies_->size; ++row) {
    const std::uint32_t shape = bodies_->shape[row];
    const ExtremalOutline* outline = shapes_->outline(shape);
    Body& body = body_[row];
    body.outline = outline;
    if (outline == nullptr) continue;
    body.pose = planar_pose(*bodies_, row, outline->centre);
    body.x = outline->x.data();
    body.y = outline->y.data();
    body.field = ExtremalShapes::field_of(shape);
    body.radius2 = static_cast<float>(1.00001 * outline->r_max * outline->r_max);
  }
}

// --------------------------------------------------------------------------------------------------------- 1. windows

void ExtremalSweep::gather_pair(std::uint32_t index) {
  const Pair& pair = pairs_[index];
  const Body &a = body_[pair.a], &b = body_[pair.b];
  DepthWindows& row = cache_[index];
  __builtin_prefetch(cache_ + std::min<std::size_t>(index + kCachesAhead, pairs_.size() - 1));
  MutualPose mutual;
  const bool held = kernels::holds(row.reference, row.lever2, row.reach2, a.pose, b.pose, mutual);
  const bool narrow = row.steps == kPatience && row.level < kNearest && row.windows != 0;
  if (row.steps < kPatience) ++row.steps;
  const FloatPose& in_b = mutual.a_in_b;
  if (in_b.x * in_b.x + in_b.y * in_b.y < std::max(a.radius2, b.radius2))
    check_centres(
        {{a.outline, b.outline}, {a.pose, b.pose}, {bodies_->row[pair.a].id, bodies_->row[pair.b].id}, index});
  if (!held || narrow) return begin_renewal(index, a, b, mutual, row);
  // All places of the row at once: a loop over those that count would be guessed wrong too often.
  for (std::uint32_t k = 0; k < 2 * DepthWindows::kMost; ++k) windows_[gathered_ + k] = {index, row.window[k]};
  gathered_ += row.windows;
}

void ExtremalSweep::begin_renewal(std::uint32_t index, const Body& a, const Body& b, const MutualPose& mutual,
                                  DepthWindows& row) {
  if (row.steps >= kSlow) {
    if (row.level < kNearest) ++row.level;
  } else if (row.level > 0 && row.steps < kFast && row.reach2 > 0) {
    --row.level;
  }
  const std::uint32_t begin = gathered_;
  list_blocks(index, a, b, mutual.a_in_b, 0);
  const std::uint32_t middle = gathered_;
  list_blocks(index, b, a, mutual.b_in_a, 1);
  renewals_.push_back({index, {begin, middle, gathered_}, mutual.a_in_b});
}

/// Lists the blocks of nodes that come near the other outline before nodes have moved by the farthest reach.
void ExtremalSweep::list_blocks(std::uint32_t index, const Body& own_body, const Body& other_body,
                                const FloatPose& pose, std::uint16_t side) {
  const ExtremalOutline &own = *own_body.outline, &other = *other_body.outline;
  const float near = static_cast<float>(node_reach(own, other)) + farthest_reach(own, other) + depth_error(own, other);
  for (std::size_t begin = 0; begin < own.blocks.size(); begin += kLanes) {
    if (gathered_ + 2 * kLanes > windows_.size()) {
      windows_.resize(2 * windows_.size());
      found_.resize(windows_.size());
    }
    std::uint32_t blocks = kernels::near_circles(own.circles.x.data() + begin, own.circles.y.data() + begin,
                                                 own.circles.radius.data() + begin, pose, near);
    if (own.blocks.size() - begin < kLanes) blocks &= (1u << (own.blocks.size() - begin)) - 1;
    for (; blocks != 0; blocks &= blocks - 1)
      windows_[gathered_++] = {index,
                               own.blocks[begin + static_cast<std::size_t>(std::countr_zero(blocks))].nodes(side)};
  }
}

namespace {

/// Appends runs of nodes whose bit is set, ascending, in pieces of kLooked nodes.  \return false: a side cannot have as
/// many
bool add_windows(std::span<const std::uint64_t> bits, std::uint32_t n, std::uint16_t side, DepthWindows& row) {
  const std::uint32_t begin = row.windows;
  std::uint32_t end = 0;
  for (std::uint32_t first = next_node(bits, 0, n, true); first < n; first = next_node(bits, end, n, true)) {
    // What lies between two runs costs no more than the nodes that either would need beyond its ends.
    const bool beside = row.windows > begin && first - end < kStencil;
    end = next_node(bits, first, n, false);
    if (beside && end - row.window[row.windows - 1].first <= kLooked) {
      row.window[row.windows - 1].count = (end - row.window[row.windows - 1].first) & 0x7fff;
      continue;
    }
    if (row.windows == begin + DepthWindows::kMost) return false;
    end = std::min(end, first + kLooked);
    row.window[row.windows++] = {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>((end - first) & 0x7fff),
                                 side};
  }
  return true;
}

}  // namespace

void ExtremalSweep::renew(const Renewal& renewal) {
  const Pair& pair = pairs_[renewal.pair];
  const ExtremalOutline &a = *body_[pair.a].outline, &b = *body_[pair.b].outline;
  const FloatPose& in_b = renewal.in_b;
  DepthWindows& row = cache_[renewal.pair];
  row.windows = 0;
  const float reach_a = find_windows(renewal, 0, row), reach_b = find_windows(renewal, 1, row);
  const float reach = std::min(reach_a, reach_b), distance = std::sqrt(in_b.x * in_b.x + in_b.y * in_b.y);
  // A node of a moves by |shift| + ra |turn| at most in b's frame, one of b by |shift| + (distance + rb) |turn| in a's,
  // and the distance may grow by the reach.
  const float lever = std::max(static_cast<float>(a.r_max), distance + reach + static_cast<float>(b.r_max));
  row.reference = in_b;
  row.steps = 0;
  row.lever2 = lever * lever;
  row.reach2 = kUsableReach * reach * kUsableReach * reach;
}

/// Adds all nodes that may carry an extremum until nodes have moved by the reach of the row's level.
/// \return distance that they may move [m]: 0 if unknown, more than the reach if there are none by far
float ExtremalSweep::find_windows(const Renewal& renewal, std::uint16_t side, DepthWindows& row) {
  const Pair& pair = pairs_[renewal.pair];
  const ExtremalOutline &own = *body_[side == 0 ? pair.a : pair.b].outline,
                        &other = *body_[side == 0 ? pair.b : pair.a].outline;
  const auto n = static_cast<std::uint32_t>(own.nodes);
  const float error = depth_error(own, other), steepest = static_cast<float>(other.bounds.steepest);
  const float reach = kReach[row.level] * static_cast<float>(std::min(own.r_min, other.r_min));
  // A depth that changes by d changes control values by 1.5 d.
  const float enough = -1.5f * (steepest * reach + error);
  float top = -1e30f;
  bool sure = true;
  std::uint32_t any = 0;
  marks_.assign(mask_words(n) + 1, 0);
  for (std::uint32_t i = renewal.begin[side]; i < renewal.begin[side + 1]; ++i) {
    const NodeWindow& window = windows_[i].nodes;
    const CoarseNodes& nodes = nodes_[slot_[i]];
    const float highest = kernels::largest_control(nodes, window.count);
    top = std::max(top, highest);
    if (highest < enough) continue;
    const LookedAhead ahead =
        kernels::look_ahead(nodes, window.count, shapes_->error, other.bounds.slopes.data(), reach);
    const std::uint64_t soon = ahead.soon;
    const std::uint32_t word = window.first / 64, bit = window.first % 64;
    marks_[word] |= soon << bit;
    if (bit > 64 - kLooked) marks_[word + 1] |= soon >> (64 - bit);
    any |= ahead.soon;
    sure = sure && ahead.sure;
  }
  if (top < enough) return std::min((-top / 1.5f - error) / steepest, farthest_reach(own, other));
  const bool fit = any == 0 || add_windows(marks_, n, side, row);
  if (!fit && row.level < kNearest) ++row.level;  // for the next step
  return sure && fit ? reach : 0;
}

// ---------------------------------------------------------------------------------------------------------- 2. extrema

/// From windows to nodes.
void ExtremalSweep::finish_windows() {
  look();
  for (const Renewal& renewal : renewals_) renew(renewal);
  renewals_.clear();
  list_extrema();
  gathered_ = 0;
  constexpr std::uint32_t block = kGroups * kOctet;
  while (listed_ >= block) finish_extrema(block);
}

/// Finds which nodes of wide windows may carry an extremum. Short loops, see finish_extrema().
void ExtremalSweep::look() {
  wide_.resize(windows_.size());
  slot_.resize(windows_.size());
  nodes_.resize(windows_.size());
  std::uint32_t wide = 0;
  for (std::uint32_t i = 0; i < gathered_; ++i) {
    found_[i] = 1;
    slot_[i] = wide;
    wide_[wide] = i;
    wide += windows_[i].nodes.count > 1 ? 1 : 0;
  }
  for (std::uint32_t k = 0; k < wide; ++k) {
    const Extremum& window = windows_[wide_[k]];
    const Pair& pair = pairs_[window.pair];
    const bool of_b = window.nodes.side != 0;
    const Body &own = body_[of_b ? pair.b : pair.a], &other = body_[of_b ? pair.a : pair.b];
    const ExtremalOutline& outline = *own.outline;
    kernels::coarse_places(outline.fx.data() + window.nodes.first, outline.fy.data() + window.nodes.first,
                           float_pose(own.pose, other.pose), nodes_[k]);
  }
  for (std::uint32_t k = 0; k < wide; ++k) {
    const Extremum& window = windows_[wide_[k]];
    const Pair& pair = pairs_[window.pair];
    const Body& other = body_[window.nodes.side != 0 ? pair.a : pair.b];
    kernels::coarse_depths(shapes_->fields.data() + other.field, nodes_[k]);
  }
  for (std::uint32_t k = 0; k < wide; ++k)
    found_[wide_[k]] = kernels::possible_now(nodes_[k], windows_[wide_[k]].nodes.count, shapes_->error);
}

void ExtremalSweep::list_extrema() {
  for (std::uint32_t i = 0; i < gathered_; ++i) {
    if (listed_ + 2 * kLanes > extrema_.size()) extrema_.resize(2 * (extrema_.size() + kLanes));
    const Extremum& window = windows_[i];
    std::uint32_t bits = found_[i];
    const auto put = [&] {
      const auto node = window.nodes.first + static_cast<std::uint32_t>(std::countr_zero(bits));
      extrema_[listed_] = {window.pair, {static_cast<std::uint16_t>(node), 1, window.nodes.side}};
    };
    put();  // of up to one, nothing is to be guessed
    listed_ += bits != 0 ? 1 : 0;
    while (std::popcount(bits) > 1) {
      bits &= bits - 1;
      put();
      ++listed_;
    }
  }
}

}  // namespace scree::star
