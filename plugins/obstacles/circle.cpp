#include "circle.hpp"

#include <limits>
#include <numbers>

namespace scree::obstacles {

Circle::Circle(const CircleOptions& options)
    : Obstacle({ObstacleFaces::Kind::circle, options.inside, {options.radius}}),
      radius_(options.radius),
      inside_(options.inside),
      thickness_(options.thickness) {
  if (!inside_) nodes_ = circle_points(radius_, options.nodes);
}

MassProperties Circle::mass(double density) const {
  if (inside_) return {};
  const double m = std::numbers::pi * radius_ * radius_ * thickness_ * density;
  const double axial = m * radius_ * radius_ / 2, across = axial / 2 + m * thickness_ * thickness_ / 12;
  return {m, {across, across, axial}};
}

double Circle::bounding_radius() const noexcept { return inside_ ? std::numeric_limits<double>::infinity() : radius_; }

Surface Circle::surface() const { return outline(circle_points(radius_, 96), !inside_); }

void Circle::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  const double r = radius_;
  if (inside_)
    return evaluate(points, distance, gradient,
                    [=](double x, double y) { return complement(circle_distance(x, y, r)); });
  evaluate(points, distance, gradient, [=](double x, double y) { return circle_distance(x, y, r); });
}

void Circle::face(int, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  const double r = radius_;
  if (inside_)
    return see(
        points, seen, [=](double x, double y) { return complement(circle_distance(x, y, r)); }, -1 / r);
  see(
      points, seen, [=](double x, double y) { return circle_distance(x, y, r); }, 1 / r);
}

}  // namespace scree::obstacles
