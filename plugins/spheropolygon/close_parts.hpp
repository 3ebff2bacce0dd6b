#pragma once
/// \file Touching vertices and edges of a pair of bodies, found without lists of the past: for kernels. Host and
/// device.

#include "pair_tables.hpp"
#include "pose.hpp"
#include "touch.hpp"

namespace scree::spheropolygon {

/// A few things of a kind, without memory of its own.
template <class T, int kMost>
class Few {
 public:
  SCREE_HD Few() {}  // items come to be as they are put in

  SCREE_HD T* begin() { return item_; }
  SCREE_HD T* end() { return item_ + size_; }
  SCREE_HD bool overflown() const { return overflown_; }
  SCREE_HD void push_back(const T& value) {
    if (size_ == kMost)
      overflown_ = true;
    else
      item_[size_++] = value;
  }
  /// Keeps what is there in order.
  SCREE_HD void insert(const T& value) {
    push_back(value);
    if (overflown_) return;
    int k = size_ - 1;
    for (; k > 0 && value < item_[k - 1]; --k) item_[k] = item_[k - 1];
    item_[k] = value;
  }

 private:
  int size_ = 0;
  bool overflown_ = false;
  T item_[kMost];
};

/// A vertex and an edge as one number, in the order of contacts: the side of the vertex, the vertex, the edge.
struct CloseTest {
  std::uint64_t key;

  SCREE_HD static CloseTest of(int side, std::uint32_t vertex, std::uint32_t edge) {
    return {static_cast<std::uint64_t>(side) << 40 | static_cast<std::uint64_t>(vertex) << 20 | edge};
  }
  SCREE_HD int side() const { return static_cast<int>(key >> 40); }
  SCREE_HD std::uint32_t vertex() const { return static_cast<std::uint32_t>(key >> 20) & (kMostVertices - 1); }
  SCREE_HD std::uint32_t edge() const { return static_cast<std::uint32_t>(key) & (kMostVertices - 1); }
  SCREE_HD bool operator<(const CloseTest& o) const { return key < o.key; }
};

/// A pair of bodies as it stands; side 0 is a, side 1 is b. Places are seen from b's centre.
struct StandingPair {
  TableShape shape[2];
  Pose pose[2];
  double size[2];
  double margin;  ///< gaps up to this are contacts too [m]

  SCREE_HD double edge_radius(int side) const { return size[side] * shape[side].row().edge_radius; }
  SCREE_HD Placement placement(int side) const {
    const Pose& p = pose[side];
    const double x = side == 0 ? p.x - pose[1].x : 0, y = side == 0 ? p.y - pose[1].y : 0;
    return {x, y, size[side] * p.c, size[side] * p.s, size[side], edge_radius(1 - side)};
  }
  SCREE_HD RoundVertex vertex(int side, std::uint32_t k) const {
    const FlatVertex& v = shape[side].vertex(k);
    return placement(side).vertex({v.x, v.y}, v.radius);
  }
  SCREE_HD Segment edge(int side, std::uint32_t k) const {
    const FlatEdge& e = shape[side].edge(k);
    return placement(side).edge(e.mx, e.my, e.hx, e.hy);
  }
};

/// Growth of boxes over the bodies' size, so that rounding loses nothing.
inline constexpr double kBoxRounding = 1e-9;

/// Looks for vertices near edges in the frame of the shape with more edges, in lengths of that shape: runs of edges of
/// the one against runs of the other, and where their boxes meet, vertex by vertex and edge by edge.
template <int kMost>
class CloseParts {
 public:
  SCREE_HD explicit CloseParts(const StandingPair& pair)
      : pair_(pair),
        big_side_(pair.shape[0].row().edges > pair.shape[1].row().edges ? 0 : 1),
        small_side_(1 - big_side_),
        big_(pair.shape[big_side_]),
        small_(pair.shape[small_side_]),
        ratio_(pair.size[small_side_] / pair.size[big_side_]),
        pose_(in_frame_of(big_side_)),
        rounding_(kBoxRounding * (big_.row().reach + ratio_ * small_.row().reach)) {
    const FlatShape &big = big_.row(), &small = small_.row();
    const double to_edges = ratio_ * small.largest_vertex_radius + big.edge_radius,
                 of_edges = small.edges ? big.largest_vertex_radius + ratio_ * small.edge_radius : 0;
    near_ = (to_edges > of_edges ? to_edges : of_edges) + pair.margin / pair.size[big_side_] + rounding_;
  }

  /// All vertices nearer to an edge than the radii and the margin, into tests(). \return what is wrong with the pair
  SCREE_HD Trouble find() {
    const FlatBox all = big_.row().box.grown(near_);
    small_.walk([&](const FlatBox& box) { return seen(box).meets(all); },
                [&](const FlatNode& run) {
                  const FlatBox reached = seen(run.box).grown(near_);
                  big_.walk([&](const FlatBox& box) { return box.meets(reached); },
                            [&](const FlatNode& other) { compare(run, other); });
                });
    if (cross_) return Trouble::edges_cross;
    for (int side = 0; side < 2; ++side)
      if (holds_other(side)) return Trouble::one_within_the_other;
    return Trouble::none;
  }

  SCREE_HD Few<CloseTest, kMost>& tests() { return tests_; }

