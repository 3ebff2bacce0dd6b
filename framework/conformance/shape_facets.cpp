#include "conformance/shape_facets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/encounter.hpp"
#include "scree/shape/facets.hpp"

namespace scree::conformance {

namespace {

double distance_to_spheres(const SphereSet& spheres, const Vec3& p) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < spheres.centres().size(); ++i)
    least = std::min(least, (p - spheres.centres()[i]).norm() - spheres.radii()[i]);
  return least;
}

/// Returns the distance of a point to the boundary [m], by a facet of the shape; NaN if it has none.
double distance_to(const Shape& shape, const Vec3& p) {
  if (const auto* spheres = facet<SphereSet>(shape)) return distance_to_spheres(*spheres, p);
  const auto* field = facet<SignedDistance>(shape);
  if (!field) return std::numeric_limits<double>::quiet_NaN();
  double distance;
  Vec3 gradient;
  field->distance({&p, 1}, {&distance, 1}, {&gradient, 1});
  return distance;
}

}  // namespace

std::optional<double> distance_far_away(const Shape& shape) {
  const double r = shape.bounding_radius();
  if (!std::isfinite(r) || !facet<SignedDistance>(shape)) return std::nullopt;
  const auto& field = *facet<SignedDistance>(shape);
  Draws draws(6);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = 3 * r * draws.direction(shape.dimension());
    double distance;
    Vec3 gradient;
    field.distance({&p, 1}, {&distance, 1}, {&gradient, 1});
    least = std::min(least, distance / r);
  }
  return least;
}

std::optional<double> spheres_beside_surface(const Shape& shape, const Surface& surface) {
  const auto* spheres = facet<SphereSet>(shape);
  const double r = shape.bounding_radius();
  if (!spheres || surface.points.empty() || !std::isfinite(r)) return std::nullopt;
  double worst = 0;
  for (int k = 0; k < shape.dimension(); ++k)
    for (const double side : {-1.0, 1.0}) {
      double of_surface = -std::numeric_limits<double>::infinity(), of_spheres = of_surface;
      for (const Vec3& p : surface.points) of_surface = std::max(of_surface, side * p[k]);
      for (std::size_t i = 0; i < spheres->centres().size(); ++i)
        of_spheres = std::max(of_spheres, side * spheres->centres()[i][k] + spheres->radii()[i]);
      worst = std::max(worst, std::abs(of_surface - of_spheres) / r);
    }
  return worst;
}

std::optional<double> sweep_beyond_reach(const Shape& shape, const Surface& surface) {
  constexpr double kTurn = 0.05;  // [rad]
  const double r = shape.bounding_radius();
  if (!std::isfinite(r) || surface.points.empty() || std::isnan(distance_to(shape, surface.points[0])))
    return std::nullopt;
  Draws draws(7);
  double worst = 0;
  for (std::size_t i = 0; i < surface.points.size(); i += std::max<std::size_t>(1, surface.points.size() / 200)) {
    const Vec3& p = surface.points[i];
    const Vec3 axis = shape.dimension() == 3 ? draws.direction(3) : Vec3::UnitZ();
    const Vec3 turned = Quat(Eigen::AngleAxisd(kTurn, axis)) * p;
    // Pictures deviate a little from the boundary: that much is no sweep.
    const double sweep = std::abs(distance_to(shape, turned)) - std::abs(distance_to(shape, p));
    worst = std::max(worst, (sweep / kTurn - shape.rotation_reach()) / r);
  }
  return worst;
}

}  // namespace scree::conformance
