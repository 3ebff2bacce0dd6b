#include "scree/integrate/rigid_body.hpp"

#include "catch.hpp"

using namespace scree;

namespace {

const Vec3 kMoments(2, 3, 7);
const Vec3 kInverse = kMoments.cwiseInverse();

Vec3 spin(const Quat& q, const Vec3& omega) { return q * kMoments.cwiseProduct(q.conjugate() * omega).eval(); }

}  // namespace

TEST_CASE("exponential map equals angle and axis, across the switch to the series") {
  for (const double angle : {0.0, 1e-9, 0.999e-4, 1.001e-4, 0.3, 3.0, 9.0}) {
    const Vec3 axis = Vec3(1, -2, 0.5).normalized();
    const Quat q = exponential<double>(angle * axis);
    const Quat expected(Eigen::AngleAxisd(angle, axis));
    CHECK((q.coeffs() - expected.coeffs()).norm() < 1e-15);  // rounding
  }
}

TEST_CASE("turning a million times keeps the quaternion a unit one") {
  Quat q(0.5, 0.5, -0.5, 0.5);
  for (int i = 0; i < 1000000; ++i) q = turned<double>(q, {0.1, 0.2, -0.3}, 0.01);
  CHECK(std::abs(q.norm() - 1) < 4e-16);  // renormalised each time
}

TEST_CASE("turning about z equals turning in space") {
  Quat plane(Eigen::AngleAxisd(0.4, Vec3::UnitZ()));
  Quat space = plane;
  for (int i = 0; i < 100; ++i) {
    plane = turned_about_z<double>(plane, 3.0, 0.01);
    space = turned<double>(space, {0, 0, 3}, 0.01);
  }
  CHECK((plane.coeffs() - space.coeffs()).norm() < 1e-14);  // rounding of 100 products
  CHECK(2 * std::atan2(plane.z(), plane.w()) == Approx(0.4 + 3.0).epsilon(1e-13));
}

namespace {

/// Largest relative error of the energy of a free, tumbling top within 1 s in steps of dt.
double energy_error(double dt) {
  Rotation<double> top{Quat(0.8, 0.1, -0.5, 0.3).normalized(), {1, -2, 3}};
  const double before = spin(top.q, top.omega).dot(top.omega);
  const int steps = static_cast<int>(std::lround(1 / dt));
  double largest = 0;
  for (int i = 0; i < steps; ++i) {
    top = rotated_freely<double>(top, kMoments, kInverse, dt);
    largest = std::max(largest, std::abs(spin(top.q, top.omega).dot(top.omega) / before - 1));
  }
  return largest;
}

}  // namespace

TEST_CASE("free top keeps angular momentum to 1e-12 while it tumbles") {
  Rotation<double> top{Quat(0.8, 0.1, -0.5, 0.3).normalized(), {1, -2, 3}};
  const Vec3 before = spin(top.q, top.omega), omega = top.omega;
  for (int i = 0; i < 5000; ++i) top = rotated_freely<double>(top, kMoments, kInverse, 1e-3);
  CHECK((spin(top.q, top.omega) - before).norm() < 1e-12 * before.norm());  // rounding, 1.5e-16 per step measured
  CHECK((top.omega - omega).norm() > 0.1);
}

TEST_CASE("halving dt quarters the energy error of a free top") {
  const double ratio = energy_error(2e-3) / energy_error(1e-3);
  CHECK(ratio == Approx(4).epsilon(0.05));  // the next order in dt
}

TEST_CASE("a free symmetric top precesses at the analytic rate") {
  // Moments (1, 1, 2): in space, the axis turns about L at the rate |L| / 1 (Goldstein, sec. 5.6).
  const Vec3 moments(1, 1, 2);
  Rotation<double> top{Quat::Identity(), {0.6, 0, 0.4}};
  const Vec3 momentum = moments.cwiseProduct(top.omega);
  const int steps = 20000;
  for (int i = 0; i < steps; ++i) top = rotated_freely<double>(top, moments, moments.cwiseInverse().eval(), 1e-4);
  const Vec3 axis = Quat(Eigen::AngleAxisd(momentum.norm() * steps * 1e-4, momentum.normalized())) * Vec3::UnitZ();
  CHECK((top.q * Vec3::UnitZ() - axis).norm() < 1e-8);  // O(dt^2) after 2 s
}

TEST_CASE("torque about a principal axis of a turned body gives torque over moment") {
  const Quat q(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  const Vec3 torque = q * Vec3(0, 0, 14), expected = q * Vec3(0, 0, 2);
  CHECK((angular_acceleration<double>(torque, q, kInverse) - expected).norm() < 1e-14);  // rounding
}

TEST_CASE("an axis without inverse moment does not turn") {
  const Vec3 alpha = angular_acceleration<double>({1, 2, 3}, Quat::Identity(), {0, 0, 0.5});
  CHECK(alpha == Vec3(0, 0, 1.5));
}
