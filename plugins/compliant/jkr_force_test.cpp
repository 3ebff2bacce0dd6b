#include "jkr_force.hpp"

#include <random>

#include "catch.hpp"

using namespace scree::compliant;

namespace {

constexpr double kModulus = 1e7, kAdhesion = 0.05, kRadius = 1e-3, kPi = std::numbers::pi;

NormalContact<double> at(double overlap, bool made = true) {
  return jkr_contact(kModulus, kAdhesion, 0.0, 1e-6, kRadius, overlap, 0.0, made);
}

}  // namespace

TEST_CASE("inverse cube root to rounding, over all sizes that meshes and grains have") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-60, 30);
  for (int i = 0; i < 10000; ++i) {
    const double x = std::pow(10.0, exponent(random));
    REQUIRE(inverse_cube_root(x) == Approx(1 / std::cbrt(x)).epsilon(1e-15));  // Newton's last step rounds
  }
}

TEST_CASE("the JKR contact radius satisfies the relation of overlap and radius") {
  const double neck = jkr_neck(kModulus, kAdhesion, kRadius);
  for (double d = -neck * (1 - 1e-12); d < 1e-4; d += neck / 7) {
    const double a = at(d).radius, f = at(d).force;
    REQUIRE(a > 0);
    const double overlap = a * a / kRadius - std::sqrt(2 * kPi * kAdhesion * a / kModulus);
    REQUIRE(overlap == Approx(d).margin(1e-12 * neck + 1e-14 * d));  // Newton to rounding
    const double force =
        4 * kModulus * a * a * a / (3 * kRadius) - std::sqrt(8 * kPi * kAdhesion * kModulus * a * a * a);
    REQUIRE(f == Approx(force).margin(1e-12 * jkr_pull_off(kAdhesion, kRadius)).epsilon(1e-12));
  }
}

TEST_CASE("pulled apart slowly: JKR pulls 3/2 pi w R at most, and the neck breaks at -3 a^2/R with 5/9 of it") {
  const double pull_off = 1.5 * kPi * kAdhesion * kRadius, neck = jkr_neck(kModulus, kAdhesion, kRadius);
  double largest = 0, last = 0, broken = 0;
  bool made = true;
  for (double d = 1e-6; d > -2 * neck; d -= neck / 10000) {
    const NormalContact<double> c = at(d, made);
    if (made && !(c.radius > 0)) broken = d;
    made = c.radius > 0;
    if (made) last = c.force;
    largest = std::max(largest, -c.force);
  }
  CHECK(largest == Approx(pull_off).epsilon(1e-6));        // the verified value, asked to 1e-4; flat maximum
  CHECK(-last == Approx(pull_off * 5 / 9).epsilon(2e-2));  // square root of a step of 1e-4 necks
  CHECK(broken == Approx(-neck).epsilon(2e-4));
  CHECK(at(0, true).force == Approx(-pull_off * 8 / 9).epsilon(1e-12));  // Johnson 1985, section 5.5: a made contact
}

TEST_CASE("a JKR contact is made by touching, not by coming near") {
  const double neck = jkr_neck(kModulus, kAdhesion, kRadius);
  CHECK(at(-neck / 2, false).force == 0);
  CHECK(at(-neck / 2, false).radius == 0);
  CHECK(at(1e-12, false).force < 0);
  CHECK(at(-neck / 2, true).force < 0);
  CHECK(at(-1.001 * neck, true).force == 0);
  CHECK(at(-5 * neck, true).load == 0);
}

TEST_CASE("without adhesion JKR is Hertz") {
  for (const double d : {1e-6, 1e-5, 1e-4}) {
    const auto soft = jkr_contact(kModulus, 1e-12, 0.2, 1e-6, kRadius, d, -0.1, false);
    const auto hertz = hertz_contact(kModulus, 0.2, 1e-6, kRadius, d, -0.1);
    CHECK(soft.force == Approx(hertz.force).epsilon(1e-5));  // sqrt(w)
    CHECK(soft.damping == Approx(hertz.damping).epsilon(1e-5));
  }
}

TEST_CASE("JKR: the gradient of the energy is the force, on both sides of zero overlap") {
  const double neck = jkr_neck(kModulus, kAdhesion, kRadius), h = 1e-5 * neck;
  const auto energy = [](double d) { return jkr_energy(kModulus, kAdhesion, kRadius, d); };
  for (const double d : {-0.9 * neck, -0.5 * neck, 0.0, neck, 20 * neck})
    CHECK((energy(d + h) - energy(d - h)) / (2 * h) ==
          Approx(at(d).force).margin(1e-6 * jkr_pull_off(kAdhesion, kRadius)).epsilon(1e-6));  // central difference
}

TEST_CASE("damping never makes JKR pull more than the pull-off force") {
  for (const double speed : {0.1, 10.0, 1e3}) {
    const auto c = jkr_contact(kModulus, kAdhesion, 0.5, 1e-6, kRadius, 1e-6, speed, true);
    CHECK(c.force >= -jkr_pull_off(kAdhesion, kRadius) * (1 + 1e-15));
    CHECK(c.load >= 0);
  }
}
