#include "sphere_surface.hpp"

#include "sphere_contact.hpp"

namespace scree::spheres {

namespace {

/// Below sphere-sphere: a shape that offers spheres and faces is met sphere by sphere.
constexpr int kSpecificity = 15;

/// The obstacle of a pair, and the body of spheres.
struct Roles {
  std::uint32_t wall, body;
  bool wall_is_a;
};

/// One thread's working memory.
struct Workspace {
  SphereTile tile;
  std::vector<Roles> roles;
  std::vector<Vec3> local;                   ///< centres in the obstacle's frame
  std::vector<std::vector<FacePoint>> seen;  ///< by face
};

/// Columns of `w` for all spheres of the pairs first .. last - 1, in pair order.
void look(const BodyView& bodies, std::span<const Roles> roles, const Faces& faces, Workspace& w) {
  const Mat3 back = bodies.row[roles[0].wall].orientation.conjugate().toRotationMatrix();
  const Vec3 origin = bodies.row[roles[0].wall].position;
  const SphereTile& t = w.tile;
  w.local.clear();
  for (const Roles& role : roles)
    for (std::uint32_t s = t.first[role.body]; s < t.first[role.body + 1]; ++s)
      w.local.push_back(back * (t.spheres[s].centre - origin));
  const auto count = static_cast<std::size_t>(faces.face_count());
  if (w.seen.size() < count) w.seen.resize(count);
  for (std::size_t face = 0; face < count; ++face) {
    if (w.seen[face].size() < w.local.size()) w.seen[face].resize(w.local.size());
    faces.face(static_cast<int>(face), w.local, std::span(w.seen[face]).first(w.local.size()));
  }
}

void push(const PlacedSphere& sphere, const FacePoint& seen, const Mat3& turn, bool wall_is_a,
          std::uint32_t pair, std::uint32_t feature, ContactBuffer& out) {
  const Vec3 g = turn * seen.normal;
  const Vec3& x = sphere.centre;
  const Contact<double> c = sphere_face(x[0], x[1], x[2], sphere.radius, seen.distance, g[0], g[1], g[2],
                                        seen.curvature[0], seen.curvature[1]);
  const Vec3 normal(c.nx, c.ny, c.nz);
  out.push(pair, c.overlap, wall_is_a ? Vec3(-normal) : normal, {c.px, c.py, c.pz}, feature,
           std::uint64_t{feature} + 1);  // as in sphere-sphere: nothing but the feature tells contacts apart
  out.set_radius(c.effective_radius);
}

/// The pairs `begin` .. begin + roles.size() - 1, which share one obstacle.
void detect_run(const BodyView& bodies, std::span<const Roles> roles, std::size_t begin, const Faces& faces,
                double margin, Workspace& w, ContactBuffer& out) {
  look(bodies, roles, faces, w);
  const Mat3 turn = bodies.row[roles[0].wall].orientation.toRotationMatrix();
  const auto count = static_cast<std::uint32_t>(faces.face_count());
  const SphereTile& t = w.tile;
  std::size_t point = 0;
  for (std::size_t k = 0; k < roles.size(); ++k) {
    const std::uint32_t first = t.first[roles[k].body], last = t.first[roles[k].body + 1];
    for (std::uint32_t s = first; s < last; ++s, ++point)
      for (std::uint32_t face = 0; face < count; ++face) {
        const FacePoint& seen = w.seen[face][point];
        if (seen.distance >= t.spheres[s].radius + margin) continue;
        push(t.spheres[s], seen, turn, roles[k].wall_is_a, static_cast<std::uint32_t>(begin + k), (s - first) * count + face,
             out);
      }
  }
}

}  // namespace

DetectorTraits SphereSurface::traits() const {
  DetectorTraits traits;
  traits.facets_a = {SphereSet::kName};
  traits.facets_b = {Faces::kName};
  traits.specificity = kSpecificity;
  traits.gradient_consistent = true;
  traits.curvature = true;
  return traits;
}

void SphereSurface::bind(std::span<const Shape* const> shapes) {
  sets_.clear();
  faces_.clear();
  for (const Shape* shape : shapes) {
    sets_.push_back(make_set(*shape));
    faces_.push_back(facet<Faces>(*shape));
  }
}

void SphereSurface::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
                           ContactBuffer& out) const {
  thread_local Workspace w;
  w.tile.fill(bodies, sets_);
  std::vector<Roles>& roles = w.roles;
  roles.clear();
  for (const Pair& p : pairs) {
    const bool wall_is_a = sets_[bodies.shape[p.a]].radii.empty() || faces_[bodies.shape[p.b]] == nullptr;
    roles.push_back(wall_is_a ? Roles{p.a, p.b, true} : Roles{p.b, p.a, false});
  }
  for (std::size_t begin = 0; begin < roles.size();) {
    std::size_t end = begin + 1;
    while (end < roles.size() && roles[end].wall == roles[begin].wall) ++end;
    detect_run(bodies, std::span(roles).subspan(begin, end - begin), begin, *faces_[bodies.shape[roles[begin].wall]],
               margin, w, out);
    begin = end;
  }
}

}  // namespace scree::spheres
