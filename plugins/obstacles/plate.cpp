#include "plate.hpp"

#include <algorithm>
#include <numbers>

#include "profile_distance.hpp"

namespace scree::obstacles {

namespace {

/// The hole alone: all that is farther than `hole` from the axis and within |z| <= h. Across the axis, rho < 0 sees the
/// wall opposite.
SectionDistance<double> hole_distance(double rho, double z, double hole, double h) {
  const double q_rho = hole - rho, q_z = std::abs(z) - h, s = z < 0 ? -1 : 1;
  const double p_rho = positive_part(q_rho), p_z = positive_part(q_z), out = std::sqrt(p_rho * p_rho + p_z * p_z);
  if (out > 0) return {out, -p_rho / out, s * p_z / out, p_z > 0 || !(p_rho > 0) ? 0 : -1 / hole};
  if (q_rho >= q_z) return {q_rho, -1, 0, -1 / hole};
  return {q_z, 0, s, 0};
}

SolidDistance<double> see_hole(double x, double y, double z, double side, double hole, double h) {
  return revolved(x, y, z, side, [=](double rho, double w) { return hole_distance(rho, w, hole, h); });
}

/// Over the hole and in the matter nearest to it that of the hole, else that of the slab: a slab's nearest point is no
/// nearer to the axis than the point itself, unless this is over the hole.
SolidDistance<double> plate_distance(double x, double y, double z, const Vec3& half, double hole) {
  const auto slab = cuboid_distance(x, y, z, half[0], half[1], half[2]);
  const auto wall = see_hole(x, y, z, 1, hole, half[2]);
  return x * x + y * y < hole * hole || (slab.d <= 0 && wall.d > slab.d) ? wall : slab;
}

}  // namespace

/// Returns the mass of the slab less that of the cylinder.
MassProperties Plate::mass(double density) const {
  const Vec3 h2 = half_.cwiseProduct(half_);
  const double slab = 8 * half_.prod() * density, r2 = hole_ * hole_;
  const double bore = 2 * std::numbers::pi * r2 * half_[2] * density, across = bore * (r2 / 4 + h2[2] / 3);
  return {slab - bore,
          slab / 3 * Vec3(h2[1] + h2[2], h2[0] + h2[2], h2[0] + h2[1]) - Vec3(across, across, bore * r2 / 2)};
}

/// Four points per ray: on the hole and on the outline, below and above. There is a ray to each corner.
Surface Plate::surface() const {
  std::vector<double> angles;
  for (int k = 0; k < 64; ++k) angles.push_back(2 * std::numbers::pi * (k + 0.5) / 64 - std::numbers::pi);
  for (const double x : {-half_[0], half_[0]})
    for (const double y : {-half_[1], half_[1]}) angles.push_back(std::atan2(y, x));
  std::sort(angles.begin(), angles.end());
  angles.erase(std::unique(angles.begin(), angles.end()), angles.end());
  Surface s;
  for (const double angle : angles) {
    const Vec3 ray(std::cos(angle), std::sin(angle), 0);
    const double out = std::min(half_[0] / std::abs(ray[0]), half_[1] / std::abs(ray[1]));
    for (const double r : {hole_, out})
      for (const double z : {-half_[2], half_[2]}) s.points.push_back(r * ray + Vec3(0, 0, z));
  }
  const auto rays = static_cast<std::uint32_t>(angles.size());
  for (std::uint32_t k = 0; k < rays; ++k) {
    const std::uint32_t a = 4 * k, b = 4 * ((k + 1) % rays);
    s.cells.push_back({a + 1, a + 3, b + 3, b + 1});  // top
    s.cells.push_back({a, b, b + 2, a + 2});          // bottom
    s.cells.push_back({a, a + 1, b + 1, b});          // hole
    s.cells.push_back({a + 2, b + 2, b + 3, a + 3});  // outline
  }
  return s;
}

void Plate::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  evaluate(points, distance, gradient,
           [this](double x, double y, double z) { return plate_distance(x, y, z, half_, hole_); });
}

void Plate::face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  if (face == 0)
    return see(points, seen, [this](double x, double y, double z) { return plate_distance(x, y, z, half_, hole_); });
  see(points, seen, [this](double x, double y, double z) { return see_hole(x, y, z, -1, hole_, half_[2]); });
}

}  // namespace scree::obstacles
