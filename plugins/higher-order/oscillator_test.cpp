#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>

#include "catch.hpp"
#include "force_field.hpp"
#include "methods_test.hpp"

using namespace scree;
using namespace scree::higher_order;
using namespace scree::higher_order::test;
using namespace scree::test;

namespace {

struct State {
  double x, v;
};

/// A body of 2 kg from rest at x = 1 under acceleration(t, x, v), after about `duration` in whole steps.
template <class Acceleration>
State travel(Method method, double dt, double duration, Acceleration&& acceleration, State start = {1, 0}) {
  Stage stage(2);
  BodySpec spec = moving({start.v, 0, 0});
  spec.position = {start.x, 0, 0};
  stage.add(spec);
  Field field(stage.world, [&](const World& w, std::size_t i) {
    const double a = acceleration(w.trial_time(), w.position.read()[i][0], w.velocity.read()[i][0]);
    return Wrench{{w.mass.read()[i] * a, 0, 0}, Vec3::Zero()};
  });
  stage.run(*method, field, dt, static_cast<int>(std::lround(duration / dt)));
  return {stage.world.position.read()[0][0], stage.world.velocity.read()[0][0]};
}

/// Relative energy error of x'' = -x after ten periods.
double energy_error(Method method, double dt) {
  const State end = travel(std::move(method), dt, 20 * std::numbers::pi, [](double, double x, double) { return -x; });
  return end.x * end.x + end.v * end.v - 1;
}

}  // namespace

TEST_CASE("Taylor's series of a polynomial is exact, derivative by derivative") {
  // x = t^3 - 2 t at t = 1: values 1 and derivatives 1, 6, 6, 0.
  Derivatives<double> d;
  d.count = 5;
  const double at_one[] = {-1, 1, 6, 6, 0}, at_three[] = {21, 25, 18, 6, 0};
  for (int k = 0; k < 5; ++k) d.of[k] = Vec3(at_one[k], 0, 0);
  for (int k = 0; k < 5; ++k) CHECK(predicted<double>(d, 2).of[k][0] == at_three[k]);
}

TEST_CASE("Gear's coefficients keep polynomials: the acceleration is corrected fully") {
  for (const int values : {4, 5, 6})
    for (const bool velocity : {false, true}) {
      const auto f = corrector<double>(gear_coefficients(values, velocity), 0.1);
      CHECK(f[2] == Approx(1).epsilon(1e-15));  // h^2/2 * 2!/h^2, to rounding
      for (int k = values; k < kMostValues; ++k) CHECK(f[k] == 0);
    }
}

TEST_CASE("oscillator: energy errors after ten periods are those of the literature's schemes") {
  // Reference values made with independent code to two digits; 10 %. They are for derivatives 3, 4 that start at zero.
  CHECK(energy_error(gear(4), 0.1) == Approx(-5.2e-5).epsilon(0.1));
  CHECK(energy_error(gear(5), 0.1) == Approx(4.7e-5).epsilon(0.1));
  CHECK(energy_error(gear(5), 0.05) == Approx(1.47e-6).epsilon(0.1));
  CHECK(energy_error(rk4(), 0.1) == Approx(-8.7e-6).epsilon(0.1));
  CHECK(std::abs(energy_error(gear(6), 0.1)) < 1e-6);  // 1.9e-7
  // With c_0 for forces that depend on velocity, which tells itself by larger errors where none does.
  CHECK(energy_error(gear(5, true), 0.1) == Approx(8.35e-5).epsilon(0.1));
  CHECK(energy_error(gear(6, true), 0.1) == Approx(-1.10e-5).epsilon(0.1));
}

TEST_CASE("oscillator: halving dt divides the energy error of Gear and Runge-Kutta by 32") {
  // 5 %: the next order in dt, and steps that do not end on a full period.
  CHECK(energy_error(gear(5), 0.04) / energy_error(gear(5), 0.02) == Approx(32).epsilon(0.05));
  CHECK(energy_error(rk4(), 0.04) / energy_error(rk4(), 0.02) == Approx(32).epsilon(0.05));
}

namespace {

/// Error at 1 s of v' = -10 t^4 v, hence v = exp(-2 t^5): the force begins so smoothly that Gear's derivatives, which
/// start at zero, are right.
double drag_error(Method method, double dt) {
  const auto drag = [](double t, double, double v) { return -10 * std::pow(t, 4) * v; };
  return std::abs(travel(std::move(method), dt, 1, drag, {0, 1}).v - std::exp(-2.0));
}

/// Difference of position after 2 s between steps of dt and dt/2 on a spring that stiffens from zero as t^4.
double spring_error(const std::function<Method()>& make, double dt) {
  const auto pull = [](double t, double x, double) { return -std::pow(t, 4) * x; };
  return std::abs(travel(make(), dt, 2, pull, {0.5, 1}).x - travel(make(), dt / 2, 2, pull, {0.5, 1}).x);
}

}  // namespace