 private:
  /// The pose of the other body in the frame of one, in its lengths.
  SCREE_HD Pose in_frame_of(int side) const {
    Pose p = relative(pair_.pose[1 - side], pair_.pose[side]);
    p.x /= pair_.size[side];
    p.y /= pair_.size[side];
    return p;
  }
  /// A vertex of the small side.
  SCREE_HD Point seen(Point p) const { return pose_.point({ratio_ * p.x, ratio_ * p.y}); }
  /// A box around a box of the small side.
  SCREE_HD FlatBox seen(const FlatBox& box) const {
    const Point m = seen(Point{(box.low_x + box.high_x) / 2, (box.low_y + box.high_y) / 2});
    const double wx = ratio_ * (box.high_x - box.low_x) / 2, wy = ratio_ * (box.high_y - box.low_y) / 2;
    const double c = std::fabs(pose_.c), s = std::fabs(pose_.s);
    const double hx = c * wx + s * wy, hy = s * wx + c * wy;
    return {m.x - hx, m.y - hy, m.x + hx, m.y + hy};
  }
  /// An edge of the small side.
  SCREE_HD Segment seen(const FlatEdge& e) const {
    const Point m = seen(Point{e.mx, e.my}), h = pose_.direction({ratio_ * e.hx, ratio_ * e.hy});
    return {m.x, m.y, h.x, h.y};
  }
  SCREE_HD FlatBox box_of_big(std::uint32_t edge) const {
    const FlatEdge& e = big_.edge(edge);
    return flat_box_of({e.mx, e.my, e.hx, e.hy});
  }

  SCREE_HD void compare(const FlatNode& run, const FlatNode& of_big) {
    const FlatBox reaches = of_big.box.grown(near_);
    for (std::uint32_t v = run.first; v < small_.vertices_end(run); ++v) {
      const Point p = seen(small_.point(v));
      if (!reaches.holds(p)) continue;
      for (std::uint32_t e = of_big.first; e < big_.edges_end(of_big); ++e)
        if (box_of_big(e).grown(near_).holds(p)) test(small_side_, v, e);
    }
    for (std::uint32_t e = run.first; e < small_.edges_end(run); ++e) {
      const FlatBox box = flat_box_of(seen(small_.edge(e))), near = box.grown(near_);
      if (!near.meets(of_big.box)) continue;
      for (std::uint32_t v = of_big.first; v < big_.vertices_end(of_big); ++v)
        if (near.holds(big_.point(v))) test(big_side_, v, e);
      if (box.grown(rounding_).meets(of_big.box)) look_for_crossing(e, box, of_big);
    }
  }

  SCREE_HD void test(int side, std::uint32_t vertex, std::uint32_t edge) {
    const RoundVertex v = pair_.vertex(side, vertex);
    const double reach = v.rs + pair_.margin;
    if (foot_on_segment(v.x, v.y, pair_.edge(1 - side, edge)).d2 < reach * reach)
      tests_.insert(CloseTest::of(side, vertex, edge));
  }

  /// Tests an edge for crossings. \param edge  edge of the small side
  SCREE_HD void look_for_crossing(std::uint32_t edge, const FlatBox& box, const FlatNode& of_big) {
    const Point p = seen(small_.point(edge)), q = seen(small_.point(small_.end_of(edge)));
    for (std::uint32_t e = of_big.first; e < big_.edges_end(of_big); ++e)
      if (box_of_big(e).grown(rounding_).meets(box))
        cross_ = cross_ || segments_meet(p, q, big_.point(e), big_.point(big_.end_of(e)));
  }

  /// Checks whether the polygon of one side contains the other body: for skeletons that do not cross, one vertex
  /// decides.
  SCREE_HD bool holds_other(int side) const {
    const FlatShape &polygon = pair_.shape[side].row(), &other = pair_.shape[1 - side].row();
    if (!polygon.closed) return false;
    const Pose pose = in_frame_of(side);
    const double ratio = pair_.size[1 - side] / pair_.size[side];
    const std::uint32_t looked_at = other.edges ? 1 : other.vertices;
    for (std::uint32_t k = 0; k < looked_at; ++k) {
      const Point p = pair_.shape[1 - side].point(k);
      if (inside(pair_.shape[side], pose.point({ratio * p.x, ratio * p.y}))) return true;
    }
    return false;
  }
  SCREE_HD static bool inside(const TableShape& polygon, Point p) {
    if (!polygon.row().box.holds(p)) return false;
    const double rounding = kBoxRounding * polygon.row().reach;
    bool in = false;
    polygon.walk(
        [&](const FlatBox& box) {
          return box.low_y - rounding <= p.y && p.y <= box.high_y + rounding && p.x <= box.high_x + rounding;
        },
        [&](const FlatNode& run) {
          for (std::uint32_t e = run.first; e < run.first + run.count; ++e)
            if (ray_crosses(p, polygon.point(e), polygon.point(polygon.end_of(e)))) in = !in;
        });
    return in;
  }

  const StandingPair& pair_;
  int big_side_, small_side_;
  const TableShape &big_, &small_;
  double ratio_;     ///< size of the small side relative to the big one's [-]
  Pose pose_;        ///< pose of the small side
  double rounding_;  ///< growth of boxes, so that nothing is lost
  double near_;      ///< parts that are farther away do not touch
  bool cross_ = false;
  Few<CloseTest, kMost> tests_;
};

}  // namespace scree::spheropolygon
