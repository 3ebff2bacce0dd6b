#include "extremal_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace scree::star {

namespace {

/// Part of the smallest radius of both that nodes may move before windows are found anew: long enough to be reused,
/// short enough to keep windows short.
constexpr float kReach = 0.01f;
static_assert(kReach <= kSlopeReach * kSlopeCore);
/// Part of a reach that motion may use up; the rest covers rounding.
constexpr float kUsable = 0.97f;

/// Bound of the error of single-precision depths of one outline's nodes in the other's field [m]: that of the field,
/// and of the nodes' places.
float depth_error(const ExtremalOutline& own, const ExtremalOutline& other) {
  return static_cast<float>(other.bounds.error + 1e-6 * other.bounds.steepest * (own.r_max + other.r_max));
}

// Plain loops over columns: the compiler makes them as wide as it may.

void move_nodes(std::uint32_t n, const float* __restrict fx, const float* __restrict fy, const FloatPose pose,
                float* __restrict x, float* __restrict y) {
  for (std::uint32_t i = 0; i < n; ++i) {
    x[i] = pose.x + (pose.c * fx[i] - pose.s * fy[i]);
    y[i] = pose.y + (pose.s * fx[i] + pose.c * fy[i]);
  }
}

/// Marks nodes whose segment may have an extremum with value > 0, whatever the errors of the depths. A value is a mean
/// of control values, so the largest of the three bounds it; an error e of the depths makes 1.5 e of a control value
/// and 3 e of a difference.
void mark(std::uint32_t n, const float* __restrict u, float error, std::uint8_t* __restrict marked) {
  for (std::uint32_t i = 2; i + 2 < n; ++i) {
    const float before = control_value(u[i - 2], u[i - 1], u[i]), here = control_value(u[i - 1], u[i], u[i + 1]);
    const float after = control_value(u[i], u[i + 1], u[i + 2]), in = here - before, out = after - here;
    const float least = std::min(in, out), most = std::max(in, out), top = std::max(std::max(before, here), after);
    marked[i] = static_cast<std::uint8_t>((least <= 3 * error) & (most >= -3 * error) & (top > -1.5f * error));
  }
}

}  // namespace

void ExtremalSweep::detect(const ExtremalShapes& shapes, const BodyView& bodies, std::span<const Pair> pairs,
                           DepthWindows* cache, ContactBuffer& out) {
  shapes_ = &shapes;
  bodies_ = &bodies;
  pairs_ = pairs;
  cache_ = cache;
  out_ = &out;
  items_ = 0;  // an exception may have left a block unfinished
  segments_.clear();
  extrema_.clear();
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
      finish_extrema();
      wall_extrema(shapes, bodies, pairs[i], i, 0, wall_, out);
    }
  }
  finish_block();
  finish_extrema();
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
  const MutualPose mutual = kernels::mutual_pose(pose_[pair.a], pose_[pair.b]);
  const FloatPose &in_b = mutual.a_in_b, &in_a = mutual.b_in_a;
  if (!(kernels::moved2(in_b, row.reference, row.lever2) < row.reach2)) refresh(a, b, mutual, row);
  if ((row.windows[0] | row.windows[1]) == 0) return;
  const double reach = std::max(a.r_max, b.r_max);
  if (in_b.x * in_b.x + in_b.y * in_b.y < 1.0001 * reach * reach)
    check_centres(
        {{&a, &b}, {pose_[pair.a], pose_[pair.b]}, {bodies_->row[pair.a].id, bodies_->row[pair.b].id}, index});
  for (std::uint32_t k = 0; k < row.windows[0]; ++k) {
    const NodeWindow& w = row.window[0][k];
    append(in_b, {index, 0, items_, 0, w.first, &a, &b, ExtremalShapes::field_of(shape_b)}, w.count);
  }
  for (std::uint32_t k = 0; k < row.windows[1]; ++k) {
    const NodeWindow& w = row.window[1][k];
    append(in_a, {index, 1, items_, 0, w.first, &b, &a, ExtremalShapes::field_of(shape_a)}, w.count);
  }
}

