#include <cmath>
#include <numbers>
#include <vector>

#include "catch.hpp"
#include "force_field.hpp"
#include "not_free.hpp"
#include "symplectic_euler.hpp"
#include "velocity_verlet.hpp"

using namespace scree;
using namespace scree::explicit_integrators;
using namespace scree::test;

namespace {

/// Spring of angular frequency 3 rad/s between body and origin; its mass is 2 kg.
constexpr double kOmega = 3;
Wrench spring(const World& world, std::size_t i) {
  return {-2 * kOmega * kOmega * world.position.read()[i], Vec3::Zero()};
}

/// Position and velocity of the oscillator x(0) = 0, v(0) = 1 after `steps` steps.
template <class Method>
std::pair<double, double> oscillate(double dt, int steps) {
  Stage stage(2);
  stage.add(moving({1, 0, 0}));
  Field field(stage.world, spring);
  Method method;
  stage.run(method, field, dt, steps);
  return {stage.world.position.read()[0][0], stage.world.velocity.read()[0][0]};
}

/// Angle per step of both methods' exact discrete solution: x_{n+1} - 2 x_n + x_{n-1} = -(omega dt)^2 x_n.
double phase(double dt) { return std::acos(1 - kOmega * kOmega * dt * dt / 2); }

template <class Method>
double error_at_one_second(double dt) {
  return std::abs(oscillate<Method>(dt, static_cast<int>(std::lround(1 / dt))).first - std::sin(kOmega) / kOmega);
}

}  // namespace

TEST_CASE("oscillator: both methods give their exact discrete solution") {
  const double dt = 0.05, theta = phase(dt);
  for (const int n : {1, 10, 1000}) {
    // x_1 = dt for either method, from rest at x_0 = 0 with v_0 = 1; rounding over 1000 steps.
    const double expected = dt * std::sin(n * theta) / std::sin(theta);
    CHECK(oscillate<SymplecticEuler>(dt, n).first == Approx(expected).margin(1e-12));
    CHECK(oscillate<VelocityVerlet>(dt, n).first == Approx(expected).margin(1e-12));
    CHECK(oscillate<VelocityVerlet>(dt, n).second == Approx(std::cos(n * theta)).margin(1e-12));
  }
}

TEST_CASE("oscillator: symplectic Euler keeps its modified energy to rounding") {
  // H~ = (v^2 + omega^2 x^2 - dt omega^2 x v) / 2 is conserved exactly by v += dt a, x += dt v.
  const double dt = 0.05;
  const auto [x, v] = oscillate<SymplecticEuler>(dt, 10000);
  CHECK((v * v + kOmega * kOmega * (x * x - dt * x * v)) == Approx(1).epsilon(1e-11));
}

TEST_CASE("halving dt halves the velocity error of Euler and quarters the errors of Verlet") {
  const auto euler_error = [](double dt) {
    return std::abs(oscillate<SymplecticEuler>(dt, static_cast<int>(std::lround(1 / dt))).second - std::cos(kOmega));
  };
  CHECK(euler_error(1e-3) / euler_error(5e-4) == Approx(2).epsilon(0.02));  // next order in dt
  CHECK(error_at_one_second<VelocityVerlet>(1e-3) / error_at_one_second<VelocityVerlet>(5e-4) ==
        Approx(4).epsilon(0.02));
}

TEST_CASE("Verlet is stable for omega dt < 2 and not beyond, and its energy error is (omega dt)^2 / 4") {
  const auto largest = [](double product, int steps) {
    Stage stage(2);
    stage.add(moving({1, 0, 0}));
    Field field(stage.world, spring);
    VelocityVerlet method;
    double most = 0;
    for (int n = 0; n < steps; ++n) {
      stage.run(method, field, product / kOmega, 1);
      most = std::max(most, std::abs(stage.world.velocity.read()[0][0]));
    }
    return most;
  };
  CHECK(largest(1.99, 10000) < 1.01);  // v^2 + omega^2 x^2 (1 - (omega dt)^2 / 4) is conserved: |v| <= 1
  CHECK(largest(2.01, 1000) > 1e10);
  double most = 0;
  for (int n = 1; n < 700; ++n) {
    const auto [x, v] = oscillate<VelocityVerlet>(0.1 / kOmega, n);
    most = std::max(most, std::abs(v * v + kOmega * kOmega * x * x - 1));
  }
  CHECK(most == Approx(0.01 / 4).epsilon(0.01));  // next order
}

