#include <cmath>
#include <numbers>
#include <vector>

#include "catch.hpp"
#include "scree/base/philox.hpp"
#include "solid/rigid_fit.hpp"

using namespace scree;
using namespace scree::culling;

namespace {

/// Points that move as one, and by how much each moves besides.
std::vector<MovingPoint> block(const Twist& twist, const Vec3& centre, double noise) {
  const RandomStream random(1, "block");
  std::vector<MovingPoint> points;
  for (std::size_t i = 0; i < 7; ++i) {
    const Vec3 place = centre + random.triple(i);
    points.push_back({place, twist.velocity + twist.angular_velocity.cross(place) +
                                 noise * (2 * random.triple(i, 1) - Vec3::Ones())});
  }
  return points;
}

}  // namespace

TEST_CASE("points of a rigid body that flies and spins: the fit finds its motion") {
  const Twist twist{{1, -2, 3}, {4, 5, -6}};
  const std::vector<MovingPoint> points = block(twist, {10, 20, 30}, 0);
  const RigidMotion fit = rigid_fit(points);
  CHECK((fit.twist.angular_velocity - twist.angular_velocity).norm() < 1e-12);
  CHECK(misfit(fit, points) < 1e-11);
  const Vec3 elsewhere(11, 19, 31);
  CHECK((fit.at(elsewhere) - (twist.velocity + twist.angular_velocity.cross(elsewhere))).norm() < 1e-11);
}

TEST_CASE("points that move against each other: what the fit leaves is as large as their motion") {
  const std::vector<MovingPoint> points = block({{1, 0, 0}, {0, 0, 5}}, {0, 0, 0}, 0.01);
  const double left = misfit(rigid_fit(points), points);
  CHECK(left > 0.001);
  CHECK(left < 0.01 * std::sqrt(3.0));
}

TEST_CASE("points on a line tell no rotation about it, and the fit gives none") {
  const Vec3 along = Vec3(1, 2, -1).normalized();
  std::vector<MovingPoint> points;
  for (int i = 0; i < 4; ++i) points.push_back({i * along, Vec3(0, 0, 1) + Vec3(3, 0, 0).cross(i * along)});
  const RigidMotion fit = rigid_fit(points);
  CHECK(std::abs(fit.twist.angular_velocity.dot(along)) < 1e-12);
  CHECK(misfit(fit, points) < 1e-12);
}

TEST_CASE("simple shear: its middle moves as the mean does, and the misfit tells it from a solid") {
  const double rate = 2;
  std::vector<MovingPoint> points;
  for (const Vec3& x :
       {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)})
    points.push_back({x, Vec3(rate * x.z(), 0, 0)});
  const RigidMotion fit = rigid_fit(points);
  CHECK((points[0].velocity - fit.at(points[0].place)).norm() < 1e-12);
  // Half of the shear is rotation; what is left at the four points off the y axis is rate/2.
  CHECK(misfit(fit, points) == Approx(rate / 2 * std::sqrt(4.0 / 7)).epsilon(1e-12));
}
