#include "scree/integrate/rigid_body.hpp"

#include <cmath>

#include "catch.hpp"

using namespace scree;

namespace {

const Vec3 kMoments(2, 3, 7);
const Vec3 kInverse = kMoments.cwiseInverse();

Vec3 spin(const Quat& q, const Vec3& omega) { return q * kMoments.cwiseProduct(q.conjugate() * omega).eval(); }

}  // namespace

TEST_CASE("exponential map equals angle and axis, across the switch to the series") {
  for (const double angle : {0.0, 1e-9, 1e-4, 0.1999, 0.2001, 0.3, 3.0, 9.0}) {
    const Vec3 axis = Vec3(1, -2, 0.5).normalized();
    const Quat q = exponential<double>(angle * axis);
    const Quat expected(Eigen::AngleAxisd(angle, axis));
    CHECK((q.coeffs() - expected.coeffs()).norm() < 1e-15);  // rounding
  }
}

TEST_CASE("the series of cosine and sinc are exact to rounding, and so is the library above them") {
  long double worst_cosine = 0, worst_sine = 0;
  for (double angle = -0.12; angle < 0.12; angle += 1.7e-6) {
    const CosineSinc<double> got = cosine_and_sinc<double>(angle * angle);
    const long double sine = sinl(angle);
    worst_cosine = std::max(worst_cosine, std::abs(got.cosine - cosl(angle)));
    worst_sine = std::max(worst_sine, std::abs(static_cast<long double>(got.sinc) * angle - sine) / std::abs(sine));
  }
  // Half a unit in the last place is 1.1e-16 below 2 and 5.5e-17 below 1; measured 5.6e-17 and 1.6e-16.
  CHECK(static_cast<double>(worst_cosine) < 1.2e-16);
  CHECK(static_cast<double>(worst_sine) < 2.3e-16);
  CHECK(cosine_and_sinc<double>(0).sinc == 1);
}

