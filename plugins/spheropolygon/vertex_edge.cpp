#include "vertex_edge.hpp"

#include <fmt/format.h>

#include <cmath>

#include "corner_weight.hpp"
#include "scree/base/error.hpp"
#include "scree/base/lanes.hpp"
#include "scree/shape/facets.hpp"
#include "springs.hpp"

namespace scree::spheropolygon {

namespace {

/// More specific than the meeting of spheres, as which discs could meet vertices, and than sampled outlines.
constexpr int kSpecificity = 30;

/// A listed vertex or edge in world axes, seen from b's centre.
union PlacedPart {
  RoundVertex vertex;
  Segment edge;
};
static_assert(sizeof(PlacedPart) == 32);

/// Two vertices near each other.
struct Corner {
  std::uint32_t of_a, of_b;
  int terms;      ///< vertex-edge pairs whose foot is this corner
  double x, y;    ///< a's, seen from b's centre [m]
  double dx, dy;  ///< from b's to a's [m]
};

/// One thread's working memory.
struct Workspace {
  std::vector<Pose> pose;  ///< by row of the chunk
  std::vector<PlacedPart> part;
  std::vector<std::uint32_t> touching;
  std::vector<Corner> corner;
  NearParts near;
  ListCounts counts;
};

/// Not inlined: the compiler would look up the thread's address again in every loop.
[[gnu::noinline]] Workspace& workspace() {
  thread_local Workspace w;
  return w;
}

void place_bodies(const BodyView& bodies, std::vector<Pose>& pose) {
  pose.resize(std::max(pose.size(), bodies.size));
  for (std::size_t i = 0; i < bodies.size; ++i) {
    const BodyRow& row = bodies.row[i];
    const double w = row.orientation.w(), z = row.orientation.z();
    pose[i] = {row.position.x(), row.position.y(), w * w - z * z, 2 * w * z};
  }
}

/// A body's size, turn and shift for groups of four numbers: vertices (x, y, r, r) and edges (mx, my, hx, hy).
class Placer {
 public:
  /// \param x, y  of the centre [m]  \param size  of the body relative to its shape [-]
  /// \param other_radius  of the other body's edges [m]
  Placer(double x, double y, const Pose& pose, double size, double other_radius)
      : Placer(x, y, size, size * pose.c, size * pose.s, other_radius) {}

  PlacedPart* vertices(const Parts& parts, const std::uint32_t* id, std::uint32_t count, PlacedPart* to) const {
    for (std::uint32_t k = 0; k < count; ++k)
      store_lanes(to + k, placed(&parts.rows[id[k]], vertex_cosine_, vertex_sine_, vertex_shift_));
    return to + count;
  }
  PlacedPart* edges(const Parts& parts, const std::uint32_t* id, std::uint32_t count, PlacedPart* to) const {
    for (std::uint32_t k = 0; k < count; ++k)
      store_lanes(to + k, placed(&parts.edges[id[k]], edge_cosine_, edge_sine_, edge_shift_));
    return to + count;
  }

 private:
  /// \param c, s  cosine and sine, times the size
  Placer(double x, double y, double size, double c, double s, double other_radius)
      : vertex_cosine_{c, c, size, size},
        vertex_sine_{-s, s, 0, 0},
        vertex_shift_{x, y, other_radius, 0},
        edge_cosine_(all_lanes(c)),
        edge_sine_{-s, s, -s, s},
        edge_shift_{x, y, 0, 0} {}

