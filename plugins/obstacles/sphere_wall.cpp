#include "sphere_wall.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree::obstacles {

MassProperties SphereWall::mass(double density) const {
  if (inside_) return {};
  const double m = 4 * std::numbers::pi / 3 * radius_ * radius_ * radius_ * density;
  return {m, Vec3::Constant(0.4 * m * radius_ * radius_)};
}

double SphereWall::bounding_radius() const noexcept {
  return inside_ ? std::numeric_limits<double>::infinity() : radius_;
}

/// Quadrangles between meridians and parallels, triangles at the poles.
Surface SphereWall::surface() const {
  constexpr std::uint32_t meridians = 48, parallels = 23;
  Surface s;
  for (std::uint32_t i = 1; i <= parallels; ++i)
    for (std::uint32_t k = 0; k < meridians; ++k) {
      const double down = std::numbers::pi * i / (parallels + 1), turn = 2 * std::numbers::pi * k / meridians;
      s.points.push_back(radius_ *
                         Vec3(std::sin(down) * std::cos(turn), std::sin(down) * std::sin(turn), std::cos(down)));
    }
  const auto north = static_cast<std::uint32_t>(s.points.size()), south = north + 1;
  s.points.push_back({0, 0, radius_});
  s.points.push_back({0, 0, -radius_});
  const auto at = [](std::uint32_t i, std::uint32_t k) { return i * meridians + k % meridians; };
  for (std::uint32_t k = 0; k < meridians; ++k) {
    s.cells.push_back({north, at(0, k), at(0, k + 1)});
    for (std::uint32_t i = 0; i + 1 < parallels; ++i)
      s.cells.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)});
    s.cells.push_back({south, at(parallels - 1, k + 1), at(parallels - 1, k)});
  }
  if (inside_)
    for (auto& cell : s.cells) std::reverse(cell.begin(), cell.end());
  return s;
}

void SphereWall::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  const double r = radius_;
  if (inside_)
    return evaluate(points, distance, gradient,
                    [=](double x, double y, double z) { return complement(ball_distance(x, y, z, r)); });
  evaluate(points, distance, gradient, [=](double x, double y, double z) { return ball_distance(x, y, z, r); });
}

void SphereWall::face(int, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  const double r = radius_;
  if (inside_)
    return see(points, seen, [=](double x, double y, double z) { return complement(ball_distance(x, y, z, r)); });
  see(points, seen, [=](double x, double y, double z) { return ball_distance(x, y, z, r); });
}

}  // namespace scree::obstacles
