#include "body_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "match_places.hpp"
#include "near_terms.hpp"
#include "scree/base/error.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/segment.hpp"
#include "scree/shape/swept_polyhedron.hpp"
#include "sphere_patch.hpp"

namespace scree::mesh {

using namespace skeleton;

namespace {

/// Above those of spheres and surfaces; see CONTRIBUTING.md.
constexpr int kSegment = 24, kPolyhedron = 34;

/// Way of a body's points until its list is made again, over the bounding radius.
constexpr double kSlack = 0.05;
/// Factor of a list's reach, against rounding.
constexpr double kSlackSafety = 1 + 1e-9;

/// Parts of a body that features have numbers for.
constexpr std::size_t kMostParts = std::size_t{1} << (32 - kContactBits);

/// One thread's working memory.
struct Workspace {
  SeenBody body;
  SpherePatch patch;
  TermSum sum;
  NearTerms near;
};

/// Not inlined: the compiler would look up the thread's address again in every loop.
[[gnu::noinline]] Workspace& workspace() {
  thread_local Workspace w;
  return w;
}

/// A pair, and how its mesh sees its body.
struct Meeting {
  std::uint32_t pair;
  const BodyRow &body, &wall;
  const MeshSurface& mesh;
  double scale;     ///< size of the mesh relative to its shape
  double toward_b;  ///< 1 if the mesh is b, else -1
  Mat3 turn;        ///< from the mesh's frame to world axes
  RelativePlace place;
};

[[noreturn, gnu::noinline]] void too_near(const Meeting& m, double distance, double radius) {
  throw NumericalError(
      fmt::format("body {}: its core, which is the shape without its rounding, is {:.3g} m from the mesh, body {}, "
                  "nearer than {:g} of its radius, {:.3g} m; it would soon pass through. Use a smaller dt, a stiffer "
                  "law, or a larger radius.",
                  m.body.id, distance, m.wall.id, kNearest, radius));
}

[[noreturn, gnu::noinline]] void crossing(const Meeting& m, Crossing what) {
  throw NumericalError(fmt::format(
      "body {}: {}, body {}. The core, which is the shape without its rounding, must stay clear of meshes. Move the "
      "body away, or use a smaller dt or a stiffer law.",
      m.body.id,
      what == Crossing::edge_through_mesh ? "an edge of its core passes through a triangle of the mesh"
                                          : "its core is cut by an edge of the mesh",
      m.wall.id));
}

Meeting meeting(const BodyView& bodies, const Pair& pair, std::uint32_t index, bool mesh_is_a,
                const MeshSurface& mesh) {
  const std::uint32_t of_wall = mesh_is_a ? pair.a : pair.b, of_body = mesh_is_a ? pair.b : pair.a;
  const BodyRow &wall = bodies.row[of_wall], &body = bodies.row[of_body];
  Meeting m{
      index, body, wall, mesh, bodies.scale_of(of_wall), mesh_is_a ? -1.0 : 1.0, wall.orientation.toRotationMatrix(),
      {}};
  const Vec3 shift = m.turn.transpose() * (body.position - wall.position) / m.scale;
  const Quat turn = wall.orientation.conjugate() * body.orientation;
  for (int k = 0; k < 3; ++k) m.place.shift[k] = shift[k];
  for (int k = 0; k < 4; ++k) m.place.turn[k] = turn.coeffs()[k];
  return m;
}

std::uint32_t feature_of(const Parts& parts, const Term& term) {
  const auto vertices = static_cast<std::uint32_t>(parts.vertices.size()),
             edges = static_cast<std::uint32_t>(parts.edges.size());
  const bool edge = term.kind == Kind::edge_edge || term.kind == Kind::edge_vertex;
  const std::uint32_t part = term.i + (term.kind == Kind::face_vertex ? vertices + edges : edge ? vertices : 0);
  return part << kContactBits;
}

/// Gives contacts of one part, which follow each other or not, numbers of their own.
class Numbers {
 public:
  explicit Numbers(const ContactBuffer& out) : out_(out), first_(out.size()) {}
  std::uint32_t next(std::uint32_t feature) const {
    for (std::size_t k = first_; k < out_.size(); ++k)
      if (out_.feature()[k] >> kContactBits == feature >> kContactBits)
        feature = std::max(feature, out_.feature()[k] + 1);
    return feature;
  }