  static Lanes placed(const void* part, Lanes cosine, Lanes sine, Lanes shift) {
    const Lanes p = load_lanes(part);
    return p * cosine + __builtin_shufflevector(p, p, 1, 0, 3, 2) * sine + shift;
  }
  Lanes vertex_cosine_, vertex_sine_, vertex_shift_, edge_cosine_, edge_sine_, edge_shift_;
};

/// Fills w.part in the order of the list.
void place_parts(const Encounter& pair, const ListRow& row, const ListView& list, Workspace& w) {
  if (w.part.size() < row.parts()) w.part.resize(2 * row.parts());
  PlacedPart* to = w.part.data();
  const std::uint32_t* id = list.part;
  const Pose &a = pair.pose[0], &b = pair.pose[1];
  const Placer placer[2] = {{a.x - b.x, a.y - b.y, a, pair.size[0], pair.size[1] * pair.parts[1]->edge_radius},
                            {0, 0, b, pair.size[1], pair.size[0] * pair.parts[0]->edge_radius}};
  for (int side = 0; side < 2; ++side) {
    to = placer[side].vertices(*pair.parts[side], id, row.vertices[side], to);
    id += row.vertices[side];
    to = placer[side].edges(*pair.parts[side], id, row.edges[side], to);
    id += row.edges[side];
  }
}

/// The tests with a vertex nearer to its edge than the radii and the margin, into w.touching. \return how many
std::size_t find_touching(const ListRow& row, const ListView& list, double margin, Workspace& w) {
  if (w.touching.size() < row.tests + 4) w.touching.resize(2 * row.tests + 4);
  const PlacedPart* const part = w.part.data();
  std::uint32_t* const touching = w.touching.data();
  std::size_t size = 0;
  for (std::uint32_t k = 0; k < row.tests; k += 4) {
    LaneBlock v, e;
    for (std::uint32_t l = 0; l < 4; ++l) {
      v.v[l] = load_lanes(part + list.test_vertex[k + l]);
      e.v[l] = load_lanes(part + list.test_edge[k + l]);
    }
    v = transposed(v);
    e = transposed(e);
    const Foot<Lanes> foot = foot_on_segment(v.v[0], v.v[1], e.v[0], e.v[1], e.v[2], e.v[3]);
    const Lanes reach = v.v[2] + all_lanes(margin);
    const auto near = foot.d2 < reach * reach;
    for (std::uint32_t l = 0; l < 4; ++l) {  // without branches: which touch is hard to foresee
      touching[size] = k + l;
      size -= static_cast<std::size_t>(near[l]);
    }
  }
  while (size > 0 && touching[size - 1] >= row.tests) --size;  // padding
  return size;
}

[[noreturn]] void intersect(const BodyView& bodies, const Pair& pair, Trouble trouble) {
  throw NumericalError(fmt::format(
      "bodies {} and {}: {}. The skeletons, which are the shapes without their discs, must stay apart. Move the bodies "
      "apart, or use a smaller dt or a stiffer law.",
      bodies.row[pair.a].id, bodies.row[pair.b].id,
      trouble == Trouble::edges_cross ? "edges of their skeletons cross"
                                      : "the skeleton of one lies within the other's"));
}

[[noreturn]] void too_near(const BodyView& bodies, const Pair& pair, double distance, double rs) {
  throw NumericalError(fmt::format(
      "bodies {} and {}: a vertex of one is {:.3g} m from an edge of the other, nearer than {:g} of the sum of their "
      "radii, {:.3g} m; it would soon pass through. Use a smaller dt, a stiffer law, or larger radii.",
      bodies.row[pair.a].id, bodies.row[pair.b].id, distance, kNearest, rs));
}

/// R* = r_v r_w/(r_v + r_w); a face has no curvature, r_w infinite. Where one of the two is sharp (radius 0), the
/// other's radius counts, so that laws after Hertz do not vanish there.
double reduced_radius(double rv, double rw) {
  if (rv == 0 || rw == 0) return rv + rw;
  return rv * rw / (rv + rw);
}

/// Writes the contacts of one pair of bodies.
class Writer {
 public:
  Writer(const BodyView& bodies, const Pair& pair, std::uint32_t index, const Encounter& at, int corner_weight,
         double margin, Workspace& w, ContactBuffer& out)
      : bodies_(bodies),
        pair_(pair),
        index_(index),
        at_(at),
        corner_weight_(corner_weight),
        margin_(margin),
        w_(w),
        out_(out) {
    w_.corner.clear();
  }

