#include "cuboid.hpp"

#include <algorithm>
#include <limits>

namespace scree::obstacles {

MassProperties Cuboid::mass(double density) const {
  if (inside_) return {};
  const Vec3 h2 = half_.cwiseProduct(half_);
  const double m = 8 * half_.prod() * density;
  return {m, m / 3 * Vec3(h2[1] + h2[2], h2[0] + h2[2], h2[0] + h2[1])};
}

double Cuboid::bounding_radius() const noexcept {
  return inside_ ? std::numeric_limits<double>::infinity() : half_.norm();
}

/// Six squares, facing outward; of a container facing inward.
Surface Cuboid::surface() const {
  Surface s;
  for (int k = 0; k < 8; ++k)
    s.points.push_back(half_.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  s.cells = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  if (inside_)
    for (auto& cell : s.cells) std::reverse(cell.begin(), cell.end());
  return s;
}

void Cuboid::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  const auto solid = [h = half_](double x, double y, double z) { return cuboid_distance(x, y, z, h[0], h[1], h[2]); };
  if (inside_)
    return evaluate(points, distance, gradient,
                    [=](double x, double y, double z) { return complement(solid(x, y, z)); });
  evaluate(points, distance, gradient, solid);
}

void Cuboid::face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  if (inside_) return see_container_wall(face, half_, points, seen);
  see(points, seen, [h = half_](double x, double y, double z) { return cuboid_distance(x, y, z, h[0], h[1], h[2]); });
}

}  // namespace scree::obstacles
