// Integrators in scenes against what they must do to an oscillator, to a dashpot and to the kink where a contact
// begins.

#include <cmath>
#include <numbers>

#include "file_scene.hpp"
#include "one_thread.hpp"

namespace scree::test::integrators_test {

namespace {

constexpr double kR = 0.01, kMass = 2500 * 4.0 / 3 * std::numbers::pi * kR * kR * kR;

/// A ball between two springs, let go from rest off the middle.
class HeldBall {
 public:
  static constexpr double kSpring = 1e5, kStart = 1e-5;  // N/m, m: a tenth of what the ball is pressed in
  static inline const double kOmega = std::sqrt(2 * kSpring / kMass);

  /// \param step  omega dt \param damping  ratio of both dashpots together
  HeldBall(const std::string& integrator, double step, double damping = 0)
      : run_("held_ball",
             {"/run/accept_long_dt=true", fmt::format("/integrator={{{}, \"dt\": {}}}", integrator, step / kOmega),
              fmt::format("/interactions/0/law/normal_damping={}", damping * std::sqrt(2 * kSpring * kMass))}) {}
  void steps(int n) { run_.steps(static_cast<std::uint64_t>(n)); }
  double x() { return run_.position(0).z() / kStart; }
  double v() { return run_.velocity(0).z() / (kStart * kOmega); }
  double energy_error() { return x() * x() + v() * v() - 1; }

