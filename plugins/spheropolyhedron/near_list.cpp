#include "near_list.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::spheropolyhedron {

namespace {

using Box = Eigen::AlignedBox3d;

/// Factor on a list's slack, against rounding in the certificate.
constexpr double kSafety = 1 + 1e-9;

/// Rounding of distances, as a part of the bodies' size: gaps this small are not counted on.
constexpr double kRounding = 1e-9;

Box grown(const Box& box, double by) { return {box.min().array() - by, box.max().array() + by}; }

/// One thread's working memory.
struct SearchSpace {
  PairView view;
  std::vector<std::uint32_t> vertex[2], edge[2], face[2];  ///< parts of each side that lie near the other body
};

[[gnu::noinline]] SearchSpace& search_space() {
  thread_local SearchSpace s;
  return s;
}

/// Looks at a pair of bodies for features that are near.
class Search {
 public:
  Search(const Encounter& pair, const Reach& reach, double slack, SearchSpace& s)
      : pair_(pair), more_(reach.margin + slack * kSafety), margin_(reach.margin), least_(slack), s_(s) {
    s_.view.look_at(pair);
    s_.view.place_all();
    const double widest = pair.largest_radius(0) + pair.largest_radius(1) + more_;
    for (int side : {0, 1}) gather(side, widest);
  }

  Trouble trouble() const {
    for (int side : {0, 1})
      for (const std::uint32_t e : s_.edge[side])
        for (const std::uint32_t f : s_.face[1 - side])
          if (pierces(side, e, f)) return Trouble::surfaces_cross;
    for (int side : {0, 1}) {
      const Parts &inner = *pair_.parts[side], &outer = *pair_.parts[1 - side];
      if (outer.faces.empty()) continue;
      const std::size_t looked_at = inner.edges.empty() ? inner.vertices.size() : 1;
      for (std::size_t v = 0; v < looked_at; ++v)
        if (encloses(outer, s_.view.seen(side)[v])) return Trouble::one_within_the_other;
    }
    return Trouble::none;
  }

  /// \return the least gap of what was found, less the margin [m]
  double find(NearFeatures& to) {
    for (auto& tests : to.tests) tests.clear();
    const auto &v = s_.vertex, &e = s_.edge, &f = s_.face;
    const PairView& view = s_.view;
    for (int side : {0, 1}) {
      collect(side == 0 ? kVertexFace : kFaceVertex, side, v[side], f[1 - side], to,
              [&](auto i, auto j) { return view.vertex_face(side, i, j).d2; });
      collect(side == 0 ? kVertexEdge : kEdgeVertex, side, v[side], e[1 - side], to,
              [&](auto i, auto j) { return view.vertex_edge(side, i, j).d2; });
    }
    collect(kEdgeEdge, 0, e[0], e[1], to, [&](auto i, auto j) { return view.edge_edge(i, j).d2; });
    collect(kVertexVertex, 0, v[0], v[1], to, [&](auto i, auto j) { return view.vertex_vertex(i, j).squaredNorm(); });
    return least_;
  }

 private:
  /// Lists the features of one side that lie near the other body.
  void gather(int side, double widest) {
    const Parts& own = *pair_.parts[side];
    const Parts& other = *pair_.parts[1 - side];
    const std::vector<Vec3>& seen = s_.view.seen(side);
    Box near;
    for (const Vec3& v : other.vertices) near.extend(v);
    near = grown(near, widest / pair_.size[1 - side]);
    for (auto* list : {&s_.vertex[side], &s_.edge[side], &s_.face[side]}) list->clear();
    for (std::uint32_t v = 0; v < own.vertices.size(); ++v)
      if (near.contains(seen[v])) s_.vertex[side].push_back(v);
    for (std::uint32_t e = 0; e < own.edges.size(); ++e) {
      Box box(seen[own.edges[e].begin]);
      if (near.intersects(box.extend(seen[own.edges[e].end]))) s_.edge[side].push_back(e);
    }
    for (std::uint32_t f = 0; f < own.faces.size(); ++f) {
      Box box;
      for (const CornerPart& c : own.corners_of(own.faces[f])) box.extend(seen[c.vertex]);
      if (near.intersects(box)) s_.face[side].push_back(f);
    }
  }

  bool pierces(int side, std::uint32_t edge, std::uint32_t face) const {
    const Parts& other = *pair_.parts[1 - side];
    const FacePart& of = other.faces[face];
    const EdgeLine line = s_.view.edge(side, edge);
    const double begin = of.normal.dot(line.from) - of.offset, end = of.normal.dot(line.from + line.along) - of.offset;
    if (!(begin * end < 0)) return false;
    const Vec3 at = line.from + begin / (begin - end) * line.along;
    return std::ranges::all_of(other.corners_of(of),
                               [&](const CornerPart& c) { return c.outward.dot(at) <= c.offset; });
  }

  /// \param side  side of the first feature; distances are in the other side's lengths
  template <class Distance>
  void collect(Kind kind, int side, const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& second,
               NearFeatures& to, const Distance& distance) {
    const double unit = pair_.size[1 - side];
    const bool vertices = kind == kVertexVertex;
    for (const std::uint32_t i : first) {
      const double own = kind == kEdgeEdge ? pair_.radius(0) : pair_.vertex_radius(side, i);
      for (const std::uint32_t j : second) {
        if (weight_of(pair_, kind, {i, j}) == 0) continue;
        const double rs = own + (vertices ? pair_.vertex_radius(1, j) : pair_.radius(1 - side));
        const double d2 = unit * unit * distance(i, j);
        if (d2 >= (rs + more_) * (rs + more_)) continue;
        to.tests[kind].push_back(FeaturePair{i, j}.packed());
        least_ = std::min(least_, std::sqrt(d2) - rs - margin_);
      }
    }
  }

