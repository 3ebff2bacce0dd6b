#pragma once
/// \file Swept bodies in the plane without a World, and the energy of the specification in plain loops: for tests and
/// the benchmark.

#include <cmath>
#include <fstream>
#include <memory>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "corner_weight.hpp"
#include "make_shape.hpp"
#include "scree/shape/corner_shares.hpp"
#include "vertex_edge.hpp"

namespace scree::spheropolygon::test {

inline std::vector<Vec2> square(double side) { return {{0, 0}, {side, 0}, {side, side}, {0, side}}; }
inline std::vector<Vec2> l_shape() { return {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}; }
inline std::vector<Vec2> u_shape() { return {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}; }

/// A regular polygon of n corners, 1 m from the centre.
inline std::vector<Vec2> regular(int n) {
  std::vector<Vec2> v;
  for (int k = 0; k < n; ++k) v.push_back(Eigen::Rotation2Dd(2 * std::numbers::pi * k / n) * Vec2(1, 0));
  return v;
}

/// The outline in a file of the plugin's folder, as it stands there.
inline std::vector<Vec2> outline_in(const std::string& file) {
  const Options options = Options::parse(R"({"file": ")" SCREE_SOURCE_DIR R"(/plugins/spheropolygon/)" + file +
                                         R"(", "scale": 1, "radius": 0.1, "thickness": 1, "position_of": "origin"})");
  const auto body = make_spheropolygon(options);
  std::vector<Vec2> v(body->vertices().begin(), body->vertices().end());
  for (Vec2& p : v) p -= body->reference_point().head<2>();
  return v;
}

inline std::vector<Vec2> cow() { return outline_in("cow62.json"); }

inline std::shared_ptr<const SweptBody> polygon(const std::vector<Vec2>& vertices, double radius) {
  SweptBodyOptions options;
  options.radius = radius;
  options.pointer = "/vertices";
  return std::make_shared<SweptBody>(Skeleton{vertices, true}, options);
}
inline std::shared_ptr<const SweptBody> chain(const std::vector<Vec2>& vertices, double radius) {
  SweptBodyOptions options;
  options.radius = radius;
  options.pointer = "/vertices";
  return std::make_shared<SweptBody>(Skeleton{vertices, false}, options);
}

/// Discs on one body, which need not be about its centre of mass.
class Discs final : public Shape, public RoundVertices {
 public:
  explicit Discs(std::vector<Vec3> centres, std::vector<double> radii) : c_(std::move(centres)), r_(std::move(radii)) {}
  int dimension() const noexcept override { return 2; }
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

struct Bodies {
  std::vector<std::shared_ptr<const Shape>> shapes;
  std::vector<std::uint32_t> shape;
  std::vector<Vec2> at;       ///< centres of mass [m]
  std::vector<double> angle;  ///< [rad]
  std::vector<Id> id;

  std::uint32_t add(std::uint32_t which, const Vec2& x, double phi) {
    shape.push_back(which);
    at.push_back(x);
    angle.push_back(phi);
    id.push_back(id.size());
    return static_cast<std::uint32_t>(id.size() - 1);
  }
  /// Valid until called again.
  BodyView view() const {
    rows_.clear();
    for (std::size_t i = 0; i < at.size(); ++i) {
      BodyRow row{};
      row.position = {at[i].x(), at[i].y(), 0};
      row.radius = shapes[shape[i]]->bounding_radius();
      row.velocity = row.angular_velocity = Vec3::Zero();
      row.inverse_mass = 1;
      row.id = id[i];
      row.orientation = Quat(std::cos(angle[i] / 2), 0, 0, std::sin(angle[i] / 2));
      rows_.push_back(row);
    }
    return {rows_.size(), rows_.data(), shape.data()};
  }
  void bind(ContactDetector& detector) const {
    std::vector<const Shape*> all;
    for (const auto& s : shapes) all.push_back(s.get());
    detector.bind(all);
  }
  Vec2 place(std::size_t i, const Vec2& p) const { return at[i] + Eigen::Rotation2Dd(angle[i]) * p; }

