#pragma once
/// \file Solid: a body by its facets. Contacts are found by comparing every part of two of them.

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "scree/shape/facets.hpp"
#include "scree/shape/segment.hpp"
#include "scree/world/motion.hpp"

namespace scree::conformance {

inline Vec3 to_world(const Pose& pose, const Vec3& p) { return pose.position + pose.orientation * p; }
inline Vec3 to_body(const Pose& pose, const Vec3& p) { return pose.orientation.conjugate() * (p - pose.position); }

/// Round parts of a body, or points of its outline if their radii are 0.
struct Parts {
  std::vector<Vec3> centre;    ///< body frame [m]
  std::vector<double> radius;  ///< [m]

  void add(const Vec3& p, double r) {
    centre.push_back(p);
    radius.push_back(r);
  }
};

/// Depth of the parts of one body in another.
struct Depth {
  double deepest = -std::numeric_limits<double>::infinity();  ///< [m], < 0: apart
  Vec3 outward = Vec3::Zero();  ///< direction at the deepest part, out of the other body, world axes

  bool known() const { return std::isfinite(deepest); }
};

/// Shape of a certain size.
class Solid {
  static constexpr int kSpheresOfSegment = 50;

 public:
  Solid(std::shared_ptr<const Shape> shape, double scale) : shape_(std::move(shape)), scale_(scale) {
    const SphereSet* round = find<SphereSet>();
    if (round == nullptr) round = find<RoundVertices>();
    for (std::size_t i = 0; round != nullptr && i < round->centres().size(); ++i)
      round_.add(scale * round->centres()[i], scale * round->radii()[i]);
    if (const auto* vertices = find<RoundVertices>())
      for (std::size_t i = 0; i < vertices->centres().size(); ++i)
        vertices_.add(scale * vertices->centres()[i], scale * vertices->radii()[i]);
    // A segment is a row of spheres, close together.
    if (const auto* segment = find<Segment>(); segment != nullptr && shape_->dimension() == 3)
      for (int k = -kSpheresOfSegment; k <= kSpheresOfSegment; ++k)
        round_.add(scale * segment->half_length() * k / kSpheresOfSegment * Vec3::UnitZ(), scale * segment->radius());
    if (const auto* nodes = find<BoundaryNodes>())
      for (const Vec3& p : nodes->nodes()) nodes_.add(scale * p, 0);
  }

  double scale() const { return scale_; }
  double bound() const { return scale_ * shape_->bounding_radius(); }
  const Shape& shape() const { return *shape_; }
  template <class F>
  const F* find() const {
    return facet<F>(*shape_);
  }
  /// Returns spheres, or round vertices; none if it offers neither.
  const Parts& round() const { return round_; }
  /// Round vertices alone.
  const Parts& vertices() const { return vertices_; }
  const Parts& nodes() const { return nodes_; }
  /// Returns the round parts if there are some, else the nodes.
  const Parts& parts() const { return round_.centre.empty() ? nodes_ : round_; }

  /// Returns the distance of a point of the world to the surface, and the direction out; nothing if the shape offers no
  /// distance.
  std::optional<std::pair<double, Vec3>> distance(const Pose& pose, const Vec3& at) const {
    const auto* field = find<SignedDistance>();
    if (field == nullptr) return std::nullopt;
    const Vec3 p = to_body(pose, at) / scale_;
    double d;
    Vec3 g;
    field->distance({&p, 1}, {&d, 1}, {&g, 1});
    return std::pair(scale_ * d, Vec3(pose.orientation * g));
  }

  /// Returns the depth of parts in this body. \param parts  parts of another body in pose `there`
  Depth depth_of(const Parts& parts, const Pose& there, const Pose& here) const {
    Depth depth;
    const auto* field = find<SignedDistance>();
    if (field == nullptr) return depth;
    const std::size_t n = parts.centre.size();
    std::vector<Vec3> p(n), gradient(n);
    std::vector<double> d(n);
    for (std::size_t i = 0; i < n; ++i) p[i] = to_body(here, to_world(there, parts.centre[i])) / scale_;
    field->distance(p, d, gradient);
    for (std::size_t i = 0; i < n; ++i)
      if (const double deep = parts.radius[i] - scale_ * d[i]; deep > depth.deepest)
        depth = {deep, here.orientation * gradient[i]};
    return depth;
  }

  /// Returns how far points reach within the radius in their direction.
  double radial_depth_of(const Parts& points, const Pose& there, const Pose& here) const {
    double deepest = -std::numeric_limits<double>::infinity();
    const auto& outline = *find<RadialFunction>();
    for (const Vec3& point : points.centre) {
      const Vec2 p = to_body(here, to_world(there, point)).head<2>() / scale_ - outline.centre();
      deepest = std::max(deepest, scale_ * (outline.radius(std::atan2(p.y(), p.x())) - p.norm()));
    }
    return deepest;
  }

 private:
  std::shared_ptr<const Shape> shape_;
  double scale_;
  Parts round_, vertices_, nodes_;
};

/// Returns the deeper of a's parts in b and b's in a; `outward` is the direction in which body a has to move.
inline Depth depth_between(const Solid& a, const Parts& of_a, const Pose& at_a, const Solid& b, const Parts& of_b,
                           const Pose& at_b) {
  const Depth one = b.depth_of(of_a, at_a, at_b), other = a.depth_of(of_b, at_b, at_a);
  return one.deepest >= other.deepest ? one : Depth{other.deepest, -other.outward};
}

}  // namespace scree::conformance