void ExtremalSweep::append(const FloatPose& pose, const Segment& segment, std::uint32_t nodes) {
  const std::uint32_t count = nodes + kStencil - 1, end = items_ + count;
  if (end + kLanes > x_.size()) {
    const std::size_t size = 2 * (end + kLanes);
    for (std::vector<float>* column : {&x_, &y_, &u_}) column->resize(size);
    table_.resize(size);
    marked_.resize(size);
  }
  const ExtremalOutline& own = *segment.own;  // its columns begin two nodes before the first
  move_nodes(count, own.fx.data() + segment.first, own.fy.data() + segment.first, pose, x_.data() + items_,
             y_.data() + items_);
  std::fill_n(table_.data() + items_, count, segment.field);
  segments_.push_back(segment);
  segments_.back().count = count;
  items_ = end;
}

void ExtremalSweep::refresh(const ExtremalOutline& a, const ExtremalOutline& b, const MutualPose& mutual,
                            DepthWindows& row) {
  const FloatPose &in_b = mutual.a_in_b, &in_a = mutual.b_in_a;
  const float distance = std::sqrt(in_b.x * in_b.x + in_b.y * in_b.y);
  float reach = kReach * static_cast<float>(std::min(a.r_min, b.r_min));
  const bool shallow_a = find_windows(a, b, in_b, reach, row.windows[0], row.window[0]);
  const bool shallow_b = find_windows(b, a, in_a, reach, row.windows[1], row.window[1]);
  if (!shallow_a || !shallow_b) reach = 0;  // anew next time
  // A node of a moves by |shift| + ra |turn| at most in b's frame, one of b by |shift| + (distance + rb) |turn| in a's,
  // and the distance may grow by the reach. (u + v)^2 <= 2 (u^2 + v^2).
  const float lever = std::max(static_cast<float>(a.r_max), distance + reach + static_cast<float>(b.r_max));
  row.reference = in_b;
  row.lever2 = lever * lever;
  row.reach2 = 0.5f * kUsable * reach * kUsable * reach;
}

namespace {

/// Nodes of one outline in the field of another, from two before the first to two behind the last.
struct Ring {
  std::vector<float> x, y, u;
  std::vector<float> slack;  ///< how much the depth may change, or be wrong by
  std::vector<std::int32_t> table;
  std::vector<std::uint8_t> marked;

  void resize(std::size_t size) {
    if (x.size() >= size) return;
    for (std::vector<float>* column : {&x, &y, &u, &slack}) column->resize(size);
    table.resize(size);
    marked.resize(size);
  }
};

/// As mark(), with a bound of its own for every node.
void mark_possible(std::uint32_t n, const float* __restrict u, const float* __restrict slack,
                   std::uint8_t* __restrict marked) {
  for (std::uint32_t i = 2; i + 2 < n; ++i) {
    const float before = control_value(u[i - 2], u[i - 1], u[i]), here = control_value(u[i - 1], u[i], u[i + 1]);
    const float after = control_value(u[i], u[i + 1], u[i + 2]), in = here - before, out = after - here;
    const auto bound = [](float l, float m, float r) { return (10 * m + l + r) * 0.125f; };
    const float of_before = bound(slack[i - 2], slack[i - 1], slack[i]);
    const float of_here = bound(slack[i - 1], slack[i], slack[i + 1]);
    const float of_after = bound(slack[i], slack[i + 1], slack[i + 2]);
    const float least = std::min(in - of_before, out - of_after) - of_here;
    const float most = std::max(in + of_before, out + of_after) + of_here;
    const float top = std::max(std::max(before + of_before, here + of_here), after + of_after);
    marked[i] = static_cast<std::uint8_t>((least <= 0) & (most >= 0) & (top > 0));
  }
}

/// Runs of marked nodes, ascending; those beyond the most that a row holds are joined to the last.
std::uint32_t windows_of(const std::uint8_t* marked, std::uint32_t n, NodeWindow* windows) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (marked[i] == 0) continue;
    const std::uint32_t first = i;
    while (i < n && marked[i] != 0) ++i;
    const std::uint32_t last_end = count == 0 ? 0 : windows[count - 1].first + windows[count - 1].count;
    // What lies between two runs costs no more than the nodes that either would need beyond its ends.
    const bool join = count == DepthWindows::kMost || (count > 0 && first - last_end < kStencil);
    if (join) {
      windows[count - 1].count = static_cast<std::uint16_t>(i - windows[count - 1].first);
    } else {
      windows[count++] = {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(i - first)};
    }
  }
  return count;
}

}  // namespace

