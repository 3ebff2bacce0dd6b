#include "scree/setup/detail/contacts_at_once.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "scree/shape/corner_shares.hpp"
#include "scree/shape/facets.hpp"

namespace scree::detail {

namespace {

/// Spheres, and planes that rest on them from outside.
class LeaningPlanes {
 public:
  LeaningPlanes(const SphereSet& set, bool planar)
      : centres_(set.centres()), radii_(set.radii()), planar_(planar), slack_(0.01 * std::ranges::max(set.radii())) {}

  /// Returns the most spheres that touch one plane. From every direction of a set the plane sinks onto its outermost
  /// sphere, tips onto a second, and rolls onto a third, where it rests. Spheres it touches on the way count.
  std::size_t most() {
    constexpr int kDirections = 200;
    for (int k = 0; k < kDirections; ++k) {
      if (planar_) {
        const double angle = 2 * std::numbers::pi * k / kDirections;
        settle({std::cos(angle), std::sin(angle), 0});
      } else {  // along a spiral from pole to pole
        const double z = 1 - (2 * k + 1.0) / kDirections, rho = std::sqrt(1 - z * z);
        const double angle = std::numbers::pi * (3 - std::sqrt(5.0)) * k;
        settle({rho * std::cos(angle), rho * std::sin(angle), z});
      }
    }
    return most_;
  }

 private:
  double height(std::size_t i, const Vec3& n) const { return n.dot(centres_[i]) + radii_[i]; }

  void settle(Vec3 n) {
    constexpr int kTries = 12;
    for (int tries = 0; tries < kTries; ++tries) {
      const std::size_t first = outermost(n, {});
      const std::optional<Vec3> on_two = tipped(n, first);
      if (!on_two) return;
      const std::optional<Vec3> on_three = planar_ ? std::nullopt : rolled(*on_two, first);
      const Vec3 next = on_three.value_or(*on_two);
      if ((next - n).squaredNorm() < 1e-20) return;
      n = next;
    }
  }

  std::size_t outermost(const Vec3& n, std::span<const std::size_t> but) const {
    std::size_t best = centres_.size();
    for (std::size_t i = 0; i < centres_.size(); ++i)
      if (std::ranges::find(but, i) == but.end() && (best == centres_.size() || height(i, n) > height(best, n)))
        best = i;
    return best;
  }

  /// Counts the spheres that touch the plane.
  void count(const Vec3& n) {
    double top = -1e300;
    for (std::size_t i = 0; i < centres_.size(); ++i) top = std::max(top, height(i, n));
    std::size_t touching = 0;
    for (std::size_t i = 0; i < centres_.size(); ++i) touching += height(i, n) > top - slack_ ? 1 : 0;
    most_ = std::max(most_, touching);
  }

  /// Returns the plane on `first` and the sphere that is next to touch.
  std::optional<Vec3> tipped(const Vec3& n, std::size_t first) {
    const std::size_t but[] = {first};
    second_ = outermost(n, but);
    if (second_ == centres_.size()) return std::nullopt;
    const Vec3 u = centres_[second_] - centres_[first];
    const std::optional<Vec3> tipped = with({u}, {radii_[first] - radii_[second_]}, n);
    if (tipped) count(*tipped);
    return tipped;
  }

  std::optional<Vec3> rolled(const Vec3& n, std::size_t first) {
    const Vec3 u = centres_[second_] - centres_[first];
    std::size_t third = centres_.size();
    for (std::size_t i = 0; i < centres_.size(); ++i) {
      if (i == first || i == second_ || u.cross(centres_[i] - centres_[first]).norm() < 1e-6 * u.squaredNorm())
        continue;
      if (third == centres_.size() || height(i, n) > height(third, n)) third = i;
    }
    if (third == centres_.size()) return std::nullopt;
    const std::optional<Vec3> rolled = with({u, centres_[third] - centres_[first]},
                                            {radii_[first] - radii_[second_], radii_[first] - radii_[third]}, n);
    if (rolled) count(*rolled);
    return rolled;
  }

  /// Returns the unit vector nearest to n that has these products with u, one or two.
  static std::optional<Vec3> with(const std::vector<Vec3>& u, const std::vector<double>& product, const Vec3& n) {
    Vec3 along = u[0] * product[0] / u[0].squaredNorm(), rest;
    if (u.size() == 1) {
      rest = n - u[0] * u[0].dot(n) / u[0].squaredNorm();
    } else {
      rest = u[0].cross(u[1]);
      const Vec3 w = rest.cross(u[0]);  // across u[0], in their plane
      along += w * (product[1] - along.dot(u[1])) / w.dot(u[1]);
      if (rest.dot(n) < 0) rest = -rest;
    }
    const double left = 1 - along.squaredNorm();
    if (!(left > 0) || !(rest.squaredNorm() > 0)) return std::nullopt;  // one sphere hides the other
    return along + std::sqrt(left) * rest.normalized();
  }

  std::span<const Vec3> centres_;
  std::span<const double> radii_;
  bool planar_;
  double slack_;  ///< [m]
  std::size_t second_ = 0, most_ = 1;
};

/// Returns the sum of the shares of corners that a line through an edge touches, rounded up.
std::size_t corners_at_once(const SweptPolygon& polygon, double size) {
  const auto vertices = polygon.vertices();
  std::vector<double> share = corner_shares(polygon, size);
  if (share.empty()) share.assign(vertices.size(), 1);
  double most = 1;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const Vec2 edge = vertices[(k + 1) % vertices.size()] - vertices[k], n = Vec2(edge.y(), -edge.x()).normalized();
    double top = -1e300, touching = 0;
    for (const Vec2& v : vertices) top = std::max(top, n.dot(v));
    for (std::size_t j = 0; j < vertices.size(); ++j)
      if (n.dot(vertices[j]) > top - 0.01 * size) touching += share[j];
    most = std::max(most, touching);
  }
  return static_cast<std::size_t>(std::ceil(most - 1e-9));
}

}  // namespace

std::size_t contacts_at_once(const Shape& shape) {
  if (const auto* const spheres = facet<SphereSet>(shape))
    return LeaningPlanes(*spheres, shape.dimension() == 2).most();
  if (const auto* const polygon = facet<SweptPolygon>(shape)) return corners_at_once(*polygon, shape.bounding_radius());
  return 1;
}

}  // namespace scree::detail
