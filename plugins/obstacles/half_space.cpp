#include "half_space.hpp"

#include <fmt/format.h>

#include <limits>

#include "scree/base/error.hpp"

namespace scree::obstacles {

namespace {

/// A line through the origin.
Surface boundary(const Vec2& normal, double extent) {
  const Vec3 half = extent / 2 * Vec3(normal[1], -normal[0], 0);
  Surface line;
  line.points = {-half, half};
  line.cells = {{0, 1}};
  line.closed = false;
  return line;
}

/// A square about the origin.
Surface boundary(const Vec3& normal, double extent) {
  const Vec3 u = extent / 2 * normal.unitOrthogonal(), v = normal.cross(u);
  Surface square;
  square.points = {-u - v, u - v, u + v, v - u};
  square.cells = {{0, 1, 2, 3}};
  square.closed = true;
  return square;
}

/// The formula of the distance.
auto distance_along(const Vec2& normal) {
  return [nx = normal[0], ny = normal[1]](double x, double y) { return half_plane_distance(x, y, nx, ny); };
}
auto distance_along(const Vec3& normal) {
  return [n = normal](double x, double y, double z) { return half_space_distance(x, y, z, n[0], n[1], n[2]); };
}

/// \throws OptionError when it has no direction
template <class Normal>
Normal unit(const Normal& normal) {
  constexpr int dimension = Normal::RowsAtCompileTime;
  const double length = normal.norm();
  if (!(length > 0))
    throw OptionError("/normal",
                      fmt::format("the normal [{}] has no direction; give a vector that points out of the "
                                  "half-{}, e.g. {} for a floor.",
                                  fmt::join(normal.data(), normal.data() + dimension, ", "),
                                  dimension == 2 ? "plane" : "space", dimension == 2 ? "[0, 1]" : "[0, 0, 1]"));
  return normal / length;
}

ObstacleFaces faces_of(const Vec2& n) { return {ObstacleFaces::Kind::half_space, false, {n[0], n[1], 0}}; }
ObstacleFaces faces_of(const Vec3& n) { return {ObstacleFaces::Kind::half_space, false, {n[0], n[1], n[2]}}; }

}  // namespace

template <int dimension>
HalfSpaceIn<dimension>::HalfSpaceIn(const Options& options)
    : Base(faces_of(unit(options.normal))), normal_(unit(options.normal)), extent_(options.extent) {}

template <int dimension>
MassProperties HalfSpaceIn<dimension>::mass(double) const {
  return {};
}

template <int dimension>
double HalfSpaceIn<dimension>::bounding_radius() const noexcept {
  return std::numeric_limits<double>::infinity();
}

template <int dimension>
Surface HalfSpaceIn<dimension>::surface() const {
  return boundary(normal_, extent_);
}

template <int dimension>
void HalfSpaceIn<dimension>::distance(std::span<const Vec3> points, std::span<double> distance,
                                      std::span<Vec3> gradient) const {
  evaluate(points, distance, gradient, distance_along(normal_));
}

template <int dimension>
void HalfSpaceIn<dimension>::face(int, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  see(points, seen, distance_along(normal_));
}

template class HalfSpaceIn<2>;
template class HalfSpaceIn<3>;

}  // namespace scree::obstacles
