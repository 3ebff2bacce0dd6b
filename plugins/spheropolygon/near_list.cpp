#include "near_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::spheropolygon {

namespace {

/// Factor of a list's reach, against rounding in the certificate.
constexpr double kSafety = 1 + 1e-9;

/// Gap over the bodies' size that is ignored.
constexpr double kRounding = 1e-9;

/// One thread's working memory.
struct Candidates {
  std::vector<Vec2> points;          ///< all vertices of the side with fewer edges, in the other's frame [m]
  std::vector<Segment> small_edges;  ///< its edges
  std::vector<std::uint32_t> vertex[2], edge[2];
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found[2];  ///< vertex of this side, edge of the other
};

[[gnu::noinline]] Candidates& candidates() {
  thread_local Candidates c;
  return c;
}

/// A pair seen from the frame of the shape with more edges, whose tree is asked: lengths are those of the world over
/// that body's size.
class Search {
 public:
  Search(const Encounter& pair, const Reach& reach, double slack)
      : big_side_(pair.parts[0]->edges.size() > pair.parts[1]->edges.size() ? 0 : 1),
        small_side_(1 - big_side_),
        big_(*pair.parts[big_side_]),
        small_(*pair.parts[small_side_]),
        unit_(pair.size[big_side_]),
        ratio_(pair.size[small_side_] / unit_),
        margin_(reach.margin / unit_),
        more_((reach.margin + slack * kSafety) / unit_),
        w_(candidates()) {
    Pose pose = relative(pair.pose[small_side_], pair.pose[big_side_]);
    pose.x /= unit_;
    pose.y /= unit_;
    w_.points.clear();
    for (const Vec2& v : small_.skeleton.vertices) {
      const Point p = pose.point({ratio_ * v.x(), ratio_ * v.y()});
      box_.add(w_.points.emplace_back(p.x, p.y));
    }
    const double widest = std::max(ratio_ * small_.largest_vertex_radius + big_.edge_radius,
                                   small_.edges.empty() ? 0 : big_.largest_vertex_radius + ratio_ * small_.edge_radius);
    near_ = widest + more_;
    w_.edge[big_side_].clear();
    big_.tree.find(box_.grown(near_), w_.edge[big_side_]);
  }

  Trouble trouble() const {
    for (std::size_t i = 0; i < small_.edges.size(); ++i)
      for (const std::uint32_t j : w_.edge[big_side_])
        if (segments_meet(w_.points[i], w_.points[small_.skeleton.end_of(i)], big_.skeleton.vertices[j],
                          big_.skeleton.vertices[big_.skeleton.end_of(j)]))
          return Trouble::edges_cross;
    const std::size_t looked_at = small_.edges.empty() ? w_.points.size() : 1;
    if (big_.skeleton.closed)
      for (std::size_t k = 0; k < looked_at; ++k)
        if (inside(big_.skeleton, w_.points[k])) return Trouble::one_within_the_other;
    if (small_.skeleton.closed && !small_.edges.empty() && inside({w_.points, true}, big_.skeleton.vertices[0]))
      return Trouble::one_within_the_other;
    return Trouble::none;
  }

  /// \return the least gap of what was found, less the margin [m]
  double find(double slack) {
    least_ = slack / unit_;
    for (auto& found : w_.found) found.clear();
    if (w_.edge[big_side_].empty()) return slack;
    gather();
    collect(small_side_, w_.points, big_.edges);
    collect(big_side_, big_.skeleton.vertices, w_.small_edges);
    return unit_ * least_;
  }

