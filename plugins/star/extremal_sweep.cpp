#include "extremal_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::star {

namespace {

/// Parts of the smallest radius of both that nodes may move before windows are found anew. The farther, the longer they
/// hold; the nearer, the fewer nodes are in them: within the last, hardly more than those with an extremum.
constexpr float kReach[] = {0.022f, 0.003f, 0.0004f};
constexpr std::uint8_t kNearest = 2;
static_assert(kReach[0] <= kSlopeReach * kSlopeCore);
/// Steps after which windows that still hold are worth narrowing.
constexpr std::uint8_t kPatience = 100;
/// Rows of the cache that are asked for before they are needed: between steps they go to a farther cache.
constexpr std::uint32_t kAhead = 10;
/// Times the farthest, at most, where there are none.
constexpr float kFarReach = 8;
/// Part of a reach that motion may use up; the rest covers rounding.
constexpr float kUsable = 0.97f;

/// Bound of the error of single-precision depths of one outline's nodes in the other's field [m]: that of the field,
/// and of the nodes' places.
float depth_error(const ExtremalOutline& own, const ExtremalOutline& other) {
  return static_cast<float>(other.bounds.error + 1e-6 * other.bounds.steepest * (own.r_max + other.r_max));
}

/// Bits of nodes by sixteens. \param bits16  those of nodes i .. i + 15
template <class Bits16>
void fill_bits(std::vector<std::uint64_t>& bits, std::uint32_t n, Bits16&& bits16) {
  bits.assign(n / 64 + 2, 0);
  for (std::uint32_t i = 0; i < n; i += kLanes) bits[i / 64] |= std::uint64_t{bits16(i)} << (i % 64);
}

}  // namespace

void ExtremalSweep::detect(const ExtremalShapes& shapes, const BodyView& bodies, std::span<const Pair> pairs,
                           DepthWindows* cache, ContactBuffer& out) {
  shapes_ = &shapes;
  bodies_ = &bodies;
  pairs_ = pairs;
  cache_ = cache;
  out_ = &out;
  start_block();  // an exception may have left one unfinished
  last_pair_ = ~0u;
  pose_.resize(std::max(pose_.size(), bodies.size));
  place_bodies();
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const std::uint32_t a = bodies.shape[pairs[i].a], b = bodies.shape[pairs[i].b];
    if (shapes.outline(a) != nullptr && shapes.outline(b) != nullptr) {
      if (items_ > kItems) finish_block();
      gather_pair(i, a, b);
    } else {
      finish_block();
      wall_extrema(shapes, bodies, pairs[i], i, 0, wall_, out);
    }
  }
  finish_block();
}

void ExtremalSweep::place_bodies() {
  for (std::uint32_t row = 0; row < bodies_->size; ++row) {
    const ExtremalOutline* outline = shapes_->outline(bodies_->shape[row]);
    if (outline != nullptr) pose_[row] = planar_pose(*bodies_, row, outline->centre);
  }
}

// --------------------------------------------------------------------------------------------------------- 1. windows

void ExtremalSweep::gather_pair(std::uint32_t index, std::uint32_t shape_a, std::uint32_t shape_b) {
  const Pair& pair = pairs_[index];
  const ExtremalOutline &a = *shapes_->outline(shape_a), &b = *shapes_->outline(shape_b);
  DepthWindows& row = cache_[index];
  __builtin_prefetch(cache_ + std::min<std::size_t>(index + kAhead, pairs_.size() - 1));
  const double dx = pose_[pair.b].x - pose_[pair.a].x, dy = pose_[pair.b].y - pose_[pair.a].y;
  const double farthest = contact_reach(a, b), distance2 = dx * dx + dy * dy;
  if (distance2 > farthest * farthest) return;
  MutualPose mutual;
  const bool held = kernels::holds(row.reference, row.lever2, row.reach2, pose_[pair.a], pose_[pair.b], mutual);
  const bool narrow = row.steps == kPatience && row.level < kNearest && row.windows != 0;
  if (row.steps < kPatience) ++row.steps;
  if (!held || narrow) refresh(a, b, mutual, row);
  if (row.windows == 0) return;
  const double largest = std::max(a.r_max, b.r_max);
  if (distance2 < largest * largest * (1 + 1e-9))
    check_centres(
        {{&a, &b}, {pose_[pair.a], pose_[pair.b]}, {bodies_->row[pair.a].id, bodies_->row[pair.b].id}, index});
  actives_.push_back(
      {{&a, &b}, index, {pair.a, pair.b}, {ExtremalShapes::field_of(shape_a), ExtremalShapes::field_of(shape_b)}});
  const FloatPose* const pose[] = {&mutual.a_in_b, &mutual.b_in_a};
  for (std::uint32_t k = 0; k < row.windows; ++k) append(row.window[k], *pose[row.window[k].side]);
}