TEST_CASE("damped relaxation: dashpots see half a step, so that both methods are of first order") {
  // v' = -2 v from v = 1, to 1 s.
  const auto error = [](Integrator& method, double dt) {
    Stage stage(2);
    stage.add(moving({1, 0, 0}));
    Field field(stage.world, [](const World& w, std::size_t i) {
      return Wrench{-4 * w.velocity.read()[i], Vec3::Zero()};
    });
    stage.run(method, field, dt, static_cast<int>(std::lround(1 / dt)));
    return stage.world.velocity.read()[0][0] - std::exp(-2.0);
  };
  const auto ratio = [&]<class Method>(Method) {
    Method coarse, fine;
    return error(coarse, 1e-3) / error(fine, 5e-4);
  };
  CHECK(ratio(SymplecticEuler{}) == Approx(2).epsilon(0.01));
  CHECK(ratio(VelocityVerlet{}) == Approx(2).epsilon(0.01));
}

TEST_CASE("springs of friction grow by the velocity of half the step: Verlet is of second order, Euler of first") {
  const auto error = [](Integrator& method, double dt) {
    Stage stage(2);
    stage.add(moving({1, 0, 0}));
    FrictionSpring mechanics(stage.world);
    stage.run(method, mechanics, dt, static_cast<int>(std::lround(3 / dt)));
    return stage.world.position.read()[0][0] - std::sin(3.0);
  };
  const auto ratio = [&]<class Method>(Method) {
    Method coarse, fine;
    return error(coarse, 0.01) / error(fine, 0.005);
  };
  CHECK(ratio(VelocityVerlet{}) == Approx(4).epsilon(0.05));  // the next order in dt
  CHECK(ratio(SymplecticEuler{}) == Approx(2).epsilon(0.05));
}

TEST_CASE("contact onset is a kink: a bounce off a half-spring errs by 0.13 (omega dt)^2 in energy") {
  const double h = 0.0125;
  const int trials = 60;
  const auto rms = [&](double exponent) {
    double sum = 0;
    for (int k = 0; k < trials; ++k) {
      const double lead = (20 + std::fmod(k * 0.6180339887498949, 1.0)) * h;  // golden ratio: phases evenly spread
      Stage stage(2);
      BodySpec spec = moving({1, 0, 0});
      spec.position = {-lead, 0, 0};
      stage.add(spec);
      Field field(stage.world, [&](const World& w, std::size_t i) {
        const double x = w.position.read()[i][0];
        return Wrench{{x > 0 ? -2 * std::pow(x, exponent) : 0, 0, 0}, Vec3::Zero()};  // omega = 1: the mass is 2 kg
      });
      VelocityVerlet method;
      stage.run(method, field, h, static_cast<int>((lead + 5) / h));
      sum += std::pow(std::pow(stage.world.velocity.read()[0][0], 2) - 1, 2);
    }
    return std::sqrt(sum / trials);
  };
  CHECK(rms(1) / (h * h) == Approx(0.13).epsilon(0.1));  // 60 phases
  CHECK(rms(1.5) == Approx(8e-7).epsilon(0.1));          // a force as of spheres is smoother
}

TEST_CASE("free fall: exact discrete parabola of each method") {
  const double g = -9.81, dt = 0.01, t = 1;
  const int n = 100;
  const ForceField gravity = [g](const World& w, std::size_t i) {
    return Wrench{{0, g * w.mass.read()[i], 0}, Vec3::Zero()};
  };
  for (const bool verlet : {false, true}) {
    Stage stage(2);
    stage.add(moving({1, 2, 0}));
    Field field(stage.world, gravity);
    SymplecticEuler euler;
    VelocityVerlet velocity_verlet;
    stage.run(verlet ? static_cast<Integrator&>(velocity_verlet) : euler, field, dt, n);
    const double fall = verlet ? g * t * t / 2 : g * dt * dt * n * (n + 1) / 2;
    CHECK(stage.world.position.read()[0][0] == Approx(1).epsilon(1e-13));  // rounding of 100 additions
    CHECK(stage.world.position.read()[0][1] == Approx(2 + fall).epsilon(1e-13));
    CHECK(stage.world.velocity.read()[0][1] == Approx(2 + g * t).epsilon(1e-13));
  }
}

