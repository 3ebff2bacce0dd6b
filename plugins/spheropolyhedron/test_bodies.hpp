#pragma once
/// \file Swept polyhedra without a World, and their energy in plain loops: for tests.

#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "make_shape.hpp"
#include "solids.hpp"
#include "vertex_face.hpp"

namespace scree::spheropolyhedron::test {

inline std::shared_ptr<const SweptSolid> solid(const Polyhedron& body, double radius) {
  return std::make_shared<SweptSolid>(body, SweptSolidOptions{radius, "/faces", true});
}

inline Polyhedron unit_cube() { return box({1, 1, 1}); }

/// An L of two squares' length and this height.
inline Polyhedron ell(double height) {
  const double xy[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  Polyhedron body;
  for (const double z : {0.0, height})
    for (const auto& p : xy) body.vertices.emplace_back(p[0], p[1], z);
  body.faces = {{5, 4, 3, 2, 1, 0}, {6, 7, 8, 9, 10, 11}};
  for (std::uint32_t k = 0; k < 6; ++k) body.faces.push_back({k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k});
  return body;
}

/// Balls on one body, which need not be about its centre of mass; with an axis between two of them a capsule.
class Balls final : public Shape, public RoundVertices {
 public:
  Balls(std::vector<Vec3> centres, std::vector<double> radii) : c_(std::move(centres)), r_(std::move(radii)) {}
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double) const override { return {1, {1, 1, 1}}; }
  double bounding_radius() const noexcept override {
    double r = 0;
    for (std::size_t k = 0; k < c_.size(); ++k) r = std::max(r, c_[k].norm() + r_[k]);
    return r;
  }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    return name == RoundVertices::kName ? static_cast<const RoundVertices*>(this) : nullptr;
  }
  std::span<const Vec3> centres() const override { return c_; }
  std::span<const double> radii() const override { return r_; }

 private:
  std::vector<Vec3> c_;
  std::vector<double> r_;
};

/// Two bodies, a and b.
struct Two {
  std::shared_ptr<const Shape> shape[2];
  Vec3 at[2] = {Vec3::Zero(), Vec3::Zero()};  ///< centres of mass [m]
  Quat turn[2] = {Quat::Identity(), Quat::Identity()};
  double scale[2] = {1, 1};
  Id id[2] = {0, 1};

  Two(std::shared_ptr<const Shape> a, std::shared_ptr<const Shape> b) : shape{std::move(a), std::move(b)} {}
  Vec3 place(int i, const Vec3& p) const { return at[i] + turn[i] * (scale[i] * p); }

  /// Without a past.
  ContactBuffer contacts(double margin = 0, Partner partner = Partner::polyhedra) const {
    VertexFace detector(partner);
    PairCache cache;
    return contacts(detector, cache, margin);
  }
  ContactBuffer contacts(VertexFace& detector, PairCache& cache, double margin) const {
    const Shape* shapes[] = {shape[0].get(), shape[1].get()};
    detector.bind(shapes);
    BodyRow row[2] = {};
    for (int i : {0, 1}) {
      row[i].position = at[i];
      row[i].radius = scale[i] * shape[i]->bounding_radius();
      row[i].velocity = row[i].angular_velocity = Vec3::Zero();
      row[i].inverse_mass = 1;
      row[i].id = id[i];
      row[i].orientation = turn[i];
    }
    const std::uint32_t which[] = {0, 1};
    const Pair pair{0, 1};
    ContactBuffer out;
    detector.detect({2, row, which, scale}, {&pair, 1}, cache, margin, out);
    return out;
  }
};

/// A body, taken apart.
struct Skeleton {
  std::vector<Vec3> vertex;
  std::vector<double> radius;
  std::vector<std::vector<std::uint32_t>> face;
  struct Edge {
    std::size_t begin, end;
    bool flat;
  };
  std::vector<Edge> edge;
  std::vector<int> degree;
  double edge_radius = 0;
};

/// In the body frame.
inline Skeleton taken_apart(const Shape& shape) {
  Skeleton s;
  const auto* body = dynamic_cast<const SweptSolid*>(&shape);
  if (!body) {
    const auto* round = facet<RoundVertices>(shape);
    s.vertex.assign(round->centres().begin(), round->centres().end());
    s.radius.assign(round->radii().begin(), round->radii().end());
    s.degree.assign(s.vertex.size(), 0);
    return s;
  }
  const Polyhedron& p = body->polyhedron();
  s.vertex = p.vertices;
  s.edge_radius = body->radius();
  s.radius.assign(s.vertex.size(), s.edge_radius);
  s.degree.assign(s.vertex.size(), 0);
  s.face = p.faces;
  for (const PolyhedronEdge& e : edges_of(p, "/")) {
    const Vec3 n = area_vector(p, p.faces[e.face[0]]).normalized(), m = area_vector(p, p.faces[e.face[1]]).normalized();
    s.edge.push_back({e.begin, e.end, n.dot(m) > 1 - 1e-8});
    if (!s.edge.back().flat) ++s.degree[e.begin], ++s.degree[e.end];
  }
  return s;
}

inline double to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (p - a - t * (b - a)).norm();
}