 private:
  const ContactBuffer& out_;
  std::size_t first_;
};

/// Appends the contacts of one pair.
void write_contacts(const Meeting& m, double margin, const Workspace& w, ContactBuffer& out) {
  const double radius = w.body.radius() * m.scale;
  const Numbers numbers(out);
  for (const Touch& touch : w.sum.touches()) {
    if (touch.weight == 0) continue;
    const Place place = place_of(w.body, m.mesh.triangles(), touch.term);
    const double away = place.way.norm(), distance = m.scale * away, overlap = radius - distance;
    if (!(overlap > -margin)) continue;
    if (distance < kNearest * radius) too_near(m, distance, radius);
    const Vec3 outward = m.turn * (place.way / away);
    const Vec3 at = m.wall.position + m.turn * (m.scale * (place.at + place.way));
    const Contact kind = touch.weight < 0   ? Contact::taken_back
                         : touch.of_a_patch ? Contact::of_a_patch
                                            : Contact::alone;
    out.push(m.pair, overlap, -m.toward_b * outward, at - (radius - overlap / 2) * outward,
             numbers.next(feature_of(w.body.parts(), touch.term)), payload_at(m.scale * place.at, radius, kind));
    out.set_radius(radius);
    out.set_weights(touch.weight, touch.weight);
  }
}

}  // namespace

DetectorTraits BodyMesh::traits() const {
  DetectorTraits traits;
  const bool segment = body_ == Body::segment;
  traits.facets_a = {segment ? Segment::kName : SweptPolyhedron::kName, RoundVertices::kName};
  traits.facets_b = {MeshSurface::kName};
  traits.dimension = 3;
  traits.specificity = segment ? kSegment : kPolyhedron;
  traits.curvature = true;
  traits.weighted = true;
  traits.scales = true;
  return traits;
}

void BodyMesh::bind(std::span<const Shape* const> shapes) {
  sides_.clear();
  for (const Shape* const shape : shapes) {
    sides_.push_back({make_parts(*shape), facet<MeshSurface>(*shape)});
    const Parts& p = sides_.back().parts;
    if (const std::size_t count = p.vertices.size() + p.edges.size() + p.faces.size(); count >= kMostParts)
      throw OptionError("", fmt::format("a body has {} vertices, edges and faces; at most {} can meet a mesh. Take a "
                                        "coarser surface.",
                                        count, kMostParts - 1));
  }
}

void BodyMesh::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
                      ContactBuffer& out) const {
  Workspace& w = workspace();
  NearTermLists lists(cache, pairs.size());
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const auto [a, b] = pairs[i];
    const bool mesh_is_a = sides_[bodies.shape[a]].mesh != nullptr;
    const Meeting m = meeting(bodies, pairs[i], i, mesh_is_a, *sides_[bodies.shape[mesh_is_a ? a : b]].mesh);
    const Parts& parts = sides_[bodies.shape[mesh_is_a ? b : a]].parts;
    const double ratio = bodies.scale_of(mesh_is_a ? b : a) / m.scale;
    const double reach = ratio * parts.largest_radius + margin / m.scale;
    const auto look = [&] {
      const Quat turn(m.place.turn[3], m.place.turn[0], m.place.turn[1], m.place.turn[2]);
      w.body.look_at(parts, turn.toRotationMatrix(), {m.place.shift[0], m.place.shift[1], m.place.shift[2]}, ratio);
    };
    bool looked = false;
    if (!serves(lists.row(i), m.place, ratio * parts.reach, margin)) {
      look();
      looked = true;
      const double slack = kSlack * ratio * parts.bounding_radius;
      const Crossing what = find_near(w.body, m.mesh, reach + slack * kSlackSafety, w.near);
      if (what != Crossing::none) crossing(m, what);
      lists.store(i, m.place, slack, margin, w.near);
    }
    const NearTermLists::Row& row = lists.row(i);
    if (row.triangles + row.terms == 0) continue;
    if (!looked) look();
    w.sum.begin(w.body, m.mesh, reach);
    for (std::uint32_t v = 0; v < row.vertices; ++v) {
      const auto near = lists.triangles_of(row, v);
      if (near.empty()) continue;
      for (const Minimum& least : w.patch.find_among(near, m.mesh, w.body.vertices()[v], w.body.radius(), reach)) {
        if (least.foot.distance < kNearest * w.body.radius())
          too_near(m, m.scale * least.foot.distance, m.scale * w.body.radius());
        w.sum.add_sphere(v, least.foot.feature, least.foot.part, least.weight, least.of_a_patch);
      }
    }
    for (const Term& term : lists.terms(row)) w.sum.add(term);
    write_contacts(m, margin, w, out);
  }
}

void BodyMesh::match(const ContactMatch& contacts) const { match_places_of_parts(contacts); }

}  // namespace scree::mesh
