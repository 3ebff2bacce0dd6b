// Springs that unload more steeply than they load, the circle in which spheres cross, and the law made of them.

#include "plastic_force.hpp"

#include <numbers>
#include <random>

#include "batch_test.hpp"
#include "catch.hpp"
#include "termed_law.hpp"

using namespace scree;
using namespace scree::compliant;
using namespace scree::compliant::test;

namespace {

constexpr double kLoading = 1000;  // k1
const Plasticity kWalton{4, 0, 1}, kLuding{4, 700, 1}, kFifth{4, 5e14, 5};

/// A contact of one spring that is led along overlaps.
template <class Power>
struct Led {
  Plasticity plasticity;
  double depth = 0, largest = 0, work = 0;  ///< work: what the path has put in [J]
  double force = 0;

  double energy() const { return plastic_energy<Power>(plasticity, kLoading, depth, largest); }
  /// Goes there in small steps; the force is integrated by Simpson's rule.
  void go(double to, int steps) {
    const double from = depth;
    for (int k = 1; k <= steps; ++k) {
      const double last = force, middle = from + (to - from) * (k - 0.5) / steps, end = from + (to - from) * k / steps;
      const PlasticForce half = at(middle);
      largest = half.largest;
      const PlasticForce now = at(end);
      work += (end - depth) * (last + 4 * half.force + now.force) / 6;
      depth = end, largest = end > 0 ? now.largest : 0, force = now.force;
    }
  }
  PlasticForce at(double d) const { return plastic_force<Power>(plasticity, kLoading, d, largest); }
};

/// Restitution of a bounce of unit mass, velocity Verlet.
template <class Power>
double bounce(const Plasticity& p, double speed) {
  double d = 0, rate = speed, largest = 0, force = 0;
  const double dt = 2e-6;
  do {
    rate -= dt / 2 * force, d += dt * rate;
    const PlasticForce now = plastic_force<Power>(p, kLoading, larger(0.0, d), largest);
    force = now.force, largest = now.largest;
    rate -= dt / 2 * force;
  } while (d > 0);
  return -rate / speed;
}

template <class Power>
void cycles_take_energy(const Plasticity& p) {
  const double unit = 1e-3;
  Led<Power> led{p};
  double last = 0;
  for (const double to : {1.0, 0.0, 0.5, 0.0, 2.0, 0.7, 1.9, 0.0}) {
    led.go(to * unit, 4000);
    if (to > 0) continue;
    CHECK(led.work >= last);  // each cycle that ends at 0 took energy
    last = led.work;
    CHECK(led.energy() == 0);
    CHECK(std::abs(led.force) <= 1e-15);
  }
}

}  // namespace

TEST_CASE("a plastic spring: restitution sqrt(k1/k2) at every speed, and what a cycle takes") {
  for (const double speed : {0.01, 0.1, 3.0}) {
    CHECK(bounce<LinearPower>(kWalton, speed) == Approx(0.5).epsilon(1e-4));  // one step of 2e-6 of 0.1
    CHECK(bounce<HertzPower>(kWalton, speed) == Approx(plastic_restitution<HertzPower>(4)).epsilon(1e-3));
  }
  CHECK(plastic_restitution<LinearPower>(4) == Approx(0.5).epsilon(1e-14));
  CHECK(plastic_restitution<LinearPower>(1) == 1);
  Led<LinearPower> led{kWalton};
  led.go(1e-3, 1000);
  led.go(0, 100000);
  CHECK(led.work == Approx((1 - 0.25) * kLoading * 1e-6 / 2).epsilon(1e-6));  // the kink at dp, within one step
}

TEST_CASE("a plastic spring: closed cycles take energy, with and without adhesion") {
  cycles_take_energy<LinearPower>(kWalton);
  cycles_take_energy<LinearPower>(kLuding);
  cycles_take_energy<LinearPower>(kFifth);
  cycles_take_energy<HertzPower>(kWalton);
  cycles_take_energy<HertzPower>({4, 30, 1});
  cycles_take_energy<HertzPower>({4, 2e13, 5});
}