/// Appends a window of the last active pair.
inline void ExtremalSweep::append(const NodeWindow& window, const FloatPose& pose) {
  make_room(window.count + kStencil - 1);
  const auto index = static_cast<std::int32_t>(segments_.size());
  segments_.push_back({static_cast<std::uint32_t>(actives_.size() - 1), window.side, items_, window.first});
  if (window.count == 1) {  // to be evaluated anyway
    x_[items_] = y_[items_] = 0;
    table_[items_] = 0;
    segment_[kFront + items_++] = ~index;
    return;
  }
  const Active& active = actives_.back();
  const ExtremalOutline& own = *active.outline[window.side];
  const std::uint32_t count = window.count + kStencil - 1;  // columns begin two nodes before the first
  kernels::move_nodes(count, own.fx.data() + window.first, own.fy.data() + window.first, pose, x_.data() + items_,
                      y_.data() + items_);
  for (std::uint32_t i = 0; i < count; i += kLanes) {
    std::fill_n(table_.data() + items_ + i, kLanes, active.field[1 - window.side]);
    std::fill_n(segment_.data() + kFront + items_ + i, kLanes, index);
  }
  segments_.back().item += 2;
  items_ += count;
}

/// Columns are written by sixteens.
inline void ExtremalSweep::make_room(std::uint32_t items) {
  const std::size_t needed = kFront + items_ + items + 2 * kLanes;
  if (needed <= x_.size()) return;
  for (std::vector<float>* column : {&x_, &y_, &u_}) column->resize(2 * needed);
  for (std::vector<std::int32_t>* column : {&table_, &segment_, &listed_}) column->resize(2 * needed);
}

void ExtremalSweep::refresh(const ExtremalOutline& a, const ExtremalOutline& b, const MutualPose& mutual,
                            DepthWindows& row) {
  if (row.steps == kPatience) {
    if (row.level < kNearest) ++row.level;
  } else if (row.level > 0) {
    --row.level;
  }
  const FloatPose &in_b = mutual.a_in_b, &in_a = mutual.b_in_a;
  const float distance = std::sqrt(in_b.x * in_b.x + in_b.y * in_b.y);
  row.windows = 0;
  const float reach_a = find_windows(a, b, in_b, 0, row), reach_b = find_windows(b, a, in_a, 1, row);
  const float reach = std::min(reach_a, reach_b);
  // A node of a moves by |shift| + ra |turn| at most in b's frame, one of b by |shift| + (distance + rb) |turn| in a's,
  // and the distance may grow by the reach.
  const float lever = std::max(static_cast<float>(a.r_max), distance + reach + static_cast<float>(b.r_max));
  row.reference = in_b;
  row.steps = 0;
  row.lever2 = lever * lever;
  row.reach2 = kUsable * reach * kUsable * reach;
}

namespace {

/// Nodes of one outline in the field of another, from two before the first to two behind the last.
struct Ring {
  std::vector<float> x, y, u;
  std::vector<float> slack;  ///< how much the depth may change, or be wrong by
  std::vector<std::int32_t> table;
  std::vector<std::uint64_t> bits, by_node;

  void resize(std::size_t size) {
    if (x.size() >= size) return;
    for (std::vector<float>* column : {&x, &y, &u, &slack}) column->resize(size);
    table.resize(size);
  }
};

/// Appends runs of nodes whose bit is set, ascending; those beyond the most that a side may have are joined to the
/// last.
void add_windows(std::span<const std::uint64_t> bits, std::uint32_t n, std::uint16_t side, DepthWindows& row) {
  const std::uint32_t begin = row.windows;
  std::uint32_t end = 0;
  for (std::uint32_t first = next_node(bits, 0, n, true); first < n; first = next_node(bits, end, n, true)) {
    // What lies between two runs costs no more than the nodes that either would need beyond its ends.
    const std::uint32_t count = row.windows - begin;
    const bool join = count == DepthWindows::kMost || (count > 0 && first - end < kStencil);
    end = next_node(bits, first, n, false);
    if (!join) row.window[row.windows++] = {static_cast<std::uint16_t>(first), 0, side};
    NodeWindow& window = row.window[row.windows - 1];
    window.count = end - window.first;
  }
}

}  // namespace

namespace {

/// Consecutive nodes of a ring.
struct Arc {
  std::uint32_t first, count;
};

/// The shortest arc of whole blocks that holds all nodes within `reach` of the other's centre. Empty: there are none.
Arc near_arc(const ExtremalOutline& own, const FloatPose& pose, float reach) {
  const std::size_t blocks = own.blocks.size();
  std::size_t first = blocks, last = 0, longest = 0, after = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    const FloatBlock& block = own.float_blocks[i];
    const float x = pose.x + (pose.c * block.x - pose.s * block.y), y = pose.y + (pose.s * block.x + pose.c * block.y);
    const float far = block.radius + reach;
    if (x * x + y * y > far * far) continue;
    if (first == blocks) {
      first = i;
    } else if (i - last > longest) {
      longest = i - last;
      after = i;
    }
    last = i;
  }
  if (first == blocks) return {0, 0};
  if (first + blocks - last >= longest) after = first, longest = first + blocks - last;
  const std::size_t end = (after + blocks - longest) % blocks;  // its last block
  const NodeBlock &begin_block = own.blocks[after], &end_block = own.blocks[end];
  const int count = end_block.first + end_block.count - begin_block.first;
  return {static_cast<std::uint32_t>(begin_block.first),
          static_cast<std::uint32_t>(count > 0 ? count : count + own.nodes)};
}

}  // namespace