 private:
  /// Gathers the parts of either side that lie near the near part of the other.
  void gather() {
    Box near_edges;
    for (auto& list : w_.vertex) list.clear();
    std::vector<std::uint32_t>& ends = w_.vertex[big_side_];
    const Box reached = box_.grown(near_);
    for (const std::uint32_t e : w_.edge[big_side_]) {
      near_edges.add(box_of(big_.edges[e]));
      for (const auto v : {e, static_cast<std::uint32_t>(big_.skeleton.end_of(e))})
        if (reached.holds(big_.skeleton.vertices[v])) ends.push_back(v);
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    near_edges = near_edges.grown(near_);
    for (std::uint32_t v = 0; v < w_.points.size(); ++v)
      if (near_edges.holds(w_.points[v])) w_.vertex[small_side_].push_back(v);
    w_.edge[small_side_].clear();
    w_.small_edges.resize(small_.edges.size());
    for (std::uint32_t e = 0; e < small_.edges.size(); ++e) {
      const Vec2 &p = w_.points[e], &q = w_.points[small_.skeleton.end_of(e)];
      w_.small_edges[e] = {(p.x() + q.x()) / 2, (p.y() + q.y()) / 2, (q.x() - p.x()) / 2, (q.y() - p.y()) / 2};
      if (near_edges.meets(box_of(w_.small_edges[e]))) w_.edge[small_side_].push_back(e);
    }
  }

  void collect(int vertex_side, const std::vector<Vec2>& vertices, const std::vector<Segment>& edges) {
    const Parts &of_vertex = vertex_side == big_side_ ? big_ : small_,
                &of_edge = vertex_side == big_side_ ? small_ : big_;
    const double of_vertex_size = vertex_side == big_side_ ? 1 : ratio_,
                 of_edge_size = vertex_side == big_side_ ? ratio_ : 1;
    for (const std::uint32_t v : w_.vertex[vertex_side]) {
      const double rs = of_vertex_size * of_vertex.vertex_radius[v] + of_edge_size * of_edge.edge_radius;
      const double reach = rs + more_;
      for (const std::uint32_t e : w_.edge[1 - vertex_side]) {
        const double d2 = foot_on_segment(vertices[v].x(), vertices[v].y(), edges[e]).d2;
        if (d2 >= reach * reach) continue;
        w_.found[vertex_side].emplace_back(v, e);
        least_ = std::min(least_, std::sqrt(d2) - rs - margin_);
      }
    }
  }

  int big_side_, small_side_;
  const Parts &big_, &small_;
  double unit_, ratio_;  ///< the big side's size; the small side's relative to it [-]
  double margin_, more_, near_ = 0, least_ = 0;
  Box box_;
  Candidates& w_;
};

/// Numbers what was found.
void number(const Candidates& w, NearParts& to) {
  for (int side = 0; side < 2; ++side) {
    to.vertex[side].clear();
    to.edge[side].clear();
    for (const auto& [v, e] : w.found[side]) to.vertex[side].push_back(v);
    for (const auto& [v, e] : w.found[1 - side]) to.edge[side].push_back(e);
    for (auto* list : {&to.vertex[side], &to.edge[side]}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
  }
  const auto place = [](const std::vector<std::uint32_t>& in, std::uint32_t id) {
    return static_cast<std::uint32_t>(std::lower_bound(in.begin(), in.end(), id) - in.begin());
  };
  const auto count = [](const std::vector<std::uint32_t>& list) { return static_cast<std::uint32_t>(list.size()); };
  const std::uint32_t edges_a = count(to.vertex[0]), vertices_b = edges_a + count(to.edge[0]);
  const std::uint32_t first_vertex[2] = {0, vertices_b}, first_edge[2] = {edges_a, vertices_b + count(to.vertex[1])};
  to.test_vertex.clear();
  to.test_edge.clear();
  for (int side = 0; side < 2; ++side)
    for (const auto& [v, e] : w.found[side]) {
      to.test_vertex.push_back(first_vertex[side] + place(to.vertex[side], v));
      to.test_edge.push_back(first_edge[1 - side] + place(to.edge[1 - side], e));
    }
}

}  // namespace

std::string intersection_text(Trouble trouble, Id a, Id b) {
  return fmt::format(
      "bodies {} and {}: {}. The skeletons, which are the shapes without their discs, must stay apart. Move the bodies "
      "apart, or use a smaller dt or a stiffer law.",
      a, b,
      trouble == Trouble::edges_cross ? "edges of their skeletons cross"
                                      : "the skeleton of one lies within the other's");
}

Trouble find_near(const Encounter& pair, const Reach& reach, bool check, NearParts& to) {
  const double ra = pair.bounding_radius(0), rb = pair.bounding_radius(1);
  const double alpha = reach.alpha > 0 ? reach.alpha : kAlphaFraction * std::min(ra, rb);
  const double gap =
      std::hypot(pair.pose[0].x - pair.pose[1].x, pair.pose[0].y - pair.pose[1].y) - ra - rb - reach.margin;
  to.slack = 2 * alpha;
  Candidates& w = candidates();
  if (gap > to.slack) {
    to.slack = to.clear = gap;
    for (auto& found : w.found) found.clear();
    number(w, to);
    return Trouble::none;
  }
  Search search(pair, reach, to.slack);
  if (check)
    if (const Trouble trouble = search.trouble(); trouble != Trouble::none) return trouble;
  to.clear = std::max(0.0, search.find(to.slack) - kRounding * (ra + rb));
  number(w, to);
  return Trouble::none;
}

void NearLists::attach(std::size_t more_words) {
  const std::size_t fixed = sizeof(Header) + pairs_ * sizeof(ListRow);
  header_ = reinterpret_cast<Header*>(cache_.rows<std::byte>(fixed));
  if (more_words > 0)
    header_ =
        reinterpret_cast<Header*>(cache_.rows<std::byte>(fixed + (header_->used + more_words) * sizeof(std::uint32_t)));
}

void NearLists::store(std::size_t pair, const Encounter& at, double margin, const NearParts& near) {
  const std::size_t tests = near.test_vertex.size();
  std::size_t needed = 2 * padded_tests(tests);
  for (int side = 0; side < 2; ++side) needed += near.vertex[side].size() + near.edge[side].size();
  if (needed > row(pair).capacity) {
    const std::size_t room = needed + needed / 2;
    attach(room);
    row(pair).first = header_->used;
    row(pair).capacity = static_cast<std::uint32_t>(room);
    header_->used += room;
  }
  ListRow& r = row(pair);
  r.x = at.pose[0].x - at.pose[1].x;
  r.y = at.pose[0].y - at.pose[1].y;
  for (int side = 0; side < 2; ++side) {
    r.c[side] = at.pose[side].c;
    r.s[side] = at.pose[side].s;
    r.vertices[side] = static_cast<std::uint32_t>(near.vertex[side].size());
    r.edges[side] = static_cast<std::uint32_t>(near.edge[side].size());
  }
  r.slack = near.slack;
  r.clear = near.clear;
  r.margin = margin;
  r.tests = static_cast<std::uint32_t>(tests);
  std::uint32_t* to = words() + r.first;
  for (const auto* list : {&near.vertex[0], &near.edge[0], &near.vertex[1], &near.edge[1]})
    to = std::copy(list->begin(), list->end(), to);
  for (const auto* column : {&near.test_vertex, &near.test_edge}) {
    std::uint32_t* const end = to + padded_tests(tests);
    to = std::copy(column->begin(), column->end(), to);
    for (; to < end; ++to) *to = column->back();
  }
}

}  // namespace scree::spheropolygon
