#include "half_plane.hpp"

#include <fmt/format.h>

#include <limits>

#include "scree/base/error.hpp"

namespace scree::obstacles {

HalfPlane::HalfPlane(const HalfPlaneOptions& options) : extent_(options.extent) {
  const double length = options.normal.norm();
  if (!(length > 0))
    throw OptionError("/normal",
                      fmt::format("the normal [{}, {}] has no direction; give a vector that points out of the "
                                  "half-plane, e.g. [0, 1] for a floor.",
                                  options.normal[0], options.normal[1]));
  normal_ = options.normal / length;
}

MassProperties HalfPlane::mass(double) const { return {}; }

double HalfPlane::bounding_radius() const noexcept { return std::numeric_limits<double>::infinity(); }

Surface HalfPlane::surface() const {
  const Vec3 half = extent_ / 2 * Vec3(normal_[1], -normal_[0], 0);
  Surface line;
  line.points = {-half, half};
  line.cells = {{0, 1}};
  line.closed = false;
  return line;
}

void HalfPlane::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  evaluate(points, distance, gradient,
           [nx = normal_[0], ny = normal_[1]](double x, double y) { return half_plane_distance(x, y, nx, ny); });
}

void HalfPlane::face(int, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  see(points, seen, 0,
      [nx = normal_[0], ny = normal_[1]](double x, double y) { return half_plane_distance(x, y, nx, ny); });
}

}  // namespace scree::obstacles