inline double to_face(const Vec3& p, const std::vector<Vec3>& vertex, const std::vector<std::uint32_t>& face) {
  const Vec3 n = (vertex[face[1]] - vertex[face[0]]).cross(vertex[face[2]] - vertex[face[0]]).normalized();
  bool inside = true;
  double least = 1e300;
  for (std::size_t k = 0; k < face.size(); ++k) {
    const Vec3 &a = vertex[face[k]], &b = vertex[face[(k + 1) % face.size()]];
    inside = inside && n.dot((b - a).cross(p - a)) >= 0;
    least = std::min(least, to_segment(p, a, b));
  }
  return inside ? std::abs(n.dot(p - vertex[face[0]])) : least;
}

/// The least distance of two segments is at an end of one, or where both lines are nearest.
inline double between_segments(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  double least = std::min({to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b)});
  const Vec3 u = b - a, v = d - c, w = a - c, n = u.cross(v);
  const double det = n.squaredNorm();
  if (det > 1e-24 * u.squaredNorm() * v.squaredNorm()) {
    const double s = v.cross(w).dot(n) / det, t = u.cross(w).dot(n) / det;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = std::min(least, std::abs(w.dot(n)) / std::sqrt(det));
  }
  return least;
}

/// E of README.md, eq. (4), for k = 1 and phi = overlap^2/2; and the least gap.
struct PlainEnergy {
  double energy = 0, gap = 1e300;
};

inline PlainEnergy plain_energy(const Two& two) {
  Skeleton s[2];
  for (int i : {0, 1}) {
    static std::map<const Shape*, std::pair<std::shared_ptr<const Shape>, Skeleton>> known;  // shapes are kept alive
    auto& [shape, parts] = known[two.shape[i].get()];
    if (!shape) shape = two.shape[i], parts = taken_apart(*shape);
    s[i] = parts;
    for (Vec3& v : s[i].vertex) v = two.place(i, v);
    for (double& r : s[i].radius) r *= two.scale[i];
    s[i].edge_radius *= two.scale[i];
  }
  PlainEnergy e;
  const auto add = [&](double weight, double rs, double d) {
    if (d < rs) e.energy += weight * (rs - d) * (rs - d) / 2;
  };
  for (int side : {0, 1}) {
    const Skeleton &own = s[side], &other = s[1 - side];
    for (std::size_t v = 0; v < own.vertex.size(); ++v) {
      const double rs = own.radius[v] + other.edge_radius;
      for (const auto& face : other.face) {
        const double d = to_face(own.vertex[v], other.vertex, face);
        e.gap = std::min(e.gap, d - rs);
        add(1, rs, d);
      }
      for (const auto& edge : other.edge)
        add(edge.flat ? -1 : -own.degree[v], rs,
            to_segment(own.vertex[v], other.vertex[edge.begin], other.vertex[edge.end]));
    }
  }
  const double rs = s[0].edge_radius + s[1].edge_radius;
  for (const auto& p : s[0].edge)
    for (const auto& q : s[1].edge) {
      if (p.flat || q.flat) continue;
      const double d =
          between_segments(s[0].vertex[p.begin], s[0].vertex[p.end], s[1].vertex[q.begin], s[1].vertex[q.end]);
      e.gap = std::min(e.gap, d - rs);
      add(1, rs, d);
    }
  for (std::size_t v = 0; v < s[0].vertex.size(); ++v)
    for (std::size_t w = 0; w < s[1].vertex.size(); ++w)
      add(2 + s[0].degree[v] * s[1].degree[w] - s[0].degree[v] - s[1].degree[w], s[0].radius[v] + s[1].radius[w],
          (s[0].vertex[v] - s[1].vertex[w]).norm());
  return e;
}

/// Sum of a detector's contacts under k = 1: energy, and force and torque on either body.
struct Sum {
  double energy = 0;
  Vec3 force[2] = {Vec3::Zero(), Vec3::Zero()}, torque[2] = {Vec3::Zero(), Vec3::Zero()};
};

inline Sum sum_of(const Two& two, const ContactBuffer& contacts) {
  Sum s;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const double delta = contacts.overlap()[k];
    if (delta <= 0) continue;
    s.energy += contacts.energy_weight()[k] * delta * delta / 2;
    const Vec3 on_b = contacts.force_weight()[k] * delta * contacts.normal_at(k);
    for (int side : {0, 1}) {
      const Vec3 f = side == 1 ? on_b : Vec3(-on_b);
      s.force[side] += f;
      s.torque[side] += (contacts.point_at(k) - two.at[side]).cross(f);
    }
  }
  return s;
}

inline Quat random_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Quat q(normal(random), normal(random), normal(random), normal(random));
  q.normalize();
  return q;
}

/// Puts b at a random place at which it overlaps a by up to `depth` [m]. The gap falls no faster than the way.
inline void bring_together(Two& two, std::mt19937& random, double depth) {
  std::uniform_real_distribution<double> any(-1, 1);
  for (int i : {0, 1}) two.at[i] = {any(random), any(random), any(random)}, two.turn[i] = random_turn(random);
  const Vec3 way = random_turn(random) * Vec3::UnitX();
  const double target = -depth * (0.05 + 0.95 * std::abs(any(random)));
  double high = two.scale[0] * two.shape[0]->bounding_radius() + two.scale[1] * two.shape[1]->bounding_radius();
  const auto gap = [&](double s) {
    two.at[1] = two.at[0] + s * way;
    return plain_energy(two).gap;
  };
  for (int k = 0; k < 200; ++k) {
    const double more = gap(high) - target;
    if (more < 1e-12) break;
    high -= more;
  }
}

}  // namespace scree::spheropolyhedron::test
