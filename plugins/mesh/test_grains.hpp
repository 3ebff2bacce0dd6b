#pragma once
/// \file Grains with edges for the tests of this plugin, and one of them with a mesh, without a World.

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "body_mesh.hpp"
#include "mesh_shape.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/segment.hpp"
#include "scree/shape/swept_polyhedron.hpp"

namespace scree::mesh::test {

/// A box with round edges and corners about its centre, with its corners at these half lengths.
class Brick final : public Shape, public SweptPolyhedron, public RoundVertices {
 public:
  Brick(const Vec3& half, double radius) : radius_(radius), radii_(8, radius) {
    for (int k = 0; k < 8; ++k)
      vertices_.push_back({(k & 1 ? 1 : -1) * half[0], (k & 2 ? 1 : -1) * half[1], (k & 4 ? 1 : -1) * half[2]});
  }
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double) const override { return {1, {1, 1, 1}}; }
  double bounding_radius() const noexcept override { return vertices_[0].norm() + radius_; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    if (name == SweptPolyhedron::kName) return static_cast<const SweptPolyhedron*>(this);
    return name == RoundVertices::kName ? static_cast<const RoundVertices*>(this) : nullptr;
  }
  std::span<const Vec3> vertices() const override { return vertices_; }
  std::span<const std::uint32_t> face_begin() const override { return begin_; }
  std::span<const std::uint32_t> face_vertices() const override { return corners_; }
  double radius() const noexcept override { return radius_; }
  std::span<const Vec3> centres() const override { return vertices_; }
  std::span<const double> radii() const override { return radii_; }

 private:
  double radius_;
  std::vector<Vec3> vertices_;
  std::vector<double> radii_;
  std::vector<std::uint32_t> begin_{0, 4, 8, 12, 16, 20, 24},
      corners_{0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
};

/// A capsule along z.
class Stick final : public Shape, public Segment, public RoundVertices {
 public:
  Stick(double half, double radius)
      : half_(half), radius_(radius), centres_{{0, 0, -half}, {0, 0, half}}, radii_{radius, radius} {}
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double) const override { return {1, {1, 1, 1}}; }
  double bounding_radius() const noexcept override { return half_ + radius_; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    if (name == Segment::kName) return static_cast<const Segment*>(this);
    return name == RoundVertices::kName ? static_cast<const RoundVertices*>(this) : nullptr;
  }
  double half_length() const noexcept override { return half_; }
  double radius() const noexcept override { return radius_; }
  std::span<const Vec3> centres() const override { return centres_; }
  std::span<const double> radii() const override { return radii_; }

 private:
  double half_, radius_;
  std::vector<Vec3> centres_;
  std::vector<double> radii_;
};

/// Energy and forces of contacts under springs of stiffness 1.
struct Sum {
  double energy = 0;
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  ///< on the grain
  int touching = 0;
};

/// A grain and a mesh, which stands still unless it is moved.
struct Meet {
  std::shared_ptr<const Shape> grain;
  std::shared_ptr<const MeshShape> wall;
  Vec3 at = Vec3::Zero();
  Quat turn = Quat::Identity();
  Vec3 wall_at;
  Quat wall_turn = Quat::Identity();
  double scale[2] = {1, 1};  ///< sizes of grain and wall

  Meet(std::shared_ptr<const Shape> of, const SurfaceMesh& s,
       const MeshOptions& options = {false, Sides::automatic, "/file"})
      : grain(std::move(of)), wall(std::make_shared<MeshShape>(s, options)), wall_at(-wall->reference_point()) {}

  ContactBuffer contacts(PairCache& cache, double margin = 0, bool mesh_first = false) const {
    BodyMesh detector(facet<Segment>(*grain) ? Body::segment : Body::polyhedron);
    const Shape* shapes[] = {grain.get(), wall.get()};
    detector.bind(shapes);
    BodyRow row[2] = {};
    row[0].position = at, row[1].position = wall_at;
    row[0].orientation = turn, row[1].orientation = wall_turn;
    row[0].inverse_mass = 1;
    row[1].id = 1;
    const std::uint32_t which[] = {0, 1};
    const Pair pair = mesh_first ? Pair{1, 0} : Pair{0, 1};
    ContactBuffer out;
    detector.detect({2, row, which, scale}, {&pair, 1}, cache, margin, out);
    return out;
  }
  ContactBuffer contacts(double margin = 0, bool mesh_first = false) const {
    PairCache cache;
    return contacts(cache, margin, mesh_first);
  }
  Sum sum() const { return sum_of(contacts()); }
  Sum sum_of(const ContactBuffer& c, double toward_wall = 1) const {
    Sum s;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const double overlap = c.overlap()[k];
      if (overlap <= 0) continue;
      ++s.touching;
      s.energy += c.energy_weight()[k] * overlap * overlap / 2;
      const Vec3 f = -toward_wall * c.force_weight()[k] * overlap * c.normal_at(k);
      s.force += f;
      s.torque += (c.point_at(k) - at).cross(f);
    }
    return s;
  }
};

inline Quat random_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Quat q(normal(random), normal(random), normal(random), normal(random));
  q.normalize();
  return q;
}

}  // namespace scree::mesh::test