TEST_CASE("halving dt divides the error of the path by 16 for Runge-Kutta and 4 values, by 32 for 5 and 6") {
  const auto ratio = [](const std::function<Method()>& make) {
    return spring_error(make, 0.02) / spring_error(make, 0.01);
  };
  CHECK(ratio(rk4) == Approx(16).epsilon(0.1));  // the next order in dt
  CHECK(ratio([] { return gear(4); }) == Approx(16).epsilon(0.1));
  CHECK(ratio([] { return gear(5); }) == Approx(32).epsilon(0.1));
  CHECK(ratio([] { return gear(6); }) == Approx(32).epsilon(0.1));
}

TEST_CASE("damped relaxation: no half-step lag, the error falls by 16 for Runge-Kutta, by 8, 16, 32 for Gear") {
  CHECK(drag_error(rk4(), 0.02) / drag_error(rk4(), 0.01) == Approx(16).epsilon(0.2));
  const double least[] = {7, 11, 25};  // 8.5, 12.5 and 35 measured: Gear's errors change sign on the way
  for (const int values : {4, 5, 6})
    CHECK(drag_error(gear(values, true), 0.01) / drag_error(gear(values, true), 0.005) > least[values - 4]);
}

TEST_CASE("a start within a force that varies costs Gear its order: halving dt quarters the error") {
  const auto error = [](double dt) {
    const auto drag = [](double, double, double v) { return -2 * v; };
    return std::abs(travel(gear(5, true), dt, 1, drag, {0, 1}).v - std::exp(-2.0));
  };
  CHECK(error(0.02) / error(0.01) == Approx(4).epsilon(0.05));
}

TEST_CASE("Gear follows a dashpot c on mass m while c dt / m is below about 0.5, 0.3, 0.16 for 4, 5, 6 values") {
  const auto end = [](int values, double product) {
    const auto drag = [](double, double, double v) { return -v; };
    return std::abs(travel(gear(values, true), product, 1000 * product, drag, {0, 1}).v);
  };
  const double limit[] = {0.5, 0.3, 0.16};
  for (const int values : {4, 5, 6}) {
    CHECK(end(values, 0.9 * limit[values - 4]) < 1e-6);
    CHECK(end(values, 1.5 * limit[values - 4]) > 1);
  }
}

TEST_CASE("forces that vary in time are taken at the time of each evaluation") {
  // x'' = cos t from x = 1, v = 0: x = 2 - cos t.
  const auto error = [](Method method, double dt) {
    const auto push = [](double t, double, double) { return std::cos(t); };
    return std::abs(travel(std::move(method), dt, 2, push).x - (2 - std::cos(2.0)));
  };
  CHECK(error(rk4(), 0.02) / error(rk4(), 0.01) == Approx(16).epsilon(0.05));
  CHECK(error(gear(5), 0.02) / error(gear(5), 0.01) > 7);
}

namespace {

/// Root mean square, over random phases, of the relative energy error of one bounce off a half-spring of unit frequency
/// (force -x^n for x > 0). \param h  time step
double bounce_error(const std::function<Method()>& make, double h, double exponent) {
  const int trials = 60;
  double sum = 0;
  for (int k = 0; k < trials; ++k) {
    const double phase = std::fmod(k * 0.6180339887498949, 1.0);  // golden ratio: evenly spread
    const double lead = (20 + phase) * h;
    const double duration = lead + 5 + 20 * h;  // a contact lasts pi, at most 3.3 for the exponents here
    const State end =
        travel(make(), h, duration, [&](double, double x, double) { return x > 0 ? -std::pow(x, exponent) : 0.0; },
               {-lead, 1});
    sum += std::pow(end.v * end.v - 1, 2);
  }
  return std::sqrt(sum / trials);
}

}  // namespace

TEST_CASE("contact onset is a kink: the bounce errs by (omega h)^2 whatever the order") {
  // rms / (omega h)^2 of the relative energy error: 0.13 for Gear, 0.05 for Runge-Kutta; 10 %: 60 phases.
  const double h = 0.0125;
  CHECK(bounce_error([] { return gear(5); }, h, 1) / (h * h) == Approx(0.13).epsilon(0.1));
  CHECK(bounce_error(rk4, h, 1) / (h * h) == Approx(0.05).epsilon(0.1));
  // A force of power 1.5, as of spheres, is smoother.
  CHECK(bounce_error([] { return gear(5); }, h, 1.5) == Approx(8e-7).epsilon(0.1));
  CHECK(bounce_error(rk4, h, 1.5) == Approx(3e-7).epsilon(0.15));  // reference given to one digit
}