  const Encounter& pair_;
  double more_, margin_, least_;
  SearchSpace& s_;
};

/// The vertices that the tests of a list look at.
void list_vertices(const Encounter& pair, NearFeatures& to) {
  for (auto& list : to.vertices) list.clear();
  const auto add_edge = [&](int side, std::uint32_t e) {
    to.vertices[side].push_back(pair.parts[side]->edges[e].begin);
    to.vertices[side].push_back(pair.parts[side]->edges[e].end);
  };
  for (int kind = 0; kind < kKinds; ++kind)
    for (const std::uint32_t word : to.tests[static_cast<std::size_t>(kind)]) {
      const auto [i, j] = FeaturePair::unpacked(word);
      if (kind == kEdgeEdge) {
        add_edge(0, i);
        add_edge(1, j);  // a vertex of b may be the nearest point, in a's frame
      } else {
        to.vertices[kind == kFaceVertex || kind == kEdgeVertex].push_back(i);
      }
    }
  for (auto& list : to.vertices) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

}  // namespace

std::string trouble_text(Trouble trouble, Id a, Id b) {
  return fmt::format(
      "bodies {} and {}: {}. The polyhedra, which are the shapes without their rounding, must stay apart. Move the "
      "bodies "
      "apart, or use a smaller dt or a stiffer law.",
      a, b,
      trouble == Trouble::surfaces_cross ? "an edge of one passes through a face of the other"
                                         : "one lies within the other");
}

int weight_of(const Encounter& pair, Kind kind, FeaturePair features) {
  const auto [i, j] = features;
  const Parts &a = *pair.parts[0], &b = *pair.parts[1];
  switch (kind) {
    case kEdgeEdge:
      return a.edges[i].flat || b.edges[j].flat ? 0 : 1;
    case kVertexEdge:
      return b.edges[j].flat ? -1 : b.edges[j].sheets - a.degree[i];
    case kEdgeVertex:
      return a.edges[j].flat ? -1 : a.edges[j].sheets - b.degree[i];
    case kVertexVertex:
      return 1 + (a.degree[i] - 1) * (b.degree[j] - 1);
    default:
      return 1;
  }
}

Trouble find_near(const Encounter& pair, const Reach& reach, NearFeatures& to) {
  const double ra = pair.bounding_radius(0), rb = pair.bounding_radius(1);
  const double alpha = reach.alpha > 0 ? reach.alpha : kAlphaFraction * std::min(ra, rb);
  const double gap = (pair.position[0] - pair.position[1]).norm() - ra - rb - reach.margin;
  to.slack = 2 * alpha;
  if (gap > to.slack) {
    for (auto& tests : to.tests) tests.clear();
    for (auto& list : to.vertices) list.clear();
    to.slack = to.clear = gap;
    return Trouble::none;
  }
  Search search(pair, reach, to.slack, search_space());
  if (const Trouble trouble = search.trouble(); trouble != Trouble::none) return trouble;
  to.clear = std::max(0.0, search.find(to) - kRounding * (ra + rb));
  list_vertices(pair, to);
  return Trouble::none;
}

void ListRow::stand_at(const Encounter& pair) {
  for (int k = 0; k < 3; ++k) apart[k] = pair.position[0][k] - pair.position[1][k];
  for (int side : {0, 1})
    for (int k = 0; k < 4; ++k) orientation[side][k] = pair.orientation[side].coeffs()[k];
}

Standing ListRow::standing(const Encounter& pair, double margin_now) const {
  if (!(slack > 0) || margin != margin_now) return Standing::outdated;
  double way2 = 0, moved = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = pair.position[0][k] - pair.position[1][k] - apart[k];
    way2 += d * d;
  }
  for (int side : {0, 1}) {
    double turn2 = 0;
    for (int k = 0; k < 4; ++k) {
      const double d = pair.orientation[side].coeffs()[k] - orientation[side][k];
      turn2 += d * d;
    }
    moved += 2 * pair.size[side] * pair.parts[side]->reach * std::sqrt(turn2);
  }
  moved += std::sqrt(way2);
  return moved < clear ? Standing::clear : moved < slack ? Standing::near : Standing::outdated;
}

void NearLists::attach(std::size_t more_words) {
  const std::size_t fixed = sizeof(Header) + pairs_ * sizeof(ListRow);
  header_ = reinterpret_cast<Header*>(cache_.rows<std::byte>(fixed));
  if (more_words > 0)
    header_ =
        reinterpret_cast<Header*>(cache_.rows<std::byte>(fixed + (header_->used + more_words) * sizeof(std::uint32_t)));
}

void NearLists::store(std::size_t pair, const Encounter& at, double margin, const NearFeatures& near) {
  std::size_t needed = near.vertices[0].size() + near.vertices[1].size();
  for (const auto& tests : near.tests) needed += tests.size();
  if (needed > row(pair).capacity) {
    const std::size_t room = needed + needed / 2;
    attach(room);
    row(pair).first = header_->used;
    row(pair).capacity = static_cast<std::uint32_t>(room);
    header_->used += room;
  }
  ListRow& r = row(pair);
  r.stand_at(at);
  r.slack = near.slack;
  r.clear = near.clear;
  r.margin = margin;
  std::uint32_t* to = words() + r.first;
  for (int side : {0, 1}) {
    r.vertices[side] = static_cast<std::uint32_t>(near.vertices[side].size());
    to = std::copy(near.vertices[side].begin(), near.vertices[side].end(), to);
  }
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    r.tests[kind] = static_cast<std::uint32_t>(near.tests[kind].size());
    to = std::copy(near.tests[kind].begin(), near.tests[kind].end(), to);
  }
}

}  // namespace scree::spheropolyhedron
