#include "scree/model/environment.hpp"

#include "catch.hpp"

using namespace scree;

namespace {

/// One coordinate x of a body of this mass on a spring of stiffness k, under the given environment: velocity Verlet.
struct Oscillator {
  double mass, k;
  Environment env;
  double x = 0, v = 0;

  double acceleration() const {
    Vec3 force(-k * x, 0, 0), torque = Vec3::Zero();
    const BodyMotion<double> body{mass, Vec3::Ones(), Quat::Identity(), {v, 0, 0}, Vec3::Zero()};
    add_environment<double>(env, env.gravity, body, force, torque);
    return force[0] / mass;
  }
  void step(double dt) {
    v += dt / 2 * acceleration();
    x += dt * v;
    v += dt / 2 * acceleration();
  }
};

}  // namespace

TEST_CASE("gravity: constant, oscillating and by a table, each and in sum") {
  Environment env;
  env.gravity = {1, 2, 3};
  CHECK(gravity_at(env, 17) == Vec3(1, 2, 3));
  env.variation.amplitude = {0, 4, 0};
  env.variation.frequency = 2;
  CHECK((gravity_at(env, 0.125) - Vec3(1, 6, 3)).norm() < 1e-15);  // a quarter of the period; rounding
  env.variation.phase = std::numbers::pi / 2;
  CHECK((gravity_at(env, 0) - Vec3(1, 6, 3)).norm() < 1e-15);
  env.variation.amplitude = Vec3::Zero();
  env.variation.table = {{1, {0, 0, 0}}, {2, {10, 0, 0}}, {4, {10, -8, 0}}};
  CHECK(gravity_at(env, 0.5) == Vec3(1, 2, 3));
  CHECK(gravity_at(env, 1) == Vec3(1, 2, 3));
  CHECK(gravity_at(env, 1.25) == Vec3(3.5, 2, 3));
  CHECK(gravity_at(env, 2) == Vec3(11, 2, 3));
  CHECK(gravity_at(env, 3) == Vec3(11, -2, 3));
  CHECK(gravity_at(env, 4) == Vec3(11, -6, 3));
  CHECK(gravity_at(env, 100) == Vec3(11, -6, 3));
}

TEST_CASE("local damping takes from what speeds up, adds to what slows down, leaves what rests") {
  const Vec3 force(10, -20, 30), velocity(1, 2, 0);
  CHECK(locally_damped<double>(force, velocity, 0.3) == Vec3(7, -26, 30));
  CHECK(locally_damped<double>(-force, velocity, 0.3) == Vec3(-13, 14, -30));
}

TEST_CASE("local damping of an oscillator does not depend on its frequency") {
  // Each half cycle begins with (1 - a) k and ends with (1 + a) k: the amplitude falls to sqrt((1 - a)/(1 + a)).
  const double a = 0.2, ratio = std::sqrt((1 - a) / (1 + a));
  for (const double k : {1.0, 100.0, 10000.0}) {
    Oscillator spring{2, k, {}, 1, 0};
    spring.env.local_damping = a;
    const double dt = 1e-4 / std::sqrt(k);
    for (int half = 1; half <= 4; ++half) {
      const double side = spring.x;
      do spring.step(dt);
      while (spring.v * side < 0 || spring.x * side > 0);
      CHECK(std::abs(spring.x) == Approx(std::pow(ratio, half)).epsilon(1e-3));  // switches within a step: O(dt)
    }
  }
}

TEST_CASE("a viscous oscillator decays by its damping ratio") {
  for (const bool by_mass : {false, true}) {
    const double mass = 2, k = 50, c = 0.4;
    Oscillator spring{mass, k, {}, 1, 0};
    (by_mass ? spring.env.mass_damping : spring.env.linear_damping) = by_mass ? c / mass : c;
    const double rate = c / (2 * mass), omega = std::sqrt(k / mass - rate * rate), t = 3;
    for (int i = 0; i < 30000; ++i) spring.step(1e-4);
    const double expected = std::exp(-rate * t) * (std::cos(omega * t) + rate / omega * std::sin(omega * t));
    CHECK(spring.x == Approx(expected).margin(2e-5));  // O(dt)
  }
}

TEST_CASE("angular damping: spin decays as exp(-c t/I), speed does not") {
  const double c = 0.3, moment = 2, dt = 1e-4, t = 5;
  Environment env;
  env.angular_damping = c;
  CHECK(env.damps());
  Vec3 omega(1, -2, 3);
  const Vec3 start = omega;
  for (int i = 0; i < static_cast<int>(std::lround(t / dt)); ++i) {
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    const Quat q = Quat::Identity();
    add_environment<double>(env, Vec3::Zero(), {4, Vec3::Constant(moment), q, {1, 2, 3}, omega}, force, torque);
    REQUIRE(force.isZero(0));
    omega = kicked<double>(omega, angular_acceleration<double>(torque, q, Vec3::Constant(1 / moment)), dt);
  }
  CHECK((omega - std::exp(-c * t / moment) * start).norm() < 1e-4 * start.norm());  // (c/I)^2 t dt/2
}

TEST_CASE("a fluid drags to its own velocity, gravity to the terminal one") {
  Oscillator grain{2, 0, {}, 0, 0};
  grain.env.gravity = {-10, 0, 0};
  grain.env.linear_damping = 4;
  grain.env.fluid_velocity = {3, 0, 0};
  const double terminal = 3 - 10 * 2.0 / 4;
  for (int i = 0; i < 1000; ++i) grain.step(1e-3);
  CHECK(grain.v == Approx(terminal * (1 - std::exp(-2.0))).epsilon(3e-3));  // O(dt)
  for (int i = 0; i < 30000; ++i) grain.step(1e-3);
  CHECK(grain.v == Approx(terminal).epsilon(1e-12));
}

TEST_CASE("mass-proportional damping opposes velocity by m and spin by L") {
  Environment env;
  env.mass_damping = 0.5;
  const Quat q(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  const Vec3 moments(2, 3, 7), omega(0.3, -0.2, 0.1);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  add_environment<double>(env, Vec3::Zero(), {4, moments, q, {1, 2, 3}, omega}, force, torque);
  CHECK((force - Vec3(-2, -4, -6)).norm() < 1e-15);
  const Vec3 spin = q.toRotationMatrix() * moments.asDiagonal() * q.toRotationMatrix().transpose() * omega;
  CHECK((torque + 0.5 * spin).norm() < 1e-15);  // rounding
}

TEST_CASE("without damping only gravity is added") {
  Environment env;
  Vec3 force(1, 2, 3), torque(4, 5, 6);
  add_environment<double>(env, {0, -10, 0}, {2, Vec3::Ones(), Quat::Identity(), {1, 1, 1}, {1, 1, 1}}, force, torque);
  CHECK(force == Vec3(1, -18, 3));
  CHECK(torque == Vec3(4, 5, 6));
}
