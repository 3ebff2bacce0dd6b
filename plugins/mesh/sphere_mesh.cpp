#include "sphere_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "near_triangles.hpp"
#include "scree/detect/sphere_contact.hpp"
#include "sphere_patch.hpp"

namespace scree::mesh {

namespace {

/// Above sphere-surface, which may serve shapes with both facets.
constexpr int kSpecificity = 20;

constexpr std::uint32_t kContactBits = 8, kContactMask = (1u << kContactBits) - 1;

/// Places in payloads: steps per radius, and bits of each coordinate, which runs round.
constexpr double kSteps = 1024;
constexpr int kPlaceBits = 20;
constexpr std::uint64_t kPlaceMask = (1u << kPlaceBits) - 1, kOfAPatch = std::uint64_t{1} << 60,
                        kSet = std::uint64_t{1} << 63;

/// Factor of a list's reach, against rounding.
constexpr double kSafety = 1 + 1e-9;

/// Longest way of a contact on the mesh in a step, in radii.
constexpr double kContinues = 1.0 / 3;

std::uint64_t payload_at(const Vec3& place, double radius, bool of_a_patch) {
  std::uint64_t payload = kSet | (of_a_patch ? kOfAPatch : 0);
  for (int k = 0; k < 3; ++k)
    payload |= (static_cast<std::uint64_t>(std::llround(place[k] / radius * kSteps)) & kPlaceMask) << (k * kPlaceBits);
  return payload;
}

/// Distance of two places in radii, squared.
double squared_way(std::uint64_t a, std::uint64_t b) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    constexpr std::int64_t kRound = std::int64_t{1} << kPlaceBits;
    auto steps = static_cast<std::int64_t>((a >> (k * kPlaceBits) & kPlaceMask) - (b >> (k * kPlaceBits) & kPlaceMask));
    steps &= kRound - 1;
    if (steps >= kRound / 2) steps -= kRound;
    sum += static_cast<double>(steps * steps) / (kSteps * kSteps);
  }
  return sum;
}

std::uint32_t sphere_of(std::uint32_t feature) { return feature >> kContactBits; }

/// Gives contacts that continue one its feature, and others one of their sphere that is not in use.
void number(const ContactMatch& m) {
  const auto in_use = [&](std::uint32_t feature, std::size_t numbered) {
    if (std::find(m.old_feature, m.old_feature + m.old_count, feature) != m.old_feature + m.old_count) return true;
    for (std::size_t i = 0; i < m.new_count; ++i)
      if ((m.source[i] >= 0 || i < numbered) && m.new_feature[i] == feature) return true;
    return false;
  };
  for (std::size_t i = 0; i < m.new_count; ++i)
    if (m.source[i] >= 0) m.new_feature[i] = m.old_feature[m.source[i]];
  for (std::size_t i = 0; i < m.new_count; ++i) {
    if (m.source[i] >= 0) continue;
    std::uint32_t feature = sphere_of(m.new_feature[i]) << kContactBits;
    while (in_use(feature, i)) ++feature;
    m.new_feature[i] = feature;
  }
}

/// Gives contacts that begin within a patch the spring of the nearest one there: they begin without weight.
void share_springs(const ContactMatch& m) {
  for (std::size_t i = 0; i < m.new_count; ++i) {
    if (m.source[i] >= 0 || !(m.new_payload[i] & kOfAPatch)) continue;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < m.new_count; ++k) {
      const std::int32_t from = m.source[k];
      if (from < 0 || sphere_of(m.new_feature[k]) != sphere_of(m.new_feature[i]) ||
          m.new_feature[k] != m.old_feature[from])
        continue;
      if (const double squared = squared_way(m.new_payload[i], m.new_payload[k]); squared < least)
        least = squared, m.source[i] = from;
    }
  }
}

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
               payload_at((s.local + m.foot.point) * s.scale, s.radius, m.of_a_patch));
      out.set_radius(c.effective_radius);
      out.set_weights(m.weight, m.weight);
    }
  });
}

void SphereMesh::match(const ContactMatch& m) const {
  struct Way {
    double squared;
    std::size_t from, to;
  };
  thread_local std::vector<Way> ways;
  thread_local std::vector<bool> continued;
  ways.clear();
  continued.assign(m.old_count, false);
  for (std::size_t i = 0; i < m.new_count; ++i) {
    m.source[i] = -1;
    for (std::size_t j = 0; j < m.old_count; ++j) {
      if (sphere_of(m.new_feature[i]) != sphere_of(m.old_feature[j])) continue;
      const double squared = squared_way(m.new_payload[i], m.old_payload[j]);
      if (squared < kContinues * kContinues) ways.push_back({squared, j, i});
    }
  }
  std::ranges::sort(ways, [](const Way& a, const Way& b) {
    return a.squared != b.squared ? a.squared < b.squared : a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  for (const Way& way : ways) {
    if (continued[way.from] || m.source[way.to] >= 0) continue;
    continued[way.from] = true;
    m.source[way.to] = static_cast<std::int32_t>(way.from);
  }
  number(m);
  share_springs(m);
}

}  // namespace scree::mesh