/// All nodes that may carry an extremum until nodes have moved by `reach`.
/// \return whether that is sure: the bounds of slopes hold down to a part of the radius only
bool ExtremalSweep::find_windows(const ExtremalOutline& own, const ExtremalOutline& other, const FloatPose& pose,
                                 float reach, std::uint32_t& count, NodeWindow* windows) {
  static thread_local Ring ring;
  const std::uint32_t n = static_cast<std::uint32_t>(own.nodes), size = n + kStencil - 1;
  ring.resize(size + kLanes);
  move_nodes(size, own.fx.data(), own.fy.data(), pose, ring.x.data(), ring.y.data());
  kernels::float_depths(size, other.field.data(), ring.x.data(), ring.y.data(), ring.table.data(), ring.u.data());
  const float error = depth_error(own, other), steepest = static_cast<float>(other.bounds.steepest) * reach + error;
  // w (r - rho) <= 0.8 w rho keeps rho above 0.55 r.
  const float shallow = 0.8f * static_cast<float>(other.bounds.least_w);
  bool sure = true;
  for (std::uint32_t i = 0; i < size; ++i) {
    const float u = ring.u[i];
    ring.slack[i] = steepest;
    if (u < -3 * steepest) continue;
    const float x = ring.x[i], y = ring.y[i];
    const auto part = static_cast<std::size_t>(pseudo_angle(x, y) * (kSlopeCells / 4.0f));
    ring.slack[i] = other.bounds.slope[std::min<std::size_t>(part, kSlopeCells)] * reach + error;
    sure = sure && (u <= 0 || u * u < shallow * shallow * (x * x + y * y));
  }

  mark_possible(size, ring.u.data(), ring.slack.data(), ring.marked.data());
  count = windows_of(ring.marked.data() + ExtremalOutline::kBefore, n, windows);
  return sure;
}

// --------------------------------------------------------------------------------------------------------- 2. extrema

void ExtremalSweep::finish_block() {
  find_extrema();
  items_ = 0;
  segments_.clear();
}

void ExtremalSweep::find_extrema() {
  if (segments_.empty()) return;
  float error = 0;
  for (const Segment& segment : segments_) error = std::max(error, depth_error(*segment.own, *segment.other));
  kernels::float_depths(items_, shapes_->fields.data(), x_.data(), y_.data(), table_.data(), u_.data());
  mark(items_, u_.data(), error, marked_.data());
  std::fill_n(marked_.data() + items_, 8, std::uint8_t{0});
  for (std::uint32_t s = 0; s < segments_.size(); ++s) {
    visit(s, segments_[s].item + 2, segments_[s].item + segments_[s].count - 2);
  }
  finish_extrema();
}

/// Marked items of [begin, end), eight at a time.
void ExtremalSweep::visit(std::uint32_t segment, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t i = begin; i < end; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, marked_.data() + i, sizeof word);
    if (end - i < 8) word &= (std::uint64_t{1} << 8 * (end - i)) - 1;
    for (; word != 0; word &= word - 1) add(segment, i + static_cast<std::uint32_t>(std::countr_zero(word)) / 8);
  }
}

