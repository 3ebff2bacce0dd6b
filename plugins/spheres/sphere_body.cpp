#include "sphere_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "moments.hpp"
#include "pictures.hpp"
#include "scree/base/error.hpp"
#include "scree/shape/principal_axes.hpp"

namespace scree::spheres {

namespace {

VolumeMoments uniform(const Spheres& spheres, const SphereBodyOptions& options) {
  const std::size_t n = spheres.radii.size();
  if (options.dimension == 2) {
    std::vector<Disc> discs;
    for (std::size_t k = 0; k < n; ++k) discs.push_back({spheres.centres[k].head<2>(), spheres.radii[k]});
    VolumeMoments moments = slab(discs, options.thickness);
    if (n == 1) moments.centre = spheres.centres[0];  // that of a union is exact to rounding only
    return moments;
  }
  std::vector<Ball> balls;
  for (std::size_t k = 0; k < n; ++k) balls.push_back({spheres.centres[k], spheres.radii[k]});
  if (n > 1) return ball_union(balls);
  const double r = balls[0].radius, volume = 4 * std::numbers::pi / 3 * r * r * r;
  return {volume, balls[0].centre, 0.4 * volume * r * r * Mat3::Identity()};
}

/// Checks whether some distribution of mass has these principal moments: each is positive and at most the sum of the
/// others.
void check_moments(const Vec3& moments, int dimension) {
  const double sum = moments.sum(), largest = moments.maxCoeff();
  const bool possible = dimension == 2 ? moments[2] > 0 : moments.minCoeff() > 0 && 2 * largest <= sum * (1 + 1e-9);
  if (possible) return;
  throw OptionError(
      "/inertia",
      dimension == 2
          ? fmt::format("a moment of inertia of {:.6g} kg m^2 is not possible; give one above 0.", moments[2])
          : fmt::format(
                "principal moments {:.6g}, {:.6g}, {:.6g} kg m^2 belong to no body: each must be above 0 and at "
                "most the sum of the other two. Check the signs and the order xx, yy, zz, xy, xz, yz.",
                moments[0], moments[1], moments[2]));
}

}  // namespace

SphereBody::SphereBody(const Spheres& spheres, const SphereBodyOptions& options)
    : dimension_(options.dimension), spheres_(spheres) {
  const VolumeMoments body = uniform(spheres, options);
  volume_ = body.volume;
  Vec3 centre = body.centre;
  Mat3 inertia = body.inertia;
  if (options.given) {
    given_mass_ = options.given->mass;
    centre = options.given->centre.value_or(centre);
    inertia = options.given->inertia.value_or(given_mass_ / volume_ * inertia);
  }
  // In 2D the z axis alone counts.
  const PrincipalAxes frame =
      dimension_ == 2 ? PrincipalAxes{inertia.diagonal(), Mat3::Identity()} : principal_axes(inertia);
  if (options.given && options.given->inertia) check_moments(frame.moments, dimension_);
  inertia_ = frame.moments;
  const Mat3 back = frame.axes.transpose();
  reference_point_ = -(back * centre);
  body_to_reference_ = Quat(frame.axes);
  for (std::size_t k = 0; k < spheres_.radii.size(); ++k) {
    Vec3& c = spheres_.centres[k];
    c = back * (c - centre);
    bounding_radius_ = std::max(bounding_radius_, c.norm() + spheres_.radii[k]);
    rotation_reach_ = std::max(rotation_reach_, c.norm());
  }
}

MassProperties SphereBody::mass(double density) const {
  if (given_mass_ > 0) return {given_mass_, inertia_};
  return {density * volume_, density * inertia_};
}

Surface SphereBody::surface() const { return dimension_ == 2 ? disc_outlines(spheres_) : sphere_triangles(spheres_); }

const void* SphereBody::facet(std::string_view name) const noexcept {
  if (name == SphereSet::kName) return static_cast<const SphereSet*>(this);
  if (name == RoundVertices::kName) return static_cast<const RoundVertices*>(this);
  if (name == ExactDistance::kName) return static_cast<const ExactDistance*>(this);
  if (name == SignedDistance::kName) return static_cast<const SignedDistance*>(this);
  return nullptr;
}

void SphereBody::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    distance[i] = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < spheres_.radii.size(); ++k) {
      const Vec3 from = points[i] - spheres_.centres[k];
      const double length = from.norm(), d = length - spheres_.radii[k];
      if (d >= distance[i]) continue;
      distance[i] = d;
      gradient[i] = length > 0 ? Vec3(from / length) : Vec3::UnitX();
    }
  }
}

}  // namespace scree::spheres