  /// \param side  of the vertex
  void vertex_edge(int side, std::uint32_t vertex, std::uint32_t edge, const RoundVertex& v, const Segment& e) {
    const Foot<double> foot = foot_on_segment(v.x, v.y, e);
    if (foot.d2 < kNearest * kNearest * v.rs * v.rs) too_near(bodies_, pair_, std::sqrt(foot.d2), v.rs);
    const Parts& of_edge = *at_.parts[1 - side];
    const auto end = static_cast<std::uint32_t>(of_edge.skeleton.end_of(edge));
    note_corner(side, vertex, edge, v, e.mx - e.hx, e.my - e.hy, foot.t == -1);
    note_corner(side, vertex, end, v, e.mx + e.hx, e.my + e.hy, foot.t == 1);
    if (foot.t == -1 || foot.t == 1) return;
    const double d = std::sqrt(foot.d2), nx = foot.dx / d, ny = foot.dy / d, arm = v.radius - (v.rs - d) / 2;
    const double sign = side == 0 ? -1 : 1;
    const auto kind = side == 0 ? Features::kVertexOfA : Features::kVertexOfB;
    push(v.rs - d, sign * nx, sign * ny, v.x - arm * nx, v.y - arm * ny, {kind, vertex, edge, end});
    out_.set_radius(v.radius > 0 ? v.radius : at_.size[1 - side] * of_edge.edge_radius);
    out_.set_weights(1, 1);
  }

  void corners() {
    for (const Corner& c : w_.corner) corner(c);
  }

 private:
  /// Notes a vertex of the other body that is near, whether or not it is the foot.
  /// \param wx, wy  where it is [m]
  void note_corner(int side, std::uint32_t vertex, std::uint32_t other, const RoundVertex& v, double wx, double wy,
                   bool foot) {
    if (!foot && corner_weight_ == 0) return;
    const double dx = v.x - wx, dy = v.y - wy, reach = v.rs + margin_;
    if (dx * dx + dy * dy >= reach * reach) return;
    const std::uint32_t of_a = side == 0 ? vertex : other, of_b = side == 0 ? other : vertex;
    for (Corner& c : w_.corner)
      if (c.of_a == of_a && c.of_b == of_b) {
        c.terms += foot;
        return;
      }
    if (side == 0)
      w_.corner.push_back({of_a, of_b, foot, v.x, v.y, dx, dy});
    else
      w_.corner.push_back({of_a, of_b, foot, wx, wy, -dx, -dy});
  }

  void corner(const Corner& c) {
    const Parts &a = *at_.parts[0], &b = *at_.parts[1];
    const int weight = c.terms - taken_back(corner_weight_, a.degree[c.of_a], b.degree[c.of_b]);
    if (weight == 0) return;
    const double ra = at_.size[0] * a.vertex_radius[c.of_a], rb = at_.size[1] * b.vertex_radius[c.of_b];
    const double d = std::sqrt(c.dx * c.dx + c.dy * c.dy), overlap = ra + rb - d;
    const double nx = c.dx / d, ny = c.dy / d, arm = ra - overlap / 2;  // from b to a
    push(overlap, -nx, -ny, c.x - arm * nx, c.y - arm * ny,
         {weight > 0 ? Features::kVertices : Features::kTakenBack, c.of_a, c.of_b, 0});
    out_.set_radius(reduced_radius(ra, rb));
    out_.set_weights(weight, weight);
  }

  /// \param nx, ny  normal from a to b  \param x, y  the point, seen from b's centre [m]
  void push(double overlap, double nx, double ny, double x, double y, const Features& features) {
    out_.push(index_, overlap, {nx, ny, 0}, {at_.pose[1].x + x, at_.pose[1].y + y, 0}, feature_++, features.packed());
  }