inline void ExtremalSweep::add(std::uint32_t index, std::uint32_t item) {
  if (extrema_.size() == kExtrema) finish_extrema();
  const Segment& segment = segments_[index];
  extrema_.push_back({index, segment.first + (item - segment.item - 2)});
}

// ------------------------------------------------------------------------------------------------- 3. double precision

void ExtremalSweep::finish_extrema() {
  if (extrema_.empty()) return;
  place_stencils();
  evaluate_nodes();
  evaluate_terms();
  emit();
  extrema_.clear();
}

void ExtremalSweep::place_stencils() {
  for (std::size_t i = 0; i < extrema_.size(); ++i) {
    const Segment& segment = segments_[extrema_[i].segment];
    const Pair& pair = pairs_[segment.pair];
    const PlanarPose &own = pose_[segment.side == 0 ? pair.a : pair.b],
                     &other = pose_[segment.side == 0 ? pair.b : pair.a];
    const RelativePose pose = relative_pose(own, other);
    at_.pose_x[i] = pose.x;
    at_.pose_y[i] = pose.y;
    at_.pose_c[i] = pose.c;
    at_.pose_s[i] = pose.s;
    at_.frame_x[i] = other.x;
    at_.frame_y[i] = other.y;
    at_.frame_c[i] = other.c;
    at_.frame_s[i] = other.s;
    at_.direction[i] = segment.side == 0 ? 1 : -1;
    at_.table[i] = segment.field;
    const double core = kCrushed * segment.other->r_min;
    at_.core2[i] = core * core;
    const double *x = segment.own->x.data() + extrema_[i].node, *y = segment.own->y.data() + extrema_[i].node;
    for (int j = 0; j < kStencil; ++j) {
      at_.x[j][i] = x[j];
      at_.y[j][i] = y[j];
    }
  }
}

void ExtremalSweep::evaluate_nodes() {
  for (int j = 0; j < kStencil; ++j)
    kernels::node_depths(static_cast<std::uint32_t>(extrema_.size()), shapes_->fields.data(),
                         {at_.x[j], at_.y[j], at_.u[j], at_.gx[j], at_.gy[j], at_.pose_x, at_.pose_y, at_.pose_c,
                          at_.pose_s, at_.table});
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
    result_.value[i] = term.value;
    result_.sign[i] = term.sign;
    result_.nx[i] = c.nx;
    result_.ny[i] = c.ny;
    result_.px[i] = c.px;
    result_.py[i] = c.py;
    result_.energy[i] = c.energy;
    result_.force[i] = c.force;
    at_.nearest2[i] = nearest2(x, y);
  }
}

void ExtremalSweep::emit() {
  for (std::size_t i = 0; i < extrema_.size(); ++i) {
    if (result_.sign[i] == 0 || !(result_.value[i] > 0)) continue;
    const Segment& segment = segments_[extrema_[i].segment];
    const Pair& pair = pairs_[segment.pair];
    if (at_.nearest2[i] < at_.core2[i])
      throw_crushed(bodies_->row[pair.a].id, bodies_->row[pair.b].id, segment.side == 1, segment.other->r_min,
                    segment.other->r_max);
    feature_ = segment.pair == last_pair_ ? feature_ + 1 : 0;
    last_pair_ = segment.pair;
    const std::uint64_t payload = pack_extremum(static_cast<int>(segment.side), result_.sign[i] < 0, extrema_[i].node,
                                                static_cast<std::uint32_t>(segment.own->nodes));
    out_->push(segment.pair, result_.value[i], {result_.nx[i], result_.ny[i], 0}, {result_.px[i], result_.py[i], 0},
               feature_, payload);
    out_->set_weights(result_.energy[i], result_.force[i]);
  }
}

}  // namespace scree::star