TEST_CASE("a plastic spring: the force is continuous, never below the branch of adhesion, and reaches it") {
  for (const Plasticity& p : {kWalton, kLuding, kFifth}) {
    Led<LinearPower> led{p};
    led.go(1e-3, 100);
    CHECK(led.force == Approx(kLoading * 1e-3).epsilon(1e-14));
    double least = 0;
    for (double d = 1e-3; d > 0; d -= 1e-6) {
      const double before = led.force, at = led.depth;
      led.go(d, 1);
      REQUIRE(std::abs(led.force - before) <=
              4 * kLoading * (at - d) + 1e-12);  // as steep as k2, here above kc x d^(x-1)
      REQUIRE(led.force >= -p.adhesion * std::pow(d, p.exponent) - 1e-15);
      least = std::min(least, led.force);
      // Loading again from here meets the same force: no jump.
      REQUIRE(std::abs(led.at(d).force - led.force) <= 1e-12);
      REQUIRE(std::abs(led.at(d * (1 + 1e-13)).force - led.force) <= 1e-12);
    }
    // Where both lines cross, k2 (d - dp) = -kc d^x.
    if (p.adhesion == 0) CHECK(least == 0);
    if (p.exponent == 1 && p.adhesion > 0)
      CHECK(least == Approx(-700 * 4000 * 0.75e-3 / 4700).epsilon(2e-3));  // steps of 1e-6
  }
}

TEST_CASE("a plastic spring gives energy by no random path: stored energy grows by no more than the work") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(0, 2e-3), chance(0, 1);
  const auto walk = [&](auto power, const Plasticity& p) {
    using Power = decltype(power);
    for (int path = 0; path < 100000 / 6; ++path) {
      Led<Power> led{p};
      double stored = 0, work = 0;
      for (int move = 0; move < 5; ++move) {
        led.go(chance(random) < 0.2 ? 0 : any(random), 48);
        const double now = led.energy();
        REQUIRE(now >= -1e-18);
        // Simpson's error in the steps with a kink, below k2 h^2/4.
        REQUIRE(now - stored <= led.work - work + kLoading * 1.8e-9);
        stored = now, work = led.work;
      }
      REQUIRE(led.work >= led.energy() - kLoading * 1.8e-9);
    }
  };
  for (const Plasticity& p : {kWalton, kLuding, kFifth}) walk(LinearPower{}, p);
  for (const Plasticity& p : {kWalton, Plasticity{4, 30, 1}, Plasticity{4, 2e13, 5}}) walk(HertzPower{}, p);
}

TEST_CASE("a plastic spring: the force is the slope of the energy that it gives back") {
  const double h = 1e-9;
  for (const Plasticity& p : {kWalton, kLuding}) {
    const double largest = 1e-3;
    for (const double d : {0.72e-3, 0.8e-3, 0.95e-3}) {
      const auto energy = [&](double x) { return plastic_energy<LinearPower>(p, kLoading, x, largest); };
      const PlasticForce f = plastic_force<LinearPower>(p, kLoading, d, largest);
      if (f.largest != largest || f.force == 0) continue;
      CHECK((energy(d + h) - energy(d - h)) / (2 * h) == Approx(f.force).epsilon(1e-6).margin(1e-7));
    }
  }
}

TEST_CASE("the circle in which spheres cross has the area of the closed form, and planes too") {
  const double pi = std::numbers::pi;
  for (const double a : {1e-3, 0.4e-3})
    for (const double b : {1e-3, 5e-3})
      for (const double d : {1e-7, 1e-5, 1e-4}) {
        const double distance = a + b - d, foot = (distance * distance + a * a - b * b) / (2 * distance);
        const double radius = a * b / (a + b), area = crossing_area(radius, std::min(a, b), d);
        CHECK(area == Approx(pi * (a * a - foot * foot)).epsilon(1e-9 * a / d));  // the reference cancels
        const double h = 1e-4 * d;
        const auto volume = [&](double x) { return crossing_volume(radius, std::min(a, b), x); };
        CHECK((volume(d + h) - volume(d - h)) / (2 * h) == Approx(area).epsilon(1e-7));
      }
  CHECK(crossing_area(1e-3, 1e-3, 1e-5) == Approx(pi * (2e-8 - 1e-10)).epsilon(1e-14));
  CHECK(crossing_area(1e-3, 1e-3, 0) == 0);
}

namespace {

const Terms kPlastic{{4, 700, 1}, 0, {}, 0};

LinearLaw linear(const PullParameters& pull = {}) {
  return LinearLaw({kLoading, 0, -1}, {TangentialParameters::Model::spring, 500, 0, 0.5}, 3, {}, pull);
}

}  // namespace

