#include "smooth_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dented_patch.hpp"
#include "match_places.hpp"
#include "scree/base/error.hpp"
#include "scree/shape/surface_bend.hpp"
#include "smooth_patch.hpp"

namespace scree::mesh {

namespace {

/// Below detectors of exact parts, which serve shapes that offer both.
constexpr int kSmooth = 12;
/// Contacts on flat spots have at most this radius, over the bounding radius.
constexpr double kFlattestTop = 10;
/// Distance of the samples of a mesh under bodies that are not convex, over the bounding radius.
constexpr double kSpacing = 0.06;

struct SmoothWorkspace {
  SmoothPatch patch;
  DentedPatch dented;
  std::vector<std::uint32_t> triangles;
};

/// Not inlined: the compiler would look up the thread's address again in every loop.
[[gnu::noinline]] SmoothWorkspace& smooth_workspace() {
  thread_local SmoothWorkspace w;
  return w;
}

/// 1/sqrt(det K) of the body's surface at a point below it, with K its curvature tensor, at most `largest`.
double radius_of(const DepthCurvature& d, double largest) {
  const double length = d.gradient.norm();
  const Vec3 n = d.gradient / length, s = n.unitOrthogonal(), t = n.cross(s);
  const double xx = s.dot(d.second * s), xy = s.dot(d.second * t), yy = t.dot(d.second * t);
  const double det = (xx * yy - xy * xy) / (length * length);
  return std::abs(det) * largest * largest > 1 ? 1 / std::sqrt(std::abs(det)) : largest;
}

}  // namespace

DetectorTraits SmoothMesh::traits() const {
  DetectorTraits traits;
  traits.facets_a = {SmoothField::kName};
  traits.facets_b = {MeshSurface::kName};
  traits.dimension = 3;
  traits.specificity = kSmooth;
  traits.gradient_consistent = true;
  traits.curvature = true;
  traits.weighted = true;
  traits.scales = true;
  return traits;
}

void SmoothMesh::bind(std::span<const Shape* const> shapes) {
  sides_.clear();
  for (const Shape* const shape : shapes) sides_.push_back(make_side(*shape));
}

SmoothMesh::Side SmoothMesh::make_side(const Shape& shape) {
  Side side{facet<SmoothField>(shape), facet<MeshSurface>(shape), false, 0, 0};
  const auto* const nodes = facet<SurfaceNodes>(shape);
  if (!side.field) return side;
  side.convex = nodes && is_convex(*nodes, *side.field);
  side.spacing = kSpacing * shape.bounding_radius();
  // A sample lies within 0.6 spacings of each point.
  const double curvature = nodes ? largest_curvature(*nodes, *side.field) : 1 / side.spacing;
  side.margin = 0.18 * curvature * side.spacing * side.spacing;
  return side;
}

void SmoothMesh::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
                        ContactBuffer& out) const {
  SmoothWorkspace& w = smooth_workspace();
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const bool mesh_is_a = sides_[bodies.shape[pairs[i].a]].mesh != nullptr;
    const std::uint32_t of_wall = mesh_is_a ? pairs[i].a : pairs[i].b, of_body = mesh_is_a ? pairs[i].b : pairs[i].a;
    const BodyRow &wall = bodies.row[of_wall], &body = bodies.row[of_body];
    const MeshSurface& mesh = *sides_[bodies.shape[of_wall]].mesh;
    const SmoothField& field = *sides_[bodies.shape[of_body]].field;
    const double size = bodies.scale_of(of_body), wall_size = bodies.scale_of(of_wall);
    const Mat3 to_world = body.orientation.toRotationMatrix(), of_mesh = wall.orientation.toRotationMatrix();
    const Vec3 local = of_mesh.transpose() * (body.position - wall.position) / wall_size;
    w.triangles.clear();
    mesh.near(local, (body.radius + margin) / wall_size, w.triangles);
    if (w.triangles.empty()) continue;
    std::ranges::sort(w.triangles);

    const PlacedMesh placed{mesh.triangles(), w.triangles, to_world.transpose() * of_mesh,
                            to_world.transpose() * (wall.position - body.position) / size, wall_size / size};
    std::uint32_t feature = 0;
    const Side& of = sides_[bodies.shape[of_body]];
    const double reach = (body.radius + margin) / size, least = -margin / size;
    for (const CriticalPoint& p : of.convex ? w.patch.find(placed, field, reach, least)
                                            : w.dented.find(placed, field, {reach, of.spacing, least}, of.margin)) {
      const double overlap = size * p.depth.depth, length = p.depth.gradient.norm();
      if (p.depth.depth > field.greatest_depth())
        throw NumericalError(
            fmt::format("bodies {} and {} overlap by {:.3g} m, more than {:.3g} m, to which depths are "
                        "known. Take a shorter step, a stiffer law, or place them farther apart.",
                        body.id, wall.id, overlap, size * field.greatest_depth()));
      const Vec3 inward = to_world * (p.depth.gradient / length), at = body.position + to_world * (size * p.at);
      const Vec3 normal = (mesh_is_a ? 1 : -1) * inward;
      out.push(i, overlap, normal.normalized(), at - overlap / 2 * inward, feature++,
               payload_at(of_mesh.transpose() * (at - wall.position), body.radius,
                          p.weight > 0 ? Contact::alone : Contact::taken_back));
      out.set_weights(p.weight, p.weight * length);
      const double nominal = field.nominal_radius();
      out.set_radius(size * (nominal > 0 ? nominal : radius_of(p.depth, kFlattestTop * body.radius / size)));
    }
  }
}

void SmoothMesh::match(const ContactMatch& contacts) const { match_places(contacts); }

}  // namespace scree::mesh
