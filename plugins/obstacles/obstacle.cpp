#include "obstacle.hpp"

#include <numbers>
#include <numeric>

namespace scree::obstacles {

const void* Obstacle::facet(std::string_view name) const noexcept {
  if (name == device::DeviceFaces::kName) return device_.offer();
  if (name == ExactDistance::kName) return static_cast<const ExactDistance*>(this);
  if (name == SignedDistance::kName) return static_cast<const SignedDistance*>(this);
  if (name == Faces::kName) return static_cast<const Faces*>(this);
  if (name == WallFaces::kName && nodes_.empty()) return static_cast<const WallFaces*>(this);
  if (name == BoundaryNodes::kName && !nodes_.empty()) return static_cast<const BoundaryNodes*>(this);
  return nullptr;
}

Surface outline(std::vector<Vec3> points, bool solid) {
  Surface surface;
  std::vector<std::uint32_t> cell(points.size());
  std::iota(cell.begin(), cell.end(), 0u);
  if (!solid) cell.push_back(0);
  surface.points = std::move(points);
  surface.cells = {std::move(cell)};
  surface.closed = solid;
  return surface;
}

std::vector<Vec3> circle_points(double radius, int n) {
  std::vector<Vec3> points;
  points.reserve(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * i / n;
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0);
  }
  return points;
}

}  // namespace scree::obstacles
