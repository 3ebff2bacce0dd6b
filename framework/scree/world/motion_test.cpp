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
    const Pose before = pose_at({&m, 1}, kInitial, t - h), after = pose_at({&m, 1}, kInitial, t + h);
    const Twist twist = twist_at({&m, 1}, kInitial, t);
    CHECK((twist.velocity - (after.position - before.position) / (2 * h)).norm() < 1e-8);
    const Eigen::AngleAxisd turn(after.orientation * before.orientation.conjugate());
    CHECK((twist.angular_velocity - turn.angle() / (2 * h) * turn.axis()).norm() < 1e-8);
  }
}

TEST_CASE("a prescribed body rests before its motion begins and after it ends, where it came to") {
  const Motion m = any_motion();
  for (const double t : {0.0, 0.39, 2.1, 2.2, 100.0}) {
    CHECK(twist_at({&m, 1}, kInitial, t).velocity == Vec3::Zero());
    CHECK(twist_at({&m, 1}, kInitial, t).angular_velocity == Vec3::Zero());
  }
  CHECK((pose_at({&m, 1}, kInitial, 0.2).position - kInitial.position).norm() < 1e-15);  // rounding about the centre
  const Pose last = pose_at({&m, 1}, kInitial, 2.1);
  CHECK(pose_at({&m, 1}, kInitial, 50).position == last.position);
  CHECK(pose_at({&m, 1}, kInitial, 50).orientation.coeffs() == last.orientation.coeffs());
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
  CHECK(twist_at({&m, 1}, {}, 0).velocity.y() == Approx(2 * std::numbers::pi * 25 * 0.01));
  CHECK(pose_at({&m, 1}, {}, 0.01).position.y() == Approx(0.01));  // a quarter of a period
  CHECK(twist_at({&m, 1}, {}, 0.01).velocity.norm() < 1e-12);
}

namespace {

/// Checks the twist against central differences of the pose, at times where no motion begins or ends.
void check_slope(const std::vector<Motion>& motions, std::initializer_list<double> times) {
  constexpr double h = 1e-5;  // h^2 w^3 is 1e-7 m/s at most, rounding 1e-11 m/s
  for (const double t : times) {
    const Pose before = pose_at(motions, kInitial, t - h), after = pose_at(motions, kInitial, t + h);
    const Twist twist = twist_at(motions, kInitial, t);
    INFO(t);
    CHECK((twist.velocity - (after.position - before.position) / (2 * h)).norm() < 1e-7);
    const Eigen::AngleAxisd turn(after.orientation * before.orientation.conjugate());
    CHECK((twist.angular_velocity - turn.angle() / (2 * h) * turn.axis()).norm() < 1e-7);
  }
}

}  // namespace

TEST_CASE("motions in a list add up: a spin is carried along by an orbit, whose twist is the slope of its pose") {
  Motion spin, orbit = any_motion();
  spin.about_origin = true;
  spin.angular_velocity = {0, 0, 7};
  spin.amplitude = {0, 0, 0.1};
  spin.frequency = 0.7;
  check_slope({spin, orbit}, {0.2, 0.9, 1.3, 2.0, 2.5});
  check_slope({orbit, spin}, {0.2, 0.9, 1.3, 2.0, 2.5});
  orbit = {};
  orbit.angular_velocity = {0, 2, 0};  // about the world's y axis
  spin.amplitude.setZero();
  const double t = 1.7;
  const Pose pose = pose_at(std::vector{spin, orbit}, kInitial, t);
  const Quat turned(Eigen::AngleAxisd(2 * t, Vec3::UnitY()));
  CHECK((pose.position - turned * kInitial.position).norm() < 1e-14);
  const Vec3 axis = turned * Vec3::UnitZ();  // of the spin by then
  CHECK((pose.orientation * (kInitial.orientation.conjugate() * Vec3::UnitZ()) - axis).norm() < 1e-14);
}

TEST_CASE("motions of different times follow each other") {
  Motion down, up;
  down.velocity = {0, 0, -2};
  down.start = 1, down.stop = 1.5;
  up.velocity = {0, 0, 3};
  up.start = 2, up.stop = 4;
  const std::vector<Motion> strokes = {down, up};
  const auto height = [&](double t) { return pose_at(strokes, {}, t).position.z(); };
  CHECK(height(1.25) == Approx(-0.5));
  CHECK(height(1.8) == Approx(-1));
  CHECK(height(3) == Approx(2));
  CHECK(height(9) == Approx(5));
  CHECK(twist_at(strokes, {}, 1.2).velocity.z() == -2);
  CHECK(twist_at(strokes, {}, 1.7).velocity.z() == 0);
  CHECK(twist_at(strokes, {}, 2.2).velocity.z() == 3);
}

TEST_CASE("a table of velocities is linear between rows, and the way is the area under it, exactly") {
  Motion m;
  m.start = 0.5;
  m.velocities = {{0.25, {1, 0, 0}}, {1, {4, 0, 0}}, {2, {-2, 0, 0}}};
  const auto way = [&](double t) { return pose_at({&m, 1}, {}, t).position.x(); };
  CHECK(way(0.5) == 0);
  CHECK(way(0.7) == Approx(0.2).epsilon(1e-14));                        // as in the first row before it
  CHECK(way(1.5) == Approx(0.25 + 0.75 * 2.5).epsilon(1e-14));          // a trapezium
  CHECK(way(2.5) == Approx(0.25 + 0.75 * 2.5 + 1).epsilon(1e-14));      // two triangles
  CHECK(way(3.5) == Approx(0.25 + 0.75 * 2.5 + 1 - 2).epsilon(1e-14));  // as in the last row after it
  CHECK(twist_at({&m, 1}, {}, 2).velocity.x() == Approx(1).epsilon(1e-14));
  check_slope({m}, {0.6, 0.9, 1.7, 2.3, 2.6});
}

TEST_CASE("a table of displacements is linear between rows and rests outside of them") {
  Motion m;
  m.displacements = {{1, {0, 0, 0}}, {2, {0, 0.5, 0}}, {4, {0, 0.25, 0}}};
  const auto way = [&](double t) { return pose_at({&m, 1}, {}, t).position.y(); };
  CHECK(way(0.5) == 0);
  CHECK(way(1.5) == 0.25);
  CHECK(way(3) == 0.375);
  CHECK(way(7) == 0.25);
  CHECK(twist_at({&m, 1}, {}, 3).velocity.y() == -0.125);
  CHECK(twist_at({&m, 1}, {}, 7).velocity.y() == 0);
  check_slope({m}, {0.5, 1.5, 3, 5});
}
