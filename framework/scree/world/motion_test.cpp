#include "scree/world/motion.hpp"

#include <numbers>
#include <random>

#include "catch.hpp"

using namespace scree;

namespace {

/// Goes, turns and swings at once, about a centre beside the body.
Motion any_motion() {
  Motion m;
  m.velocity = {0.3, -0.2, 0.1};
  m.angular_velocity = {0.5, 1.5, -2};
  m.centre = {0.2, 0.1, -0.3};
  m.amplitude = {0.05, 0.02, -0.04};
  m.frequency = 1.3;
  m.start = 0.4;
  m.stop = 2.1;
  return m;
}

const Pose kInitial{{0.5, -0.4, 0.6}, Quat(0.5, 0.5, -0.5, 0.5)};

}  // namespace

TEST_CASE("a prescribed body's twist is the slope of its pose") {
  const Motion m = any_motion();
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> during(m.start + 0.01, m.stop - 0.01);
  constexpr double h = 1e-5;  // central differences: h^2 w^3 is 5e-8 m/s, rounding 1e-11 m/s
  for (int i = 0; i < 100; ++i) {
    const double t = during(engine);
    const Pose before = pose_at(m, kInitial, t - h), after = pose_at(m, kInitial, t + h);
    const Twist twist = twist_at(m, kInitial, t);
    CHECK((twist.velocity - (after.position - before.position) / (2 * h)).norm() < 1e-8);
    const Eigen::AngleAxisd turn(after.orientation * before.orientation.conjugate());
    CHECK((twist.angular_velocity - turn.angle() / (2 * h) * turn.axis()).norm() < 1e-8);
  }
}

TEST_CASE("a prescribed body rests before its motion begins and after it ends, where it came to") {
  const Motion m = any_motion();
  for (const double t : {0.0, 0.39, 2.1, 2.2, 100.0}) {
    CHECK(twist_at(m, kInitial, t).velocity == Vec3::Zero());
    CHECK(twist_at(m, kInitial, t).angular_velocity == Vec3::Zero());
  }
  CHECK((pose_at(m, kInitial, 0.2).position - kInitial.position).norm() < 1e-15);  // rounding about the centre
  const Pose last = pose_at(m, kInitial, 2.1);
  CHECK(pose_at(m, kInitial, 50).position == last.position);
  CHECK(pose_at(m, kInitial, 50).orientation.coeffs() == last.orientation.coeffs());
  // 1.7 s of it: 2.21 swings, and a turn about the centre.
  const Vec3 swing = m.amplitude * std::sin(2 * std::numbers::pi * 2.21);
  const double rate = m.angular_velocity.norm();
  const Vec3 arm = Eigen::AngleAxisd(1.7 * rate, m.angular_velocity / rate) * (kInitial.position - m.centre);
  CHECK((last.position - (m.centre + arm + 1.7 * m.velocity + swing)).norm() < 1e-14);
}

TEST_CASE("an oscillating body moves as amplitude sin(2 pi f t), at up to 2 pi f amplitude") {
  Motion m;
  m.amplitude = {0, 0.01, 0};
  m.frequency = 25;
  CHECK(twist_at(m, {}, 0).velocity.y() == Approx(2 * std::numbers::pi * 25 * 0.01));
  CHECK(pose_at(m, {}, 0.01).position.y() == Approx(0.01));  // a quarter of a period
  CHECK(twist_at(m, {}, 0.01).velocity.norm() < 1e-12);
}