TEST_CASE("in long double the series of cosine and sinc are cut off below 1e-17") {
  for (const long double angle : {0.02L, 0.05L, 0.0999L}) {
    const CosineSinc<long double> got = cosine_and_sinc<long double>(angle * angle);
    CHECK(static_cast<double>(std::abs(got.cosine - cosl(angle))) < 1e-17);
    CHECK(static_cast<double>(std::abs(got.sinc - sinl(angle) / angle)) < 1e-17);
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

TEST_CASE("the energy error of a free top does not grow with time") {
  Rotation<double> top{Quat(0.8, 0.1, -0.5, 0.3).normalized(), {1, -2, 3}};
  const double before = spin(top.q, top.omega).dot(top.omega);
  double early = 0, late = 0;
  for (int i = 0; i < 100000; ++i) {
    top = rotated_freely<double>(top, kMoments, kInverse, 0.01);
    double& largest = i < 10000 ? early : late;
    largest = std::max(largest, std::abs(spin(top.q, top.omega).dot(top.omega) / before - 1));
  }
  CHECK(early < 3e-5);         // 2.65e-5 measured
  CHECK(late < 1.01 * early);  // over 1000 s, 600 turns
}

TEST_CASE("a free top run backwards returns to where it began") {
  const Rotation<double> start{Quat(0.8, 0.1, -0.5, 0.3).normalized(), {1, -2, 3}};
  Rotation<double> top = start;
  for (int i = 0; i < 1000; ++i) top = rotated_freely<double>(top, kMoments, kInverse, 0.05);
  for (int i = 0; i < 1000; ++i) top = rotated_freely<double>(top, kMoments, kInverse, -0.05);
  CHECK((top.omega - start.omega).norm() < 1e-9);  // rounding, which tumbling lets grow with time: 1e-10 measured
  CHECK((top.q.coeffs() - start.q.coeffs()).norm() < 1e-9);
}

namespace {

/// Jacobi's amplitude: the angle phi with F(phi, k) = u, by Newton's method on the integral of the first kind.
double amplitude(double u, double k) {
  double phi = u * M_PI / (2 * std::comp_ellint_1(k));
  for (int i = 0; i < 100; ++i) phi -= (std::ellint_1(k, phi) - u) * std::sqrt(1 - std::pow(k * std::sin(phi), 2));
  return phi;
}

/// A top that starts near its unstable middle axis and turns over again and again: Landau, Lifshitz, Mechanics,
/// sec. 37.
struct Tumbling {
  Vec3 start{0.4, 0, 0.12};  ///< body axes [rad/s]; of moments 2, 3, 7
  double twice_energy = kMoments.cwiseProduct(start).dot(start);
  double momentum2 = kMoments.cwiseProduct(start).squaredNorm();
  double rate = std::sqrt((kMoments[2] - kMoments[1]) * (momentum2 - twice_energy * kMoments[0]) / kMoments.prod());
  double modulus = std::sqrt((kMoments[1] - kMoments[0]) * (twice_energy * kMoments[2] - momentum2) /
                             ((kMoments[2] - kMoments[1]) * (momentum2 - twice_energy * kMoments[0])));
  double period() const { return 4 * std::comp_ellint_1(modulus) / rate; }
  /// Angular velocity in body axes after time t.
  Vec3 omega(double t) const {
    const double phi = amplitude(rate * t, modulus), sine = std::sin(phi);
    const double middle =
        std::sqrt((twice_energy * kMoments[2] - momentum2) / (kMoments[1] * (kMoments[2] - kMoments[1])));
    return {start[0] * std::cos(phi), middle * sine, start[2] * std::sqrt(1 - std::pow(modulus * sine, 2))};
  }
};

/// Distance of the angular velocity in body axes from the exact one after one period in `steps` steps.
double tumbling_error(int steps) {
  const Tumbling exact;
  Rotation<double> top{Quat::Identity(), exact.start};
  for (int i = 0; i < steps; ++i) top = rotated_freely<double>(top, kMoments, kInverse, exact.period() / steps);
  return (top.q.conjugate() * top.omega - exact.start).norm();
}

}  // namespace

TEST_CASE("a free top about its middle axis follows Jacobi's elliptic functions") {
  const Tumbling exact;
  CHECK(exact.modulus > 0.8);
  const int steps = 4000;
  const double dt = exact.period() / steps;
  Rotation<double> top{Quat::Identity(), exact.start};
  for (int i = 1; i <= steps; ++i) {
    top = rotated_freely<double>(top, kMoments, kInverse, dt);
    if (i % 500) continue;
    const Vec3 body = top.q.conjugate() * top.omega;
    CHECK((body - exact.omega(i * dt)).norm() < 1e-5 * exact.start.norm());  // O(dt^2): 5e-6 measured
  }
  CHECK((spin(top.q, top.omega) - kMoments.cwiseProduct(exact.start)).norm() < 1e-12);  // rounding
}

TEST_CASE("halving dt quarters the error of the period of a top about its middle axis") {
  CHECK(tumbling_error(1000) / tumbling_error(2000) == Approx(4).epsilon(0.02));  // the next order in dt
}

TEST_CASE("a free symmetric top moves exactly, at any dt") {
  // Moments (1, 1, 2): in space, the axis turns about L at the rate |L| / 1; in the body, omega turns about the axis at
  // the rate (I3 - I1) omega3 / I1 (Goldstein, sec. 5.6).
  const Vec3 moments(1, 1, 2), start(0.6, 0, 0.4);
  for (const int order : {0, 1, 2}) {  // whichever axis is the odd one
    const auto turned_axes = [order](const Vec3& v) {
      return Vec3(v[(3 - order) % 3], v[(4 - order) % 3], v[(5 - order) % 3]);
    };
    const Vec3 inertia = turned_axes(moments), inverse = inertia.cwiseInverse();
    Rotation<double> top{Quat::Identity(), turned_axes(start)};
    const Vec3 momentum = inertia.cwiseProduct(top.omega), figure = turned_axes(Vec3::UnitZ());
    const int steps = 40;
    const double dt = 0.7, t = steps * dt;
    for (int i = 0; i < steps; ++i) top = rotated_freely<double>(top, inertia, inverse, dt);
    const Vec3 axis = Quat(Eigen::AngleAxisd(momentum.norm() * t, momentum.normalized())) * figure;
    CHECK((top.q * figure - axis).norm() < 1e-13);  // rounding of 40 steps
    const double angle = (2.0 - 1.0) * 0.4 / 1 * t;
    const Vec3 body = top.q.conjugate() * top.omega;
    CHECK((body - turned_axes(Vec3(0.6 * std::cos(angle), 0.6 * std::sin(angle), 0.4))).norm() < 1e-13);
  }
}

TEST_CASE("a free sphere keeps its angular velocity to the bit and turns exactly") {
  const Vec3 moments(3, 3, 3), omega(1, -2, 3);
  Rotation<double> sphere{Quat(0.8, 0.1, -0.5, 0.3).normalized(), omega};
  const Quat exact = Quat(Eigen::AngleAxisd(omega.norm() * 10, omega.normalized())) * sphere.q;
  for (int i = 0; i < 100; ++i) sphere = rotated_freely<double>(sphere, moments, moments.cwiseInverse().eval(), 0.1);
  CHECK(sphere.omega == omega);
  CHECK(std::abs(std::abs(sphere.q.dot(exact)) - 1) < 1e-14);  // rounding of 100 steps
}

TEST_CASE("a rod does not turn about its own axis") {
  const Vec3 moments(2, 2, 0), inverse(0.5, 0.5, 0);
  Rotation<double> rod{Quat(0.8, 0.1, -0.5, 0.3).normalized(), Vec3::Zero()};
  rod.omega = rod.q * Vec3(1, 2, 0);
  const Vec3 omega = rod.omega;
  for (int i = 0; i < 1000; ++i) rod = rotated_freely<double>(rod, moments, inverse, 0.1);
  CHECK((rod.omega - omega).norm() < 1e-12);  // rounding of 1000 steps
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
