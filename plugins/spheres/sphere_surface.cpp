#include "sphere_surface.hpp"

#include "on_device.hpp"
#include "scree/detect/sphere_contact.hpp"
#include "scree/shape/corner_shares.hpp"

namespace scree::spheres {

namespace {

/// Below sphere-sphere: a shape that offers spheres and faces is met sphere by sphere. Spheres are vertices too, but
/// have a detector of their own.
constexpr int kFaceSpecificity = 15, kVertexSpecificity = 12;

/// The obstacle of a pair, and the body of spheres.
struct Roles {
  std::uint32_t wall, body;
  bool wall_is_a;
  bool apart = false;  ///< the whole body is out of the obstacle's reach
};

/// Bodies of more spheres than this are first looked at as a whole.
constexpr std::uint32_t kFewSpheres = 4;

/// An obstacle and what it shows the spheres of all its pairs.
struct Wall {
  const Faces* faces;
  double scale;            ///< its size relative to its shape
  Mat3 turn;               ///< from its frame to world axes
  std::size_t begin, end;  ///< its spheres, in SurfaceWorkspace::local and in every row of SurfaceWorkspace::seen
};

/// A sphere that touches a face.
struct Touch {
  std::uint32_t pair, feature;
  const Wall* wall;
  const PlacedSphere* sphere;
  const FacePoint* seen;
};

/// One thread's working memory.
struct SurfaceWorkspace {
  SphereTile tile;
  std::vector<Roles> roles;                  ///< by pair
  std::vector<std::uint32_t> wall_of;        ///< by row of the chunk: index into walls, for obstacles
  std::vector<Wall> walls;                   ///< each once, however many pairs it has
  std::vector<std::size_t> first;            ///< by pair: where its spheres begin in `local`
  std::vector<Vec3> local;                   ///< centres in their obstacle's frame
  std::vector<std::vector<FacePoint>> seen;  ///< by face: what the spheres see
  std::vector<Touch> touching;
  std::vector<double> toward_b;      ///< 1 for each touch if the obstacle is b, else -1
  std::vector<double> curvature[2];  ///< principal curvatures for each touch
};

/// Not inlined: the compiler would look up the thread's address again in every loop.
[[gnu::noinline]] SurfaceWorkspace& surface_workspace() {
  thread_local SurfaceWorkspace w;
  return w;
}

/// Checks that no face is within `reach` [m] of the body's centre.
bool out_of_reach(const BodyRow& wall, double wall_scale, const BodyRow& body, const Faces& faces, double reach) {
  const Vec3 local = wall.orientation.conjugate() * (body.position - wall.position) / wall_scale;
  for (int face = 0; face < faces.face_count(); ++face) {
    FacePoint seen;
    faces.face(face, {&local, 1}, {&seen, 1});
    if (wall_scale * seen.distance < reach) return false;
  }
  return true;
}

std::uint32_t sphere_count(const SphereTile& tile, const Roles& r) {
  return r.apart ? 0 : tile.first[r.body + 1] - tile.first[r.body];
}

/// Fills walls and first: spheres are numbered obstacle by obstacle, so that each looks at all of its own at once.
void sort_by_wall(const BodyView& bodies, std::span<const Faces* const> faces, SurfaceWorkspace& w) {
  w.wall_of.assign(bodies.size, ~0u);
  w.walls.clear();
  for (const Roles& r : w.roles) {
    if (w.wall_of[r.wall] == ~0u) {
      w.wall_of[r.wall] = static_cast<std::uint32_t>(w.walls.size());
      const BodyRow& wall = bodies.row[r.wall];
      w.walls.push_back(
          {faces[bodies.shape[r.wall]], bodies.scale_of(r.wall), wall.orientation.toRotationMatrix(), 0, 0});
    }
    w.walls[w.wall_of[r.wall]].end += sphere_count(w.tile, r);
  }
  std::size_t begin = 0;
  for (Wall& wall : w.walls) {
    const std::size_t count = wall.end;
    wall.begin = wall.end = begin;
    begin += count;
  }
  w.first.resize(w.roles.size());
  for (std::size_t p = 0; p < w.roles.size(); ++p) {
    Wall& wall = w.walls[w.wall_of[w.roles[p].wall]];
    w.first[p] = wall.end;
    wall.end += sphere_count(w.tile, w.roles[p]);
  }
  w.local.resize(begin);
}

/// From lengths of the obstacle's shape to those of an obstacle `scale` times as large.
void enlarge(std::span<FacePoint> seen, double scale) {
  for (FacePoint& point : seen) {
    point.distance *= scale;
    for (double& k : point.curvature) k /= scale;
  }
}

/// Fills local and seen.
void look(const BodyView& bodies, SurfaceWorkspace& w) {
  for (std::size_t p = 0; p < w.roles.size(); ++p) {
    const Roles& r = w.roles[p];
    const Wall& wall = w.walls[w.wall_of[r.wall]];
    const Vec3& origin = bodies.row[r.wall].position;
    const PlacedSphere* const sphere = w.tile.spheres.data() + w.tile.first[r.body];
    for (std::uint32_t s = 0; s < sphere_count(w.tile, r); ++s)
      w.local[w.first[p] + s] = wall.turn.transpose() * (sphere[s].centre - origin);
  }
  for (const Wall& wall : w.walls) {
    const std::size_t count = wall.end - wall.begin;
    const auto local = std::span(w.local).subspan(wall.begin, count);
    if (wall.scale != 1)
      for (Vec3& x : local) x /= wall.scale;
    for (int face = 0; face < wall.faces->face_count(); ++face) {
      const auto f = static_cast<std::size_t>(face);
      if (w.seen.size() <= f) w.seen.resize(f + 1);
      if (w.seen[f].size() < w.local.size()) w.seen[f].resize(w.local.size());
      const auto seen = std::span(w.seen[f]).subspan(wall.begin, count);
      wall.faces->face(face, local, seen);
      if (wall.scale != 1) enlarge(seen, wall.scale);
    }
  }
}

/// Finds the spheres that touch faces, in order of the pairs, of their spheres, of the obstacle's faces.
void find_touching(double margin, SurfaceWorkspace& w) {
  w.touching.clear();
  for (std::uint32_t p = 0; p < w.roles.size(); ++p) {
    const Roles& r = w.roles[p];
    const Wall& wall = w.walls[w.wall_of[r.wall]];
    const auto faces = static_cast<std::uint32_t>(wall.faces->face_count());
    const std::uint32_t first = w.tile.first[r.body], count = sphere_count(w.tile, r);
    for (std::uint32_t s = 0; s < count; ++s)
      for (std::uint32_t face = 0; face < faces; ++face) {
        const FacePoint& seen = w.seen[face][w.first[p] + s];
        if (seen.distance < w.tile.spheres[first + s].radius + margin)
          w.touching.push_back({p, s * faces + face, &wall, &w.tile.spheres[first + s], &seen});
      }
  }
}

/// Sets the weights of the contacts of w.touching: a vertex of a fine outline has a share in them.
void weigh(const BodyView& bodies, std::span<const std::vector<double>> shares, const SurfaceWorkspace& w,
           const ContactBuffer::Rows& to) {
  for (std::size_t k = 0; k < w.touching.size(); ++k) {
    const Touch& touch = w.touching[k];
    const std::vector<double>& of_shape = shares[bodies.shape[w.roles[touch.pair].body]];
    const auto faces = static_cast<std::uint32_t>(touch.wall->faces->face_count());
    to.energy_weight[k] = to.force_weight[k] = of_shape.empty() ? 1 : of_shape[touch.feature / faces];
  }
}

/// The contacts of w.touching. \return where they are
ContactBuffer::Rows geometry(SurfaceWorkspace& w, ContactBuffer& out) {
  const std::size_t count = w.touching.size();
  const ContactBuffer::Rows to = out.extend(count);
  for (std::vector<double>* column : {&w.toward_b, &w.curvature[0], &w.curvature[1]}) column->resize(count);
  // First what a contact is made of goes where the results will be, then each contact is computed in place.
  for (std::size_t k = 0; k < count; ++k) {
    const Touch& touch = w.touching[k];
    const Mat3& turn = touch.wall->turn;
    const Vec3& g = touch.seen->normal;
    for (int axis = 0; axis < 3; ++axis) {
      to.point[axis][k] = touch.sphere->centre[axis];
      to.normal[axis][k] = turn(axis, 0) * g[0] + turn(axis, 1) * g[1] + turn(axis, 2) * g[2];
    }
    to.radius[k] = touch.sphere->radius;
    to.overlap[k] = touch.seen->distance;
    for (int c = 0; c < 2; ++c) w.curvature[c][k] = touch.seen->curvature[c];
    w.toward_b[k] = w.roles[touch.pair].wall_is_a ? -1 : 1;
    to.pair[k] = touch.pair;
    to.feature[k] = touch.feature;
    to.payload[k] = payload_of(touch.feature);
  }
  const double *const toward_b = w.toward_b.data(), *const k1 = w.curvature[0].data(),
                      *const k2 = w.curvature[1].data();
  const auto one = [=](std::size_t k) {
    const SphereContact<double> c =
        sphere_face(to.point[0][k], to.point[1][k], to.point[2][k], to.radius[k], to.overlap[k], to.normal[0][k],
                    to.normal[1][k], to.normal[2][k], k1[k], k2[k]);
    to.overlap[k] = c.overlap;
    to.normal[0][k] = toward_b[k] * c.nx, to.normal[1][k] = toward_b[k] * c.ny, to.normal[2][k] = toward_b[k] * c.nz;
    to.point[0][k] = c.px, to.point[1][k] = c.py, to.point[2][k] = c.pz;
    to.radius[k] = c.effective_radius;
  };
#pragma omp simd
  for (std::size_t k = 0; k < count; ++k) one(k);
  return to;
}

}  // namespace

DetectorTraits SphereSurface::traits() const {
  DetectorTraits traits;
  const bool vertices = pairing_ == Pairing::vertices_with_walls;
  traits.facets_a = {vertices ? RoundVertices::kName : SphereSet::kName};
  traits.facets_b = {vertices ? WallFaces::kName : Faces::kName};
  traits.specificity = vertices ? kVertexSpecificity : kFaceSpecificity;
  traits.gradient_consistent = true;
  traits.curvature = true;
  traits.scales = true;
  traits.weighted = vertices;
  return traits;
}

const void* SphereSurface::face(std::string_view name) const noexcept {
  return name == device::DeviceFaceContacts::kName ? &faces_on_device() : nullptr;
}

void SphereSurface::bind(std::span<const Shape* const> shapes) {
  sets_.clear();
  faces_.clear();
  shares_.clear();
  const bool vertices = pairing_ == Pairing::vertices_with_walls;
  for (const Shape* shape : shapes) {
    sets_.push_back(vertices ? make_set(facet<RoundVertices>(*shape)) : make_set(*shape));
    faces_.push_back(vertices ? facet<WallFaces>(*shape) : facet<Faces>(*shape));
    const auto* const polygon = facet<SweptPolygon>(*shape);
    shares_.push_back(polygon ? corner_shares(*polygon, shape->bounding_radius()) : std::vector<double>());
  }
}

void SphereSurface::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
                           ContactBuffer& out) const {
  SurfaceWorkspace& w = surface_workspace();
  w.tile.fill(bodies, sets_);
  w.roles.clear();
  for (const Pair& p : pairs) {
    const bool wall_is_a = sets_[bodies.shape[p.a]].radii.empty() || faces_[bodies.shape[p.b]] == nullptr;
    Roles& r = w.roles.emplace_back(wall_is_a ? Roles{p.a, p.b, true} : Roles{p.b, p.a, false});
    if (sphere_count(w.tile, r) > kFewSpheres)
      r.apart = out_of_reach(bodies.row[r.wall], bodies.scale_of(r.wall), bodies.row[r.body],
                             *faces_[bodies.shape[r.wall]], bodies.row[r.body].radius + margin);
  }
  sort_by_wall(bodies, faces_, w);
  look(bodies, w);
  find_touching(margin, w);
  const ContactBuffer::Rows found = geometry(w, out);
  if (pairing_ == Pairing::vertices_with_walls) weigh(bodies, shares_, w, found);
}

}  // namespace scree::spheres