 private:
  mutable std::vector<BodyRow> rows_;
};

/// Both with their centres of mass at the origin, not turned.
inline Bodies two(std::shared_ptr<const Shape> a, std::shared_ptr<const Shape> b) {
  Bodies bodies;
  bodies.shapes = {std::move(a), std::move(b)};
  bodies.add(0, {0, 0}, 0);
  bodies.add(1, {0, 0}, 0);
  return bodies;
}

/// Vertices of body i in world axes [m], their radii, and its edges.
struct Outline {
  std::vector<Vec2> vertex;
  std::vector<double> radius;
  std::vector<std::pair<std::size_t, std::size_t>> edge;
  double edge_radius = 0;
  std::vector<double> share;  ///< weight of each vertex, for corner weight 2
};

inline Outline outline(const Bodies& bodies, std::size_t i) {
  Outline o;
  const Shape& shape = *bodies.shapes[bodies.shape[i]];
  if (const auto* p = facet<SweptPolygon>(shape)) {
    const std::size_t n = p->vertices().size();
    o.edge_radius = p->radius();
    o.radius.assign(n, p->radius());
    for (const Vec2& v : p->vertices()) o.vertex.push_back(bodies.place(i, v));
    for (std::size_t k = 0; k < (p->closed() ? n : n - 1); ++k) o.edge.emplace_back(k, (k + 1) % n);
    o.share = corner_shares(*p, shape.bounding_radius());
  } else {
    const auto* s = facet<RoundVertices>(shape);
    o.radius.assign(s->radii().begin(), s->radii().end());
    for (const Vec3& c : s->centres()) o.vertex.push_back(bodies.place(i, c.head<2>()));
  }
  if (o.share.empty()) o.share.assign(o.vertex.size(), 1);
  return o;
}

/// E_c of the specification, sec. 3, for p = 2 and k = 1, of two bodies; and the smallest gap between a vertex and an
/// edge.
struct PlainEnergy {
  double energy = 0, gap = 1e300;
};

inline double point_to_edge(const Vec2& p, const Vec2& a, const Vec2& b) {
  const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (p - a - t * (b - a)).norm();
}

inline PlainEnergy plain_energy(const Bodies& bodies, std::size_t i, std::size_t j, int c) {
  const Outline o[2] = {outline(bodies, i), outline(bodies, j)};
  PlainEnergy e;
  const auto half_square = [](double delta) { return delta > 0 ? delta * delta / 2 : 0; };
  const auto degree = [](const Outline& of, std::size_t v) {
    int n = 0;
    for (const auto& [p, q] : of.edge) n += (p == v) + (q == v);
    return n;
  };
  for (int side = 0; side < 2; ++side)
    for (std::size_t v = 0; v < o[side].vertex.size(); ++v)
      for (const auto& [p, q] : o[1 - side].edge) {
        const double rs = o[side].radius[v] + o[1 - side].edge_radius;
        const double d = point_to_edge(o[side].vertex[v], o[1 - side].vertex[p], o[1 - side].vertex[q]);
        e.gap = std::min(e.gap, d - rs);
        e.energy += (c == 2 ? o[side].share[v] : 1) * half_square(rs - d);
      }
  const auto all_of_pair = [&](std::size_t v, std::size_t w) -> double {
    if (c != 2) return taken_back(c, degree(o[0], v), degree(o[1], w));
    return o[0].share[v] * std::max(0, degree(o[1], w) - 1) + o[1].share[w] * std::max(0, degree(o[0], v) - 1);
  };
  for (std::size_t v = 0; v < o[0].vertex.size(); ++v)
    for (std::size_t w = 0; w < o[1].vertex.size(); ++w)
      e.energy -=
          all_of_pair(v, w) * half_square(o[0].radius[v] + o[1].radius[w] - (o[0].vertex[v] - o[1].vertex[w]).norm());
  return e;
}

/// Sums over a detector's contacts of the pair (0, 1) under k = 1: energy, and force and torque on either body.
struct Sum {
  double energy = 0;
  Vec2 force[2] = {Vec2::Zero(), Vec2::Zero()};
  double torque[2] = {0, 0};
};

inline Sum sum_of(const Bodies& bodies, const ContactBuffer& contacts) {
  Sum s;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const double delta = contacts.overlap()[k];
    if (delta <= 0) continue;
    s.energy += contacts.energy_weight()[k] * delta * delta / 2;
    const Vec2 on_b = contacts.force_weight()[k] * delta * contacts.normal_at(k).head<2>();
    const Vec2 point = contacts.point_at(k).head<2>();
    for (const int side : {0, 1}) {
      const Vec2 f = side == 1 ? on_b : Vec2(-on_b);
      s.force[side] += f;
      s.torque[side] += cross(point - bodies.at[static_cast<std::size_t>(side)], f);
    }
  }
  return s;
}

/// Contacts of the pair (0, 1), without a past.
inline ContactBuffer contacts_of(const Bodies& bodies, const VertexEdgeOptions& options = {}, double margin = 0) {
  VertexEdge detector(options);
  bodies.bind(detector);
  PairCache cache;
  ContactBuffer out;
  const Pair pair{0, 1};
  detector.detect(bodies.view(), {&pair, 1}, cache, margin, out);
  return out;
}

/// Puts body 1 at a random place at which it overlaps body 0 a little: as deep as `depth` of the sum of radii at most.
inline void bring_together(Bodies& bodies, std::mt19937& random, double depth) {
  std::uniform_real_distribution<double> any(-1, 1);
  for (const std::size_t i : {0, 1}) bodies.at[i] = {any(random), any(random)}, bodies.angle[i] = 4 * any(random);
  const Vec2 way = Eigen::Rotation2Dd(4 * any(random)) * Vec2(1, 0);
  const Vec2 start = bodies.at[0] + 0.3 * Vec2(any(random), any(random));
  double far =
      bodies.shapes[bodies.shape[0]]->bounding_radius() + bodies.shapes[bodies.shape[1]]->bounding_radius() + 1;
  const Outline a = outline(bodies, 0), b = outline(bodies, 1);
  const double target = -depth * (a.radius[0] + b.radius[0]) * (0.05 + 0.95 * std::abs(any(random)));
  const auto gap = [&](double s) {
    bodies.at[1] = start + s * way;
    return plain_energy(bodies, 0, 1, 0).gap;
  };
  double s = far;
  while (gap(s) > 1e-3) s -= 0.5 * plain_energy(bodies, 0, 1, 0).gap + 1e-4;  // the gap falls no faster than the way
  double low = s - 0.5, high = s;
  for (double t = s; t > s - 0.5; t -= 0.002)
    if (gap(t) < target) {
      low = t;
      break;
    }
  high = low + 0.002;
  for (int k = 0; k < 40; ++k) {
    const double middle = (low + high) / 2;
    (gap(middle) < target ? low : high) = middle;
  }
  gap(high);
}

}  // namespace scree::spheropolygon::test