TEST_CASE("free spin in the plane is exact, constant torque gives the discrete parabola") {
  Stage stage(2);
  BodySpec spec;
  spec.angular_velocity = {0, 0, 0.5};
  stage.add(spec);
  const ForceField torque = [](const World&, std::size_t) { return Wrench{Vec3::Zero(), {0, 0, 14}}; };
  Field field(stage.world, torque);  // alpha = 14 / 7
  VelocityVerlet verlet;
  stage.run(verlet, field, 0.01, 100);
  const Quat q = stage.world.orientation.read()[0];
  CHECK(2 * std::atan2(q.z(), q.w()) == Approx(0.5 + 1).epsilon(1e-13));  // rounding
  CHECK(stage.world.angular_velocity.read()[0][2] == Approx(0.5 + 2).epsilon(1e-13));
}

TEST_CASE("free top in space keeps angular momentum to 1e-12 with either method") {
  SymplecticEuler euler;
  VelocityVerlet verlet;
  for (Integrator* method : {static_cast<Integrator*>(&euler), static_cast<Integrator*>(&verlet)}) {
    Stage stage(3);
    BodySpec spec;
    spec.angular_velocity = {1, -2, 3};
    stage.add(spec);
    Field field(stage.world, [](const World&, std::size_t) { return Wrench{}; });
    const Vec3 before = totals(stage.world, Vec3::Zero()).angular_momentum;
    stage.run(*method, field, 1e-3, 5000);
    const Vec3 after = totals(stage.world, Vec3::Zero()).angular_momentum;
    CHECK((after - before).norm() < 1e-12 * before.norm());  // rounding of 5000 steps
    CHECK((stage.world.angular_velocity.read()[0] - spec.angular_velocity).norm() > 0.01);
  }
}

TEST_CASE("fixed bodies stay, prescribed bodies are where their motion says, members follow their owner") {
  SymplecticEuler euler;
  check_bodies_that_are_not_free(euler);
}

TEST_CASE(
    "while forces are evaluated walls have the velocity of half the step, as free bodies do, after it that of now") {
  Stage stage(2);
  BodySpec wall;
  wall.kind = BodyKind::prescribed;
  wall.motions = {Motion{}};
  wall.motions[0].amplitude = {0.2, 0, 0};
  wall.motions[0].frequency = 1.5;
  stage.add(wall);
  constexpr double w = 2 * std::numbers::pi * 1.5, dt = 0.03;
  std::vector<double> seen;
  Field field(stage.world, [&](const World& world, std::size_t) {
    seen.push_back(world.velocity.read()[0].x());
    return Wrench{};
  });
  VelocityVerlet verlet;
  for (int n = 0; n < 20; ++n) {
    stage.run(verlet, field, dt, 1);
    CHECK(seen.back() == Approx(0.2 * w * std::cos(w * (n + 0.5) * dt)).margin(1e-12));
    CHECK(stage.world.velocity.read()[0].x() == Approx(0.2 * w * std::cos(w * (n + 1) * dt)).margin(1e-12));
    CHECK(stage.world.position.read()[0].x() == Approx(0.2 * std::sin(w * (n + 1) * dt)).margin(1e-12));
  }
  CHECK(seen.size() == 21);  // once more before the first step
}

TEST_CASE("one evaluation and one commit per step, Verlet adds one before the first step and after an edit") {
  Stage stage(2);
  stage.add(moving({1, 0, 0}));
  Field field(stage.world, spring);
  VelocityVerlet verlet;
  stage.run(verlet, field, 0.01, 10);
  CHECK(field.evaluations == 11);
  CHECK(field.commits == 10);
  verlet.edited(stage.world, EditLog{});
  stage.run(verlet, field, 0.01, 1);
  CHECK(field.evaluations == 12);
  EditLog edits;
  edits.added = {stage.add(moving({0, 1, 0}))};
  verlet.edited(stage.world, edits);
  stage.run(verlet, field, 0.01, 2);
  CHECK(field.evaluations == 15);
  CHECK(field.commits == 13);
}

TEST_CASE("a new Verlet object that finds the columns of an old one goes on with the same bits") {
  const auto state_after = [](bool change) {
    Stage stage(2);
    stage.add(moving({1, 0, 0}));
    Field field(stage.world, spring);
    VelocityVerlet first, second;
    stage.run(first, field, 0.01, 7);
    stage.run(change ? second : first, field, 0.01, 7);
    return state_hash(stage.world);
  };
  CHECK(state_after(true) == state_after(false));
}
