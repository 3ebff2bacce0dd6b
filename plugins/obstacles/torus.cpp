#include "torus.hpp"

#include <fmt/format.h>

#include <numbers>

#include "profile_distance.hpp"
#include "scree/base/error.hpp"

namespace scree::obstacles {

Torus::Torus(const TorusOptions& options) : radius_(options.radius), tube_(options.tube_radius) {
  if (!(tube_ < radius_))
    throw OptionError(
        "/tube_radius",
        fmt::format("is {} m and the ring's radius {} m, so that the ring has no hole. Give a tube_radius "
                    "below the radius.",
                    tube_, radius_));
}

/// m = 2 pi^2 R r^2 density; about the axis m (R^2 + 3/4 r^2), across it m (R^2/2 + 5/8 r^2).
MassProperties Torus::mass(double density) const {
  const double R2 = radius_ * radius_, r2 = tube_ * tube_;
  const double m = 2 * std::numbers::pi * std::numbers::pi * radius_ * r2 * density, across = m * (R2 / 2 + 0.625 * r2);
  return {m, {across, across, m * (R2 + 0.75 * r2)}};
}

Surface Torus::surface() const {
  constexpr std::uint32_t around = 64, section = 24;
  Surface s;
  for (std::uint32_t i = 0; i < around; ++i)
    for (std::uint32_t k = 0; k < section; ++k) {
      const double a = 2 * std::numbers::pi * i / around, b = 2 * std::numbers::pi * k / section;
      const double rho = radius_ + tube_ * std::cos(b);
      s.points.push_back({rho * std::cos(a), rho * std::sin(a), tube_ * std::sin(b)});
    }
  const auto at = [](std::uint32_t i, std::uint32_t k) { return i % around * section + k % section; };
  for (std::uint32_t i = 0; i < around; ++i)
    for (std::uint32_t k = 0; k < section; ++k)
      s.cells.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)});
  return s;
}

void Torus::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  evaluate(points, distance, gradient, [R = radius_, r = tube_](double x, double y, double z) {
    return revolved(x, y, z, 1.0, [=](double rho, double h) { return torus_distance(rho, h, R, r); });
  });
}

void Torus::face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  see(points, seen, [R = radius_, r = tube_, side = face == 0 ? 1.0 : -1.0](double x, double y, double z) {
    auto d = revolved(x, y, z, side, [=](double rho, double h) { return torus_distance(rho, h, R, r); });
    d.k2 = 1 / r;
    return d;
  });
}

}  // namespace scree::obstacles