/// Adds all nodes that may carry an extremum until nodes have moved by the reach of the row's level.
/// \return how far they may move: 0 where that is not known, more than the reach where there are none by far [m]
float ExtremalSweep::find_windows(const ExtremalOutline& own, const ExtremalOutline& other, const FloatPose& pose,
                                  std::uint16_t side, DepthWindows& row) {
  static thread_local Ring ring;
  const auto n = static_cast<std::uint32_t>(own.nodes);
  const float error = depth_error(own, other);
  const float least_radius = static_cast<float>(std::min(own.r_min, other.r_min));
  const float reach = kReach[row.level] * least_radius, most = kFarReach * kReach[0] * least_radius;
  Arc arc = near_arc(own, pose, static_cast<float>(node_reach(own, other)) + most + error);
  if (arc.count == 0) return most;
  // Extrema: of the arc and one node beyond. Their stencils: two nodes more.
  arc = arc.count + 2 >= n ? Arc{0, n} : Arc{(arc.first + n - 1) % n, arc.count + 2};
  const std::uint32_t size = arc.count + kStencil - 1;
  ring.resize(size + 2 * kLanes);
  kernels::move_nodes(size, own.fx.data() + arc.first, own.fy.data() + arc.first, pose, ring.x.data(), ring.y.data());
  kernels::float_depths(size, other.field.data(), ring.x.data(), ring.y.data(), ring.table.data(), ring.u.data());
  // A depth that changes by d changes control values by 1.5 d.
  const float room =
      (-kernels::largest_control(size, ring.u.data()) / 1.5f - error) / static_cast<float>(other.bounds.steepest);
  if (room > reach) return std::min(room, most);
  const bool sure = kernels::slacks(size, {ring.x.data(), ring.y.data(), ring.u.data(), ring.slack.data()},
                                    other.bounds.slopes.data(), reach, shapes_->error);
  fill_bits(ring.bits, arc.count,
            [&](std::uint32_t i) { return kernels::possible(ring.u.data() + i + 2, ring.slack.data() + i + 2); });
  // In order of nodes, wherever the arc begins.
  ring.by_node.assign(mask_words(n), 0);
  for (std::uint32_t i = next_node(ring.bits, 0, arc.count, true); i < arc.count;
       i = next_node(ring.bits, i + 1, arc.count, true)) {
    const std::uint32_t node = arc.first + i < n ? arc.first + i : arc.first + i - n;
    ring.by_node[node / 64] |= std::uint64_t{1} << (node % 64);
  }
  add_windows(ring.by_node, n, side, row);
  return sure ? reach : 0;
}

// --------------------------------------------------------------------------------------------------------- 2. extrema

void ExtremalSweep::finish_block() {
  find_extrema();
  start_block();
}

void ExtremalSweep::start_block() {
  items_ = 0;
  actives_.clear();
  segments_.clear();
}

void ExtremalSweep::find_extrema() {
  if (segments_.empty()) return;
  // Whole groups are computed: what lies behind the last item must be places, too.
  std::fill_n(x_.data() + items_, kLanes, 0.0f);
  std::fill_n(y_.data() + items_, kLanes, 0.0f);
  std::fill_n(table_.data() + items_, kLanes, 0);
  std::fill_n(segment_.data(), kFront, std::numeric_limits<std::int32_t>::max());
  std::fill_n(segment_.data() + kFront + items_, kLanes, static_cast<std::int32_t>(segments_.size()));
  kernels::float_depths(items_, shapes_->fields.data(), x_.data(), y_.data(), table_.data(), u_.data() + kFront);
  const std::uint32_t listed =
      kernels::list_possible(items_, u_.data() + kFront, segment_.data() + kFront, shapes_->error, listed_.data());
  for (std::uint32_t begin = 0; begin < listed; begin += kExtrema) {
    extrema_.resize(std::min(listed - begin, kExtrema));
    for (std::uint32_t k = 0; k < extrema_.size(); ++k) {
      const std::int32_t item = listed_[begin + k], mark = segment_[kFront + item];
      const auto segment = static_cast<std::uint32_t>(mark < 0 ? ~mark : mark);
      extrema_[k] = {segment, segments_[segment].first + (static_cast<std::uint32_t>(item) - segments_[segment].item)};
    }
    finish_extrema();
  }
}

}  // namespace scree::star
