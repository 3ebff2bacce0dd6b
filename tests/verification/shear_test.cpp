// The tangential spring on its own: sheared to and fro, and carried around by a pair that turns as one.

#include <cmath>
#include <numbers>

#include "file_scene.hpp"

namespace scree::test::shear_test {

namespace {

constexpr double kR = 0.01, kOverlap = 1e-5, kFriction = 0.3, kAmplitude = 2e-5, kLinearForce = 1e5 * kOverlap;
constexpr double kYoung = 1e7, kPoisson = 0.3;

struct Law {
  const char *name, *options;
  double normal, tangential;  ///< force [N], stiffness [N/m] at the overlap of the scene
};

const Law kLaws[] = {
    {"linear", R"({"type": "linear", "normal_stiffness": 1e5, "tangential_stiffness": 5e4, "friction": 0.3})",
     kLinearForce, 5e4},
    {"hertz-mindlin", R"({"type": "hertz-mindlin", "restitution": 1, "friction": 0.3})",
     4.0 / 3 * kYoung / (1 - kPoisson * kPoisson) * std::sqrt(kR) * std::pow(kOverlap, 1.5),
     // 8 G* sqrt(R overlap), 1/G* = 2 (1 + nu) (2 - nu)/E with a rigid floor
     8 * kYoung / (2 * (1 + kPoisson) * (2 - kPoisson)) * std::sqrt(kR* kOverlap)}};

}  // namespace

TEST_CASE("sheared to and fro: slope k_t, plateau mu F_n, and a loop as large as what slides away") {
  for (const Law& law : kLaws) {
    const Series s("sheared_sphere", {{"/interactions/0/law", law.options}});
    const auto &time = s["time_s"], &force = s["floor_force_x_N"];
    const auto way = [&](std::size_t i) { return kAmplitude * std::sin(2 * std::numbers::pi * time[i]); };
    const double cap = kFriction * law.normal, reach = cap / law.tangential;
    const std::string name = fmt::format("shear cycle, {}", law.name);
    compare(name, "normal force [N]", -law.normal, s.last("floor_force_z_N"), 1e-9);  // places to 1e-18 m of 1e-5
    const std::size_t per_cycle = 4000;
    REQUIRE(s.rows() == per_cycle * 5 / 4 + 1);

    // From rest: the spring has grown with the way of the floor, by the velocity of each step.
    const std::size_t stuck = 50;
    REQUIRE(way(stuck) < reach);
    compare(name, "slope [N/m]", law.tangential, -force[stuck] / way(stuck), 1e-3);
    compare(name, "plateau forwards [N]", -cap, force[per_cycle / 4], 1e-9);
    compare(name, "plateau backwards [N]", cap, force[per_cycle * 3 / 4], 1e-9);
    // Reversed at the largest way: the force falls by twice the cap over twice the reach, in the steps after.
    std::size_t half = per_cycle / 4;
    while (way(half) > kAmplitude - reach) ++half;
    compare(name, "slope after turning [N/m]", law.tangential,
            -(force[half] - force[per_cycle / 4]) / (way(half) - way(per_cycle / 4)), 1e-3);

    double area = 0;
    for (std::size_t i = per_cycle / 4; i < per_cycle * 5 / 4; ++i)
      area -= (force[i] + force[i + 1]) / 2 * (way(i + 1) - way(i));
    compare(name, "loop [J]", 4 * cap * (kAmplitude - reach), area, 1e-3);
  }
}

namespace {

constexpr double kRate = 2 * std::numbers::pi, kStart = 1e-4;  // rad/s, s

std::string json(const Vec3& v) { return test::json({v.x(), v.y(), v.z()}); }

/// How friction's spring between the ball and a floor that turns with it changes in one turn.
struct Turned {
  double friction = 0;   ///< when the turn begins [N]
  double length = 0;     ///< change of the size of friction, over what it was
  double direction = 0;  ///< change of the force, over friction

  /// The ball turns and flies at once, the floor from kStart on, with the ball's velocity and about its centre: until
  /// then friction's spring grows, afterwards nothing slips.
  Turned(const Law& law, const Vec3& axis, const Vec3& velocity, double dt) {
    FileScene run("sheared_sphere",
                  {fmt::format("/interactions/0/law={}", law.options), "/interactions/0/law/friction=100",
                   fmt::format("/integrator/dt={}", dt), "/bodies/0/velocity=" + json(velocity),
                   "/bodies/1/position=" + json(Vec3(kStart * velocity - (kR - kOverlap) * Vec3::UnitZ())),
                   "/bodies/0/angular_velocity=" + json(Vec3(kRate * axis)),
                   fmt::format(R"(/bodies/1/motion={{"angular_velocity": {}, "velocity": {}, "centre": {},
                               "start": {}}})",
                               json(Vec3(kRate * axis)), json(velocity), json(Vec3(kStart * velocity)), kStart)});
    const auto force = [&]() -> Vec3 {  // on the floor, in axes that turn with it
      const Vec3 now = run.world().column<Vec3>("force").read()[run.row(1)];
      return Eigen::AngleAxisd(-kRate * (run.world().time - kStart), axis) * now;
    };
    run.until(2 * kStart);
    const Vec3 before = force();
    friction = std::hypot(before.x(), before.y());
    for (const double degrees : {30, 90, 180, 270, 360}) {
      run.until(kStart + degrees / 360);
      const Vec3 now = force();
      length = std::max(length, std::abs(std::hypot(now.x(), now.y()) / friction - 1));
      direction = std::max(direction, (now - before).norm() / friction);
    }
  }
};

}  // namespace

TEST_CASE("a stuck pair that turns as one by 360 degrees keeps its friction, turned with it") {
  const double dt = 5e-5;
  for (const Law& law : kLaws) {
    const std::string name = fmt::format("pair turned, {}", law.name);
    const Turned along(law, Vec3::UnitZ(), {0.06, 0, 0}, dt);
    CHECK(along.friction > 0.1 * law.normal);
    // Places of up to 6 cm are rounded to 7e-18 m in each of 20,000 steps, the spring is 6e-6 m long.
    compare(name + ", along n", "friction, change", 0, along.length, 1e-8);
    compare(name + ", along n", "force turned back, change", 0, along.direction, 1e-8);

    // Where the normal turns, velocities of the middle of a step go with the normal and the arms of the middle. These
    // are reached in a straight line from those of the end, which makes the arm longer by (w dt/2)^2/2.
    const auto creep = [&](const Turned& t) { return t.direction * t.friction / law.tangential; };
    const double longer = std::pow(kRate * dt / 2, 2) / 2;
    const Turned across(law, Vec3::UnitY(), Vec3::Zero(), dt), across2(law, Vec3::UnitY(), Vec3::Zero(), dt / 2);
    compare(name + ", across n", "creep in a turn [m]", kRate * kR * longer, creep(across), 1e-2);
    compare(name + ", across n", "gain by halving dt", 4, creep(across) / creep(across2), 1e-2);
    const Vec3 axis(2.0 / 3, 1.0 / 3, -2.0 / 3);
    const Turned askew(law, axis, Vec3::Zero(), dt), askew2(law, axis, Vec3::Zero(), dt / 2);
    compare(name + ", askew", "creep in a turn [m]", kRate * std::sqrt(5) / 3 * kR * longer, creep(askew), 1e-2);
    compare(name + ", askew", "gain by halving dt", 4, creep(askew) / creep(askew2), 1e-2);
  }
}

}  // namespace scree::test::shear_test
