#include "vertex_face.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/base/error.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/swept_polyhedron.hpp"
#include "springs.hpp"
#include "tally.hpp"

namespace scree::spheropolyhedron {

namespace {

/// Above those of spheres, segments and faces; see CONTRIBUTING.md.
constexpr int kPolyhedra = 32, kRound = 28;

/// One thread's working memory.
struct Workspace {
  PairView view;
  Tally tally;
  NearFeatures near;
  ListCounts counts;
};

/// Not inlined: the compiler would look up the thread's address again in every loop.
[[gnu::noinline]] Workspace& workspace() {
  thread_local Workspace w;
  return w;
}

/// Sums up the terms of a list.
void take_stock(const ListRow& row, const std::uint32_t* list, double margin, Workspace& w) {
  for (int side : {0, 1}) {
    w.view.place(side, {list, row.vertices[side]});
    list += row.vertices[side];
  }
  w.tally.begin(w.view, margin);
  for (int kind = 0; kind < kKinds; ++kind)
    for (const std::uint32_t* const end = list + row.tests[kind]; list != end; ++list)
      w.tally.add(static_cast<Kind>(kind), FeaturePair::unpacked(*list));
}

/// Nearest points of two features. The first feature is the vertex, or the edge of a.
struct Nearest {
  int side;       ///< side of the first feature
  Vec3 way;       ///< from the other feature to the first, in the other's axes and lengths
  Vec3 at;        ///< point on the first feature, in the other's axes and lengths
  double d;       ///< [m]
  double ra, rb;  ///< radii of a and b there [m]
};

Nearest nearest_of(const PairView& view, const ClosestPair& closest) {
  const Encounter& pair = view.pair();
  const auto [i, j] = closest.features;
  const int side = closest.kind == kFaceVertex || closest.kind == kEdgeVertex ? 1 : 0;
  Nearest n{side, Vec3::Zero(), Vec3::Zero(), 0, pair.radius(0), pair.radius(1)};
  double& own = side == 0 ? n.ra : n.rb;
  switch (closest.kind) {
    case kVertexFace:
    case kFaceVertex: {
      const FacePart& face = view.parts(1 - side).faces[j];
      n.at = view.seen(side)[i];
      n.way = (face.normal.dot(n.at) - face.offset) * face.normal;
      own = pair.vertex_radius(side, i);
      break;
    }
    case kVertexEdge:
    case kEdgeVertex:
      n.at = view.seen(side)[i];
      n.way = view.vertex_edge(side, i, j).way;
      own = pair.vertex_radius(side, i);
      break;
    case kEdgeEdge: {
      const EdgeLine a = view.edge(0, i);
      const EdgeLine& b = view.parts(1).edges[j].line;
      const EdgePair at = nearest_on_edges(a, b);
      n.at = a.from + at.s * a.along;
      n.way = n.at - (b.from + at.t * b.along);
      break;
    }
    default:
      n.at = view.place_of(0, i);
      n.way = view.vertex_vertex(i, j);
      n.ra = pair.vertex_radius(0, i);
      n.rb = pair.vertex_radius(1, j);
  }
  n.d = pair.size[1 - side] * n.way.norm();
  return n;
}

/// The ends of what a contact lies on, for its history.
Features features_of(const PairView& view, const ClosestPair& closest) {
  const auto [i, j] = closest.features;
  Features f{Features::kEdges, {i, i}, {j, j}};
  const auto edge = [](const EdgePart& e, std::uint32_t(&ends)[2]) {
    ends[0] = std::min(e.begin, e.end);
    ends[1] = std::max(e.begin, e.end);
  };
  const auto face = [](std::uint32_t of, std::uint32_t(&halves)[2]) {
    halves[0] = of % kMostVertices;
    halves[1] = of / kMostVertices;
  };
  switch (closest.kind) {
    case kVertexFace:
      f.kind = Features::kVertexOfA;
      face(j, f.b);
      break;
    case kFaceVertex:
      f = {Features::kVertexOfB, {0, 0}, {i, i}};
      face(j, f.a);
      break;
    case kEdgeEdge:
      edge(view.parts(0).edges[i], f.a);
      edge(view.parts(1).edges[j], f.b);
      break;
    case kVertexEdge:
      edge(view.parts(1).edges[j], f.b);
      break;
    case kEdgeVertex:
      f.b[0] = f.b[1] = i;
      edge(view.parts(0).edges[j], f.a);
      break;
    default:
      break;
  }
  if (closest.halves < 0) f.kind = Features::kTakenBack;
  return f;
}

/// R* = r_a r_b/(r_a + r_b), on edges and faces too, though these are not curved that way: laws after Hertz would gain
/// or lose energy where a foot moves over the rim of a face. Where one of the two is sharp the other's radius counts.
double reduced_radius(double ra, double rb) { return ra == 0 || rb == 0 ? ra + rb : ra * rb / (ra + rb); }

[[noreturn, gnu::noinline]] void too_near(Id a, Id b, const Nearest& n) {
  throw NumericalError(
      fmt::format("bodies {} and {}: the polyhedra within them are {:.3g} m apart, nearer than {:g} of the sum of "
                  "their radii, {:.3g} "
                  "m; they would soon pass through each other. Use a smaller dt, a stiffer law, or larger radii.",
                  a, b, n.d, kNearest, n.ra + n.rb));
}

/// Appends the contacts of one pair. \source README.md, eqs. (1) to (3)
void write_contacts(const BodyView& bodies, const Pair& pair, std::uint32_t index, double margin, const Workspace& w,
                    ContactBuffer& out) {
  std::uint32_t feature = 0;
  for (const ClosestPair& closest : w.tally.pairs()) {
    if (closest.halves == 0) continue;
    const Nearest n = nearest_of(w.view, closest);
    const double overlap = n.ra + n.rb - n.d;
    if (!(overlap > -margin)) continue;
    if (n.d < kNearest * (n.ra + n.rb)) too_near(bodies.row[pair.a].id, bodies.row[pair.b].id, n);
    const int frame = 1 - n.side;
    const double unit = w.view.pair().size[frame], own = n.side == 0 ? n.ra : n.rb;
    const Vec3 away = w.view.turn(frame) * n.way.normalized();  // from the other feature to the first
    const Vec3 at = w.view.pair().position[frame] + w.view.turn(frame) * (unit * n.at);
    out.push(index, overlap, n.side == 0 ? Vec3(-away) : away, at - (own - overlap / 2) * away, feature++,
             features_of(w.view, closest).packed());
    out.set_radius(reduced_radius(n.ra, n.rb));
    out.set_weights(0.5 * closest.halves, 0.5 * closest.halves);
  }
}

}  // namespace

DetectorTraits VertexFace::traits() const {
  DetectorTraits traits;
  const bool polyhedra = partner_ == Partner::polyhedra;
  traits.facets_a = {SweptPolyhedron::kName, RoundVertices::kName};
  traits.facets_b = {polyhedra ? SweptPolyhedron::kName : RoundVertices::kName};
  traits.dimension = 3;
  traits.specificity = polyhedra ? kPolyhedra : kRound;
  // The energy has a kink where two edges are exactly parallel, and bodies come to rest there: minimisers of energy do
  // not converge.
  traits.gradient_consistent = false;
  traits.curvature = true;
  traits.weighted = true;
  traits.scales = true;
  return traits;
}

void VertexFace::bind(std::span<const Shape* const> shapes) {
  parts_.clear();
  for (const Shape* shape : shapes) {
    const Parts& p = parts_.emplace_back(make_parts(*shape));
    const std::size_t most = std::max({p.edges.size(), p.faces.size(), 2 * p.vertices.size()});
    if (most >= kMostFeatures)
      throw OptionError(
          "", fmt::format("a polyhedron has {} vertices, {} edges and {} faces; at most {}, {} and {} are "
                          "possible. Take a coarser surface, or cut it into several bodies.",
                          p.vertices.size(), p.edges.size(), p.faces.size(), kMostVertices - 1, kMostFeatures - 1,
                          kMostFeatures - 1));
  }
}

void VertexFace::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
                        ContactBuffer& out) const {
  Workspace& w = workspace();
  NearLists lists(cache, pairs.size());
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const auto [a, b] = pairs[i];
    const BodyRow &row_a = bodies.row[a], &row_b = bodies.row[b];
    const Encounter at{{&parts_[bodies.shape[a]], &parts_[bodies.shape[b]]},
                       {row_a.position, row_b.position},
                       {row_a.orientation, row_b.orientation},
                       {bodies.scale_of(a), bodies.scale_of(b)}};
    ++w.counts.pairs;
    const Standing standing = lists.row(i).standing(at, margin);
    if (standing == Standing::clear) continue;
    if (standing == Standing::outdated) {
      const Trouble trouble = find_near(at, {alpha_, margin}, w.near);
      if (trouble != Trouble::none) throw NumericalError(trouble_text(trouble, row_a.id, row_b.id));
      lists.store(i, at, margin, w.near);
      ++w.counts.made;
    }
    const ListRow& row = lists.row(i);
    const std::size_t tests = row.test_count();
    w.counts.tests += tests;
    if (tests == 0) continue;
    w.view.look_at(at);
    take_stock(row, lists.list(row), margin, w);
    write_contacts(bodies, pairs[i], i, margin, w, out);
  }
}

void VertexFace::match(const ContactMatch& contacts) const { match_features(contacts); }

ListCounts VertexFace::counts() { return workspace().counts; }

}  // namespace scree::spheropolyhedron
