#include "sphere_mesh.hpp"

#include <algorithm>
#include <cmath>

#include "match_places.hpp"
#include "near_triangles.hpp"
#include "scree/detect/sphere_contact.hpp"
#include "sphere_patch.hpp"

namespace scree::mesh {

namespace {

/// Above sphere-surface, which may serve shapes with both facets.
constexpr int kSpecificity = 20;

/// Factor of a list's reach, against rounding.
constexpr double kSafety = 1 + 1e-9;

SpherePatch& sphere_patch() {
  thread_local SpherePatch patch;
  return patch;
}

}  // namespace

DetectorTraits SphereMesh::traits() const {
  DetectorTraits traits;
  traits.facets_a = {SphereSet::kName};
  traits.facets_b = {MeshSurface::kName};
  traits.dimension = 3;
  traits.specificity = kSpecificity;
  traits.curvature = true;
  traits.weighted = true;
  traits.scales = true;
  return traits;
}

void SphereMesh::bind(std::span<const Shape* const> shapes) {
  sides_.clear();
  for (const Shape* const shape : shapes) sides_.push_back({facet<SphereSet>(*shape), facet<MeshSurface>(*shape)});
}

/// A sphere of a pair, seen from the mesh.
struct SphereMesh::Seen {
  std::uint32_t pair, number;  ///< number of the sphere in its body
  const MeshSurface& mesh;
  const Mat3& turn;  ///< from the mesh's frame to world axes
  double scale;      ///< size of the mesh relative to its shape
  double toward_b;   ///< 1 if the mesh is b, else -1
  Vec3 centre;       ///< world [m]
  double radius;     ///< [m]
  Vec3 local;        ///< centre in the mesh's frame and lengths
};

/// Calls each(Seen, number) for all spheres of all pairs, numbered through the chunk.
template <class Each>
void SphereMesh::for_each_sphere(const BodyView& bodies, std::span<const Pair> pairs, const Each& each) const {
  std::size_t number = 0;
  for (std::uint32_t p = 0; p < pairs.size(); ++p) {
    const bool mesh_is_a = sides_[bodies.shape[pairs[p].a]].mesh != nullptr;
    const std::uint32_t wall = mesh_is_a ? pairs[p].a : pairs[p].b, body = mesh_is_a ? pairs[p].b : pairs[p].a;
    const SphereSet& set = *sides_[bodies.shape[body]].spheres;
    const BodyRow &of_wall = bodies.row[wall], &of_body = bodies.row[body];
    const double scale = bodies.scale_of(wall), size = bodies.scale_of(body);
    const Mat3 turn = of_wall.orientation.toRotationMatrix();
    for (std::uint32_t s = 0; s < set.radii().size(); ++s) {
      const Vec3 x = of_body.position + of_body.orientation * (size * set.centres()[s]);
      const Vec3 local = turn.transpose() * (x - of_wall.position) / scale;
      each(Seen{p, s, *sides_[bodies.shape[wall]].mesh, turn, scale, mesh_is_a ? -1.0 : 1.0, x, size * set.radii()[s],
                local},
           number++);
    }
  }
}

void SphereMesh::prepare(const BodyView& bodies, std::span<const Pair> pairs, double skin, double margin,
                         PairCache& cache) const {
  NearTriangles::Made made;
  std::vector<std::uint32_t> found;
  for_each_sphere(bodies, pairs, [&](const Seen& s, std::size_t) {
    const double slack = skin / s.scale, reach = (s.radius + margin) / s.scale + slack * kSafety;
    found.clear();
    s.mesh.near(s.local, reach, found);
    std::ranges::sort(found);
    const auto begin = static_cast<std::uint32_t>(made.triangles.size());
    for (const std::uint32_t t : found)
      if (s.mesh.triangles().foot(t, s.local).distance < reach) made.triangles.push_back(t);
    made.spheres.push_back(
        {{s.local[0], s.local[1], s.local[2]}, begin, static_cast<std::uint32_t>(made.triangles.size()), slack});
  });
  NearTriangles::store(made, cache);
}

void SphereMesh::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
                        ContactBuffer& out) const {
  SpherePatch& patch = sphere_patch();
  const NearTriangles near(cache);
  for_each_sphere(bodies, pairs, [&](const Seen& s, std::size_t number) {
    const double radius = s.radius / s.scale, reach = (s.radius + margin) / s.scale;
    const std::span<const Minimum> minima = near.serves(number, s.local)
                                                ? patch.find_among(near.of(number), s.mesh, s.local, radius, reach)
                                                : patch.find(s.mesh, s.local, radius, reach);
    std::uint32_t feature = s.number << kContactBits;
    for (const Minimum& m : minima) {
      // From the surface to the centre; out of the matter also where the centre is in it.
      const Vec3 out_of = m.foot.distance != 0 ? Vec3(-m.foot.point / m.foot.distance)
                                               : s.mesh.triangles().outward(m.foot.feature, m.foot.part).normalized();
      const Vec3 g = s.turn * out_of;
      const SphereContact<double> c = sphere_face(s.centre[0], s.centre[1], s.centre[2], s.radius,
                                                  s.scale * m.foot.distance, g[0], g[1], g[2], 0.0, 0.0);
      out.push(s.pair, c.overlap, s.toward_b * Vec3(c.nx, c.ny, c.nz), Vec3(c.px, c.py, c.pz), feature++,
               payload_at((s.local + m.foot.point) * s.scale, s.radius,
                          m.of_a_patch ? Contact::of_a_patch : Contact::alone));
      out.set_radius(c.effective_radius);
      out.set_weights(m.weight, m.weight);
    }
  });
}

void SphereMesh::match(const ContactMatch& contacts) const { match_places(contacts); }

}  // namespace scree::mesh
