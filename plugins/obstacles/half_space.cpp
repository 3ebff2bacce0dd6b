#include "half_space.hpp"

#include <fmt/format.h>

#include <limits>

#include "scree/base/error.hpp"

namespace scree::obstacles {

HalfSpace::HalfSpace(const HalfSpaceOptions& options) : extent_(options.extent) {
  const double length = options.normal.norm();
  if (!(length > 0))
    throw OptionError("/normal",
                      fmt::format("the normal [{}, {}, {}] has no direction; give a vector that points out of the "
                                  "half-space, e.g. [0, 0, 1] for a floor.",
                                  options.normal[0], options.normal[1], options.normal[2]));
  normal_ = options.normal / length;
}

MassProperties HalfSpace::mass(double) const { return {}; }

double HalfSpace::bounding_radius() const noexcept { return std::numeric_limits<double>::infinity(); }

Surface HalfSpace::surface() const {
  const Vec3 u = extent_ / 2 * normal_.unitOrthogonal(), v = normal_.cross(u);
  Surface square;
  square.points = {-u - v, u - v, u + v, v - u};
  square.cells = {{0, 1, 2, 3}};
  square.closed = true;
  return square;
}

void HalfSpace::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  evaluate_solid(points, distance, gradient, [n = normal_](double x, double y, double z) {
    return half_space_distance(x, y, z, n[0], n[1], n[2]);
  });
}

void HalfSpace::face(int, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  see_solid(points, seen,
            [n = normal_](double x, double y, double z) { return half_space_distance(x, y, z, n[0], n[1], n[2]); });
}

}  // namespace scree::obstacles
