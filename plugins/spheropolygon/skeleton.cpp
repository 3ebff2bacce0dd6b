#include "skeleton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "scree/base/error.hpp"

namespace scree::spheropolygon {

namespace {

std::string shown(const Vec2& p) { return fmt::format("[{:.6g}, {:.6g}]", p.x(), p.y()); }

Point point_of(const Vec2& p) { return {p.x(), p.y()}; }

struct Checker {
  const Skeleton& s;
  double bounding_radius;  ///< [m]
  const std::string& pointer;

  [[noreturn]] void fail(const std::string& message) const { throw OptionError(pointer, message); }

  const Vec2& at(std::size_t k) const { return s.vertices[k]; }

  void number() const {
    const std::size_t least = s.closed ? 3 : 2;
    if (s.vertices.size() < least)
      fail(fmt::format("has {} vertices; {} has at least {}.", s.vertices.size(), s.closed ? "a polygon" : "a chain",
                       least));
    for (std::size_t k = 0; k < s.vertices.size(); ++k)
      if (!at(k).allFinite())
        fail(fmt::format("vertex {} is {}; coordinates must be finite numbers.", k, shown(at(k))));
  }

  /// Equal vertices, of a polygon wherever they are, of a chain one after the other.
  void repeated() const {
    std::vector<std::size_t> order(s.vertices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t k) { return std::tuple(at(k).x(), at(k).y(), k); };
    if (s.closed) std::sort(order.begin(), order.end(), [&](auto i, auto j) { return key(i) < key(j); });
    for (std::size_t k = 1; k < order.size(); ++k)
      if (at(order[k]) == at(order[k - 1]))
        fail(
            fmt::format("vertices {} and {} (counted from 0) are both at {}; name each vertex once, and do not repeat "
                        "the first one at the end.",
                        order[k - 1], order[k], shown(at(order[k]))));
  }

  void short_edges() const {
    for (std::size_t k = 0; k < s.edge_count(); ++k) {
      const std::size_t end = s.end_of(k);
      const double length = (at(end) - at(k)).norm();
      if (length >= kShortestEdge * bounding_radius) continue;
      fail(fmt::format(
          "the edge from vertex {} at {} to vertex {} at {} is {:.3g} m long; at least {:g} of the bounding "
          "radius is needed, {:.3g} m. Leave out one of the two.",
          k, shown(at(k)), end, shown(at(end)), length, kShortestEdge, kShortestEdge * bounding_radius));
    }
  }

  /// Neighbours share a vertex and may meet nowhere else: they must not fold back on each other.
  bool meet(std::size_t i, std::size_t j) const {
    const std::size_t i_end = s.end_of(i), j_end = s.end_of(j);
    const auto folds = [&](std::size_t before, std::size_t corner, std::size_t after) {
      const Vec2 in = at(corner) - at(before), out = at(after) - at(corner);
      return cross(in, out) == 0 && in.dot(out) < 0;
    };
    if (i_end == j) return folds(i, j, j_end);
    if (j_end == i) return folds(j, i, i_end);
    return segments_meet(at(i), at(i_end), at(j), at(j_end));
  }

  void simple() const {
    for (std::size_t i = 0; i < s.edge_count(); ++i)
      for (std::size_t j = i + 1; j < s.edge_count(); ++j)
        if (meet(i, j))
          fail(
              fmt::format("the edges from vertex {} to {} and from vertex {} to {} (counted from 0) intersect; the "
                          "outline must be a simple polygon. Put the vertices into the order in which they follow each "
                          "other around it.",
                          i, s.end_of(i), j, s.end_of(j)));
  }
};

double signed_area(const Skeleton& s) {
  double twice = 0;
  for (std::size_t k = 0; k < s.vertices.size(); ++k)
    twice += cross(s.vertices[k] - s.vertices[0], s.vertices[s.end_of(k)] - s.vertices[0]);
  return twice / 2;
}

}  // namespace

std::vector<Segment> segments_of(const Skeleton& s) {
  std::vector<Segment> segments;
  for (std::size_t k = 0; k < s.edge_count(); ++k) {
    const Vec2 &p = s.vertices[k], &q = s.vertices[s.end_of(k)];
    const Vec2 m = (p + q) / 2, h = (q - p) / 2;
    segments.push_back({m.x(), m.y(), h.x(), h.y()});
  }
  return segments;
}

bool segments_meet(const Vec2& p, const Vec2& q, const Vec2& r, const Vec2& s) {
  return segments_meet(point_of(p), point_of(q), point_of(r), point_of(s));
}

bool inside(const Skeleton& polygon, const Vec2& p) {
  bool in = false;
  for (std::size_t k = 0; k < polygon.vertices.size(); ++k)
    if (ray_crosses(point_of(p), point_of(polygon.vertices[k]), point_of(polygon.vertices[polygon.end_of(k)])))
      in = !in;
  return in;
}

bool check_and_orient(Skeleton& skeleton, double radius, const std::string& pointer) {
  Vec2 middle = Vec2::Zero();
  for (const Vec2& v : skeleton.vertices) middle += v / static_cast<double>(skeleton.vertices.size());
  double bound = 0;
  for (const Vec2& v : skeleton.vertices) bound = std::max(bound, (v - middle).norm());
  const Checker checker{skeleton, bound + radius, pointer};
  checker.number();
  checker.repeated();
  checker.short_edges();
  if (!skeleton.closed) return false;
  checker.simple();
  if (signed_area(skeleton) > 0) return false;
  std::reverse(skeleton.vertices.begin(), skeleton.vertices.end());
  return true;
}

}  // namespace scree::spheropolygon