  const BodyView& bodies_;
  const Pair& pair_;
  std::uint32_t index_, feature_ = 0;
  const Encounter& at_;
  int corner_weight_;
  double margin_;
  Workspace& w_;
  ContactBuffer& out_;
};

/// Corner weight 3 takes back more than it finds where vertices follow each other too closely.
void check_edges(const Parts& p, double rs, const VertexEdgeOptions& options) {
  const double delta = options.delta_allow > 0 ? options.delta_allow : kDeltaAllow * rs,
               width = corner_width(rs, delta);
  if (p.shortest_edge >= width) return;
  throw OptionError(
      "/corner_weight",
      fmt::format(
          "3 needs edges of at least {:.4g} m, sqrt(2 rs delta_allow) with rs = {:.4g} m, the sum of two "
          "radii, and delta_allow = {:.4g} m; the shortest edge is {:.4g} m. Take corner weight 2, remove vertices "
          "that lie too close together, or lower \"delta_allow\" below {:.3g} m if overlaps stay smaller.",
          width, rs, delta, p.shortest_edge, p.shortest_edge * p.shortest_edge / (2 * rs)));
}

}  // namespace

DetectorTraits VertexEdge::traits() const {
  DetectorTraits traits;
  traits.facets_a = {SweptPolygon::kName};
  traits.facets_b = {RoundVertices::kName};
  traits.dimension = 2;
  traits.specificity = kSpecificity;
  traits.gradient_consistent = true;
  traits.curvature = true;
  traits.weighted = true;
  traits.scales = options_.corner_weight != 3;  // which is judged by the shapes alone
  return traits;
}

void VertexEdge::bind(std::span<const Shape* const> shapes) {
  parts_.clear();
  double largest_radius = 0;
  for (const Shape* shape : shapes) {
    const Parts& p = parts_.emplace_back(make_parts(*shape));
    if (p.skeleton.vertices.size() >= kMostVertices)
      throw OptionError("", fmt::format("a shape has {} vertices; at most {} are possible. Cut it into several bodies.",
                                        p.skeleton.vertices.size(), kMostVertices - 1));
    if (!p.edges.empty()) largest_radius = std::max(largest_radius, p.edge_radius);
  }
  if (options_.corner_weight != 3) return;
  for (const Parts& p : parts_)
    if (!p.edges.empty()) check_edges(p, p.edge_radius + largest_radius, options_);
}

void VertexEdge::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
                        ContactBuffer& out) const {
  Workspace& w = workspace();
  place_bodies(bodies, w.pose);
  NearLists lists(cache, pairs.size());
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const auto [a, b] = pairs[i];
    const Encounter at{{&parts_[bodies.shape[a]], &parts_[bodies.shape[b]]},
                       {w.pose[a], w.pose[b]},
                       {bodies.scale_of(a), bodies.scale_of(b)}};
    ++w.counts.pairs;
    const Standing standing = lists.row(i).standing(at, margin);
    if (standing == Standing::clear) continue;
    if (standing == Standing::outdated) {
      const bool unknown = lists.row(i).slack == 0;
      const Trouble trouble = find_near(at, {options_.alpha, margin}, unknown, w.near);
      if (trouble != Trouble::none) intersect(bodies, pairs[i], trouble);
      lists.store(i, at, margin, w.near);
      ++w.counts.made;
    }
    const ListRow& row = lists.row(i);
    w.counts.tests += row.tests;
    if (row.tests == 0) continue;
    const ListView list = lists.view(row);
    place_parts(at, row, list, w);
    const std::size_t touching = find_touching(row, list, margin, w);
    if (touching == 0) continue;
    Writer writer(bodies, pairs[i], i, at, options_.corner_weight, margin, w, out);
    const std::uint32_t of_b = row.vertices[0] + row.edges[0];
    for (std::size_t k = 0; k < touching; ++k) {
      const std::uint32_t v = list.test_vertex[w.touching[k]], e = list.test_edge[w.touching[k]];
      writer.vertex_edge(v < of_b ? 0 : 1, list.part[v], list.part[e], w.part[v].vertex, w.part[e].edge);
    }
    writer.corners();
  }
}

void VertexEdge::match(const ContactMatch& contacts) const { match_features(contacts); }

ListCounts VertexEdge::counts() { return workspace().counts; }

}  // namespace scree::spheropolygon