 private:
  FileScene run_;
};

double after_ten_periods(const std::string& integrator, double step) {
  HeldBall ball(integrator, step);
  ball.steps(static_cast<int>(std::lround(20 * std::numbers::pi / step)));
  return ball.energy_error();
}

const std::string kEuler = R"("type": "symplectic-euler")", kVerlet = R"("type": "velocity-verlet")",
                  kRk4 = R"("type": "rk4")";
/// \param dashpots  whether forces depend on velocity
std::string gear(int values, bool dashpots) {
  return fmt::format(R"("type": "gear", "values": {}, "velocity_forces": {})", values, dashpots);
}

/// Place of a damped oscillator of unit frequency, from rest at 1.
double relaxed(double ratio, double t) {
  if (ratio < 1) {
    const double w = std::sqrt(1 - ratio * ratio);
    return std::exp(-ratio * t) * (std::cos(w * t) + ratio / w * std::sin(w * t));
  }
  const double root = std::sqrt(ratio * ratio - 1), slow = ratio - root, fast = ratio + root;
  return (fast * std::exp(-slow * t) - slow * std::exp(-fast * t)) / (2 * root);
}

double relaxation_error(const std::string& integrator, double step, double ratio) {
  HeldBall ball(integrator, step, ratio);
  const double t = 2;
  ball.steps(static_cast<int>(std::lround(t / step)));
  return ball.x() - relaxed(ratio, t);
}

/// Root mean square, over 60 phases of the step, of the relative energy error of one impact on a floor of energy
/// ~ overlap^p. \param step  omega dt, omega the frequency where p = 2; in units of length and time in which force,
/// mass and speed are 1
double impact_error(const std::string& integrator, double step, double p) {
  const double speed = 0.1, time = 8e-5, length = speed * time,
               stiffness = kMass / (time * time * std::pow(length, p - 2));
  const int phases = 60;
  std::string places;
  for (int k = 0; k < phases; ++k)
    places += fmt::format(R"({}{{"position": [{}, 0, {:.17g}]}})", k ? ", " : "", 0.03 * k,
                          kR + (20 + (k + 0.5) / phases) * step * length);
  FileScene run("impact_row", {fmt::format("/integrator={{{}, \"dt\": {}}}", integrator, step * time),
                               fmt::format("/bodies/1/packing/places=[{}]", places),
                               fmt::format("/interactions/0/law/stiffness={}", stiffness),
                               fmt::format("/interactions/0/law/exponent={}", p)});
  run.steps(static_cast<std::uint64_t>(41 + 5 / step));  // a contact lasts pi, at most 3.5 for the exponents here
  REQUIRE(mechanics_of(run.prepared).pipeline().counts().contacts == 0);
  double sum = 0;
  for (int k = 0; k < phases; ++k) {
    const double v = run.velocity(1 + static_cast<Id>(k)).z() / speed;
    CHECK(v > 0.99);
    sum += std::pow(v * v - 1, 2);
  }
  return std::sqrt(sum / phases);
}

}  // namespace

TEST_CASE("a ball between two springs: energy errors of every integrator after ten periods") {
  // Made with independent code to two digits, for derivatives 3 and 4 that start at zero: 10 %.
  compare("oscillator, gear 4, 0.1", "energy error", -5.2e-5, after_ten_periods(gear(4, false), 0.1), 0.1);
  compare("oscillator, gear 5, 0.1", "energy error", 4.7e-5, after_ten_periods(gear(5, false), 0.1), 0.1);
  compare("oscillator, gear 5, 0.05", "energy error", 1.47e-6, after_ten_periods(gear(5, false), 0.05), 0.1);
  compare("oscillator, rk4, 0.1", "energy error", -8.7e-6, after_ten_periods(kRk4, 0.1), 0.1);
  for (const auto& [name, integrator] : {std::pair{"gear 5", gear(5, false)}, {"rk4", kRk4}})
    compare(fmt::format("oscillator, {}", name), "gain by halving dt", 32,
            after_ten_periods(integrator, 0.04) / after_ten_periods(integrator, 0.02), 0.05);  // the next order in dt
  // What stays is x^2 (1 - h^2/4) + v^2 of Verlet's, x^2 + v^2 - h x v of Euler's.
  const double h = 0.1;
  for (const auto& [name, integrator, expected] :
       {std::tuple{"verlet", kVerlet, h * h / 4}, {"euler", kEuler, h / (2 - h)}}) {
    HeldBall ball(integrator, h);
    double most = 0;
    for (int n = 0; n < 628; ++n) ball.steps(1), most = std::max(most, std::abs(ball.energy_error()));
    compare(fmt::format("oscillator, {}, 0.1", name), "largest energy error", expected, most, 1e-3);
  }
}

TEST_CASE("a ball between two springs: Verlet is stable for omega dt < 2 and not beyond") {
  for (const double step : {1.99, 2.01}) {
    HeldBall ball(kVerlet, step);
    double most = 0;
    for (int n = 0; n < 100; ++n) ball.steps(1), most = std::max(most, std::abs(ball.x()));
    INFO(step << ": " << most);
    if (step < 2)
      CHECK(most < 1 + 1e-9);  // x^2 (1 - h^2/4) + v^2 stays
    else
      CHECK(most > 10);  // cosh(0.2 n), until the ball leaves a wall
  }
}

TEST_CASE("a ball between two dashpots relaxes as in closed form, each integrator with its order") {
  struct Case {
    const char* name;
    std::string integrator;
    double error, gain;  ///< gate of the error in units of the start, least gain by halving dt
  };
  // Euler's and Verlet's dashpots see the velocity of the beginning or of the middle of a step, Gear's derivatives
  // start at zero.
  const Case cases[] = {{"euler", kEuler, 5e-3, 2},
                        {"verlet", kVerlet, 1.5e-3, 2},
                        {"rk4", kRk4, 1e-11, 16},
                        {"gear 5", gear(5, true), 1e-5, 4}};
  for (const Case& c : cases)
    for (const double ratio : {0.3, 2.0}) {
      const double coarse = relaxation_error(c.integrator, 0.02, ratio),
                   fine = relaxation_error(c.integrator, 0.01, ratio);
      const std::string name = fmt::format("relaxation, {}, ratio {}", c.name, ratio);
      compare(name, "x - closed form [x0]", 0, fine, c.error);
      if (c.gain < 16)
        compare(name, "gain by halving dt", c.gain, coarse / fine, 0.01);
      else
        CHECK(coarse / fine > 0.99 * c.gain);  // 21.6 and 16.5: errors of the next order count
    }
}

TEST_CASE("contact begins with a kink: rms of the energy error of an impact, for each integrator and power") {
  const OneThread quick;
  const double step = 0.0125;
  // Made with independent code: 0.13 and 0.05 (omega dt)^2 for p = 2, one digit for the others.
  const double spring = 0.13 * step * step;
  for (const auto& [name, integrator] : {std::pair{"verlet", kVerlet}, {"gear 5", gear(5, false)}}) {
    compare(fmt::format("kink, {}, p = 2", name), "rms energy error", spring, impact_error(integrator, step, 2), 0.1);
    compare(fmt::format("kink, {}, p = 2.5", name), "rms energy error", 8e-7, impact_error(integrator, step, 2.5), 0.1);
    compare(fmt::format("kink, {}, p = 3", name), "rms energy error", 7e-8, impact_error(integrator, step, 3), 0.1);
  }
  compare("kink, rk4, p = 2", "rms energy error", 0.05 * step * step, impact_error(kRk4, step, 2), 0.1);
  compare("kink, rk4, p = 2.5", "rms energy error", 3e-7, impact_error(kRk4, step, 2.5), 0.15);
  compare("kink, rk4, p = 3", "rms energy error", 3e-8, impact_error(kRk4, step, 3), 0.2);
  compare("kink, verlet, p = 2", "gain by halving dt", 4,
          impact_error(kVerlet, step, 2) / impact_error(kVerlet, step / 2, 2), 0.1);
}

}  // namespace scree::test::integrators_test