TEST_CASE("plasticity in the law: the largest overlap is kept behind the spring, friction holds while it sticks") {
  const TermedLaw<LinearLaw> law(linear(), kPlastic);
  REQUIRE(law.history_size() == 4);
  CHECK_FALSE(law.needs().history_in_place);
  CHECK(law.face("potential/1") == nullptr);
  Batch batch(1, 4);
  const auto at = [&](double d) {
    batch.overlap[0] = d;
    batch.evaluate(law);
    return batch.force[0][0];
  };
  CHECK(at(1e-3) == Approx(1).epsilon(1e-14));
  CHECK(batch.history[3][0] == 1e-3);
  CHECK(batch.energy[0] == Approx(kLoading * 1e-6 / 2 / 4).epsilon(1e-12));  // what unloading gives back
  CHECK(at(0.9e-3) == Approx(4000 * (0.9e-3 - 0.75e-3)).epsilon(1e-12));
  CHECK(batch.history[3][0] == 1e-3);
  // Pulled to -0.2 N, where the branch allows -0.49: friction up to 0.5 (0.29 N).
  batch.set(batch.velocity, 0, {0, 100, 0});
  CHECK(at(0.7e-3) == Approx(-0.2).epsilon(1e-12));
  CHECK(batch.force[1][0] == Approx(-0.5 * 0.29).epsilon(1e-12));
  batch.set(batch.velocity, 0, {0, 0, 0});
  CHECK(at(0.1e-3) == Approx(-0.07).epsilon(1e-12));
  CHECK(batch.history[3][0] == Approx((4000 + 700) * 0.1e-3 / 3000).epsilon(1e-12));
  CHECK(at(-1e-5) == 0);
  CHECK(batch.history[3][0] == 0);
  CHECK(batch.energy[0] == 0);
}

TEST_CASE("plasticity in the law: the dashpot does not pull, and pulls come on top") {
  const LinearLaw damped({kLoading, 2, -1}, {}, 3);
  const TermedLaw<LinearLaw> law(damped, kPlastic);
  Batch batch(1, law.history_size());
  batch.overlap[0] = 1e-3;
  batch.evaluate(law);
  for (const auto& [d, speed, force] : {std::tuple{1e-3, 0.1, 0.8}, {1e-3, 100.0, 0.0}, {0.7e-3, 100.0, -0.2}}) {
    Batch then = batch;
    then.overlap[0] = d;
    then.set(then.velocity, 0, {speed, 0, 0});
    then.evaluate(law);
    CHECK(then.force[0][0] == Approx(force).epsilon(1e-12).margin(1e-15));
  }
  const Terms crossing{{}, 1e5, {}, 0};
  const TermedLaw<LinearLaw> pulls(linear({0.01, 0}), crossing);
  CHECK(pulls.body_inputs().size() == 1);
  CHECK(pulls.needs().radius);
  Batch pulled(1, pulls.history_size());
  pulled.overlap[0] = 1e-5, pulled.radius[0] = 0.5e-3;
  const double size = 1e-3;
  ContactColumns c = pulled.view();
  c.of_a[0] = c.of_b[0] = &size;
  const double* last[4] = {};
  double* now[4] = {};
  for (int k = 0; k < 3; ++k) last[k] = now[k] = pulled.history[k].data();
  pulls.force(c, last, now, {{pulled.force[0].data(), pulled.force[1].data(), pulled.force[2].data()}, {}});
  CHECK(pulled.force[0][0] == Approx(0.01 - 0.01 - 1e5 * std::numbers::pi * (1e-8 - 0.25e-10)).epsilon(1e-12));
}

TEST_CASE("plasticity in the law: stiffness and duration are those of unloading") {
  const TermedLaw<LinearLaw> law(linear(), kPlastic);
  CHECK(law.rates(1e-3, 1e-3).stiffness == 4 * kLoading);
  CHECK(law.rates(1e-3, 1e-3).tangential_stiffness == 500);
  CHECK(law.contact_duration(1e-3, 1e-3) == Approx(linear_duration(4 * kLoading, 1e-3)).epsilon(1e-14));
  const HertzMindlinLaw hertz({{1e7, 4e6}, 0.3, 0.5, 1.0, 0.7}, 3);
  const TermedLaw<HertzMindlinLaw> plastic(hertz, kPlastic);
  CHECK(plastic.rates(1e-3, 1e-3).stiffness == 4 * hertz.rates(1e-3, 1e-3).stiffness);
  // Against the force: dF/dd of unloading at the depth of a typical impact.
  const double depth = hertz_depth(1e7, 1e-3, 1e-3, 0.7), h = 1e-4 * depth;
  const auto force = [&](double d) {
    Batch batch(1, plastic.history_size());
    batch.radius[0] = 1e-3, batch.overlap[0] = depth;
    batch.evaluate(plastic);
    batch.overlap[0] = d;
    batch.evaluate(plastic);
    return batch.force[0][0];
  };
  CHECK((force(depth - 2 * h) - force(depth)) / (-2 * h) ==
        Approx(plastic.rates(1e-3, 1e-3).stiffness).epsilon(1e-3));  // one-sided difference
}
