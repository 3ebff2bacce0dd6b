#include "vertex_edge.hpp"

#include <fmt/format.h>

#include <cmath>

#include "scree/base/error.hpp"
#include "scree/base/lanes.hpp"
#include "scree/shape/facets.hpp"
#include "touch.hpp"

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
    pose[i] = pose_of(row.position.x(), row.position.y(), row.orientation.w(), row.orientation.z());
  }
}

/// A body's size, turn and shift for groups of four numbers: vertices (x, y, r, r) and edges (mx, my, hx, hy).
class Placer {
 public:
  /// \param x, y  position of the centre [m]
  /// \param size  size of the body relative to its shape [-]
  /// \param other_radius  radius of the other body's edges [m]
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

/// Shapes of one pair for TouchWriter, and the destination of its contacts.
struct ListedPair {
  const BodyView& bodies;
  const Pair& pair;
  std::uint32_t index;
  const Encounter& at;
  std::vector<Corner>& corners;
  ContactBuffer& out;
  std::uint32_t feature = 0;

  double edge_radius(int side) const { return at.size[side] * at.parts[side]->edge_radius; }
  double vertex_radius(int side, std::uint32_t v) const { return at.size[side] * at.parts[side]->vertex_radius[v]; }
  int degree(int side, std::uint32_t v) const { return at.parts[side]->degree[v]; }
  double share(int side, std::uint32_t v) const { return at.parts[side]->share[v]; }
  std::uint32_t end_of(int side, std::uint32_t edge) const {
    return static_cast<std::uint32_t>(at.parts[side]->skeleton.end_of(edge));
  }
  /// Inlined, so that a contact goes to its columns without being put together in memory first.
  [[gnu::always_inline]] void add(const Touch& t) {
    out.push(index, t.overlap, {t.nx, t.ny, 0}, {at.pose[1].x + t.x, at.pose[1].y + t.y, 0}, feature++,
             t.features.packed());
    out.set_radius(t.radius);
    out.set_weights(t.weight, t.weight);
  }
  [[noreturn, gnu::noinline]] void too_near(double distance, double rs) const {
    throw NumericalError(fmt::format(
        "bodies {} and {}: a vertex of one is {:.3g} m from an edge of the other, nearer than {:g} of the sum of their "
        "radii, {:.3g} m; it would soon pass through. Use a smaller dt, a stiffer law, or larger radii.",
        bodies.row[pair.a].id, bodies.row[pair.b].id, distance, kNearest, rs));
  }
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

const void* VertexEdge::face(std::string_view name) const noexcept {
  const device::DeviceShapePairs& pairs = on_device_;
  return name == device::DeviceShapePairs::kName ? &pairs : nullptr;
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
      if (trouble != Trouble::none)
        throw NumericalError(intersection_text(trouble, bodies.row[a].id, bodies.row[b].id));
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
    w.corner.clear();
    ListedPair pair{bodies, pairs[i], i, at, w.corner, out};
    TouchWriter writer(pair, options_.corner_weight, margin);
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
