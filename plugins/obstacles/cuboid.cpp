#include "cuboid.hpp"

#include <algorithm>
#include <limits>

namespace scree::obstacles {

namespace {

/// Corners of the six faces, facing outward.
constexpr std::uint32_t kFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
constexpr std::uint32_t kFaceBegin[7] = {0, 4, 8, 12, 16, 20, 24};

}  // namespace

Cuboid::Cuboid(const CuboidOptions& options)
    : Solid({ObstacleFaces::Kind::cuboid,
             options.inside,
             {options.half_sizes[0], options.half_sizes[1], options.half_sizes[2]}}),
      half_(options.half_sizes),
      inside_(options.inside) {
  for (std::size_t k = 0; k < corners_.size(); ++k)
    corners_[k] = half_.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
}

std::span<const std::uint32_t> Cuboid::face_begin() const { return kFaceBegin; }
std::span<const std::uint32_t> Cuboid::face_vertices() const { return {&kFaces[0][0], 24}; }

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
  s.points.assign(corners_.begin(), corners_.end());
  for (const auto& face : kFaces) s.cells.emplace_back(std::begin(face), std::end(face));
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
