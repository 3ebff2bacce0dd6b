#include "box.hpp"

#include <fmt/format.h>

#include <limits>

#include "scree/base/error.hpp"
#include "solid.hpp"

namespace scree::obstacles {

Box::Box(const BoxOptions& options)
    : Obstacle({ObstacleFaces::Kind::rectangle, options.inside, {options.half_sizes[0], options.half_sizes[1]}}),
      half_(options.half_sizes),
      inside_(options.inside),
      thickness_(options.thickness) {
  if (!inside_) place_nodes(options.node_spacing > 0 ? options.node_spacing : half_.minCoeff() / 4);
}

std::vector<Vec3> Box::corners() const {
  const double x = half_[0], y = half_[1];
  return {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
}

void Box::place_nodes(double spacing) {
  const double perimeter = 4 * half_.sum();
  if (!(perimeter / spacing <= kMostNodes - 4))
    throw OptionError(
        "/node_spacing",
        fmt::format("a spacing of {} m takes {:.0f} nodes around a perimeter of {} m; at most "
                    "{} are possible. Take a spacing of {:.3g} m or more.",
                    spacing, perimeter / spacing, perimeter, kMostNodes, 1.01 * perimeter / (kMostNodes - 4)));
  const std::vector<Vec3> corner = corners();
  for (std::size_t side = 0; side < 4; ++side) {
    const Vec3 from = corner[side], to = corner[(side + 1) % 4];
    const int parts = std::max(1, static_cast<int>(std::ceil((to - from).norm() / spacing - 1e-9)));
    for (int i = 0; i < parts; ++i) nodes_.push_back(from + (to - from) * (static_cast<double>(i) / parts));
  }
}

MassProperties Box::mass(double density) const {
  if (inside_) return {};
  const double x2 = half_[0] * half_[0], y2 = half_[1] * half_[1], t2 = thickness_ * thickness_ / 4;
  const double m = 4 * half_[0] * half_[1] * thickness_ * density;
  return {m, m / 3 * Vec3(y2 + t2, x2 + t2, x2 + y2)};
}

double Box::bounding_radius() const noexcept {
  return inside_ ? std::numeric_limits<double>::infinity() : half_.norm();
}

double Box::rotation_reach() const noexcept { return half_.norm(); }

Surface Box::surface() const { return outline(corners(), !inside_); }

void Box::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  const double hx = half_[0], hy = half_[1];
  if (inside_)
    return evaluate(points, distance, gradient,
                    [=](double x, double y) { return complement(box_distance(x, y, hx, hy)); });
  evaluate(points, distance, gradient, [=](double x, double y) { return box_distance(x, y, hx, hy); });
}

void Box::face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  if (inside_) return see_container_wall(face, {half_[0], half_[1], 0}, points, seen);
  see(points, seen, [hx = half_[0], hy = half_[1]](double x, double y) { return box_distance(x, y, hx, hy); });
}

}  // namespace scree::obstacles
