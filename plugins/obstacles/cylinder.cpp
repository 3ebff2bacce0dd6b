#include "cylinder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree::obstacles {

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

}  // namespace

Cylinder::Cylinder(const CylinderOptions& options)
    : Solid({ObstacleFaces::Kind::cylinder, options.inside, {options.radius, options.half_length}}),
      radius_(options.radius),
      half_length_(options.half_length),
      inside_(options.inside),
      extent_(options.extent) {}

MassProperties Cylinder::mass(double density) const {
  if (inside_ || !std::isfinite(half_length_)) return {};
  const double m = 2 * std::numbers::pi * radius_ * radius_ * half_length_ * density;
  const double axial = m * radius_ * radius_ / 2, across = axial / 2 + m * half_length_ * half_length_ / 3;
  return {m, {across, across, axial}};
}

double Cylinder::bounding_radius() const noexcept { return inside_ ? kEndless : rotation_reach(); }

double Cylinder::rotation_reach() const noexcept { return std::hypot(radius_, half_length_); }

/// A prism. Its ends are left out where there are none, and of containers, so that one can look in.
Surface Cylinder::surface() const {
  const double half = std::isfinite(half_length_) ? half_length_ : extent_ / 2;
  Surface s;
  std::vector<std::uint32_t> lower, upper;
  for (std::uint32_t k = 0; k < kPictureSides; ++k) {
    const double angle = 2 * std::numbers::pi * k / kPictureSides;
    const double x = radius_ * std::cos(angle), y = radius_ * std::sin(angle);
    s.points.push_back({x, y, -half});
    s.points.push_back({x, y, half});
    const std::uint32_t next = (k + 1) % kPictureSides;
    s.cells.push_back({2 * k, 2 * next, 2 * next + 1, 2 * k + 1});
    lower.push_back(2 * (kPictureSides - 1 - k));
    upper.push_back(2 * k + 1);
  }
  if (inside_) {
    for (auto& cell : s.cells) std::reverse(cell.begin(), cell.end());
  } else if (std::isfinite(half_length_)) {
    s.cells.push_back(lower);
    s.cells.push_back(upper);
  }
  return s;
}

void Cylinder::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  const auto solid = [r = radius_, h = half_length_](double x, double y, double z) {
    return cylinder_distance(x, y, z, r, h);
  };
  if (inside_)
    return evaluate(points, distance, gradient,
                    [=](double x, double y, double z) { return complement(solid(x, y, z)); });
  evaluate(points, distance, gradient, solid);
}

int Cylinder::face_count() const noexcept { return inside_ && std::isfinite(half_length_) ? 3 : 1; }

/// Computes a face of a container: 0 the side, 1 the end at -z, 2 that at +z.
void Cylinder::face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  if (!inside_)
    return see(points, seen, [r = radius_, h = half_length_](double x, double y, double z) {
      return cylinder_distance(x, y, z, r, h);
    });
  if (face > 0) return see_container_wall(3 + face, {0, 0, half_length_}, points, seen);
  see(points, seen,
      [r = radius_](double x, double y, double z) { return complement(cylinder_distance(x, y, z, r, kEndless)); });
}

}  // namespace scree::obstacles
