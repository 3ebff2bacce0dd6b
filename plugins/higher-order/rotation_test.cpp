#include "rotation_vector.hpp"

#include <cmath>
#include <memory>

#include "catch.hpp"
#include "force_field.hpp"
#include "methods_test.hpp"

using namespace scree;
using namespace scree::higher_order;
using namespace scree::higher_order::test;
using namespace scree::test;

namespace {

/// A body of moments 2, 3, 7, turning, under a torque that depends on its orientation, after 1 s.
struct Spin {
  Spin(Method method, double dt, int dimension, const Vec3& omega, const ForceField& torque) : stage(dimension) {
    BodySpec spec;
    spec.angular_velocity = omega;
    stage.add(spec);
    before = totals(stage.world, Vec3::Zero());
    Field field(stage.world, torque);
    stage.run(*method, field, dt, static_cast<int>(std::lround(1 / dt)));
    after = totals(stage.world, Vec3::Zero());
  }
  Quat q() const { return stage.world.orientation.read()[0]; }
  Vec3 omega() const { return stage.world.angular_velocity.read()[0]; }
  Stage stage;
  Totals before, after;
};

Wrench no_force(const World&, std::size_t) { return {}; }

/// A weight that grows as 50 t^4 N at a point 0.4 m off the centre of mass. It begins so smoothly that Gear's
/// derivatives, which start at zero, are right.
Wrench weight(const World& world, std::size_t i) {
  const Vec3 arm = world.orientation.read()[i] * Vec3(0.3, 0, 0.26);
  return {Vec3::Zero(), arm.cross(Vec3(0, 0, -50 * std::pow(world.trial_time(), 4)))};
}

/// Returns the ratio by which the orientations of three runs approach each other as dt is halved, and halved again.
double contraction(Method (*make)(int), int values, double dt) {
  const auto at = [&](double step) { return Spin(make(values), step, 3, {1, -2, 3}, weight).q(); };
  const Quat coarse = at(dt), middle = at(dt / 2), fine = at(dt / 4);
  return rotation_vector_between<double>(coarse, middle).norm() / rotation_vector_between<double>(middle, fine).norm();
}

}  // namespace

TEST_CASE("the rotation vector between two orientations turns the one into the other, the short way") {
  const Quat from(Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized()));
  for (const double angle : {0.0, 1e-9, 0.4, 3.1}) {
    const Vec3 theta = angle * Vec3(2, -1, 2) / 3;
    const Quat to = turned_by<double>(from, theta);
    CHECK((rotation_vector_between<double>(from, to) - theta).norm() < 1e-14);  // rounding
    CHECK((rotation_vector_between<double>(from, Quat(-to.w(), -to.x(), -to.y(), -to.z())) - theta).norm() < 1e-14);
  }
}

TEST_CASE("the rate of the rotation vector is its finite difference") {
  const Vec3 theta(0.02, -0.03, 0.01), omega(1, 2, -3);
  const Quat q0(Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized())), q = turned_by<double>(q0, theta);
  const double h = 1e-5;
  const Vec3 ahead = rotation_vector_between<double>(q0, turned<double>(q, omega, h));
  const Vec3 behind = rotation_vector_between<double>(q0, turned<double>(q, omega, -h));
  // h^2 and the series' next term, |theta|^4 |omega| / 720.
  CHECK((rotation_vector_rate<double>(theta, omega) - (ahead - behind) / (2 * h)).norm() < 1e-8);
}

TEST_CASE("in the plane, free spin and constant torque are exact") {
  const auto torque = [](const World&, std::size_t) { return Wrench{Vec3::Zero(), {0, 0, 14}}; };  // alpha = 14 / 7
  for (Method* method :
       {new Method(rk4()), new Method(gear(4, true)), new Method(gear(5, true)), new Method(gear(6, true))}) {
    const Spin spin(std::move(*method), 0.01, 2, {0, 0, 0.5}, torque);
    CHECK(2 * std::atan2(spin.q().z(), spin.q().w()) == Approx(0.5 + 1).epsilon(1e-13));  // rounding
    CHECK(spin.omega()[2] == Approx(0.5 + 2).epsilon(1e-13));
    delete method;
  }
}

TEST_CASE("a free top keeps angular momentum to 1e-12, halving dt divides its energy error by 32") {
  const auto check = [](auto&& make) {
    const auto energy_error = [&](double dt) {
      const Spin top(make(), dt, 3, {1, -2, 3}, no_force);
      CHECK((top.after.angular_momentum - top.before.angular_momentum).norm() <
            1e-12 * top.before.angular_momentum.norm());
      return std::abs(top.after.kinetic() / top.before.kinetic() - 1);
    };
    const double coarse = energy_error(0.02), fine = energy_error(0.01);
    INFO(coarse << " " << fine);
    CHECK(coarse / fine == Approx(32).epsilon(0.05));  // the next order in dt
    CHECK(fine < 3e-8);
  };
  check(rk4);
  check([] { return gear(4, true); });
  check([] { return gear(5, true); });
  check([] { return gear(6, true); });
}

TEST_CASE("a free sphere turns exactly") {
  for (const bool by_gear : {false, true}) {
    Stage stage(3, {3, 3, 3});
    BodySpec spec;
    spec.angular_velocity = {1, -2, 3};
    stage.add(spec);
    Field field(stage.world, no_force);
    const Method method = by_gear ? gear(5, true) : rk4();
    stage.run(*method, field, 0.1, 100);
    const Quat exact(Eigen::AngleAxisd(spec.angular_velocity.norm() * 10, spec.angular_velocity.normalized()));
    CHECK(rotation_vector_between<double>(exact, stage.world.orientation.read()[0]).norm() < 1e-13);  // rounding
  }
}

TEST_CASE("a driven asymmetric top: halving dt divides the error of its orientation by 16") {
  const double by_rk4 = contraction([](int) { return rk4(); }, 0, 0.01);
  CHECK(by_rk4 == Approx(16).epsilon(0.1));
  for (const int values : {4, 5, 6})
    CHECK(contraction([](int n) { return gear(n, true); }, values, 0.01) == Approx(16).epsilon(0.1));
}
