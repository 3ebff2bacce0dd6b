// Beads in line on linear springs: Newton's cradle of three in closed form, and waves in a closed chain.

#include <cmath>
#include <complex>
#include <numbers>

#include "scenes.hpp"
#include "series.hpp"

namespace scree::test::chain_test {

namespace {

constexpr double kR = 0.01, kStiffness = 1e5, kMass = 2500 * 4.0 / 3 * std::numbers::pi * kR * kR * kR;
const double kOmega = std::sqrt(kStiffness / kMass);  // 3090 rad/s

double x_of(World& world, Id id) { return world.position.read()[*world.row(id)].x(); }
double v_of(World& world, Id id) { return world.velocity.read()[*world.row(id)].x(); }

/// Overlaps a, b of the first and the second contact, in units of v0/omega, at the phase p = omega t, both closed:
/// a + b swings with omega, a - b with sqrt(3) omega, which is the exponential of the chain's matrix.
struct Closed {
  double a, b, a_rate, b_rate;
  explicit Closed(double p) {
    const double w = std::numbers::sqrt3, s = std::sin(p), q = std::sin(w * p) / w, ds = std::cos(p),
                 dq = std::cos(w * p);
    a = (s + q) / 2, b = (s - q) / 2, a_rate = (ds + dq) / 2, b_rate = (ds - dq) / 2;
  }
};

/// Phase at which the first contact opens; the second is still closed.
double opening() {
  double low = 2, high = 3;
  for (int i = 0; i < 60; ++i) (Closed((low + high) / 2).a > 0 ? low : high) = (low + high) / 2;
  return low;
}

/// A closed chain; the amplitude of mode j is sum(u_n exp(-i q X_n)) 2/N over the displacements u_n from places X_n = n
/// d.
struct Chain {
  static constexpr int kCount = 32;
  static constexpr double kSpacing = 0.0199, kFirst = 0.00995, kAmplitude = 1e-5;  // a tenth of the overlaps
  Running run;
  double dt = run.scene.dt, q;

  /// \param rate  of a wave that travels along +x [rad/s]; 0: a wave that stands
  Chain(int mode, double rate)
      : run(slurp(std::string(SCREE_SCENES) + "/bead_chain.json")),
        q(2 * std::numbers::pi * mode / (kCount * kSpacing)) {
    World& world = run.world();
    const auto x = world.position.write(), v = world.velocity.write();
    for (Id id = 0; id < kCount; ++id) {
      const std::size_t row = *world.row(id);
      x[row].x() = kFirst + place(id) + kAmplitude * std::cos(q * place(id));
      v[row].x() = kAmplitude * rate * std::sin(q * place(id));
    }
  }

  static double place(Id id) { return kSpacing * static_cast<double>(id); }

  std::complex<double> amplitude() {
    std::complex<double> sum = 0;
    for (Id id = 0; id < kCount; ++id)
      sum += (x_of(run.world(), id) - kFirst - place(id)) * std::polar(1.0, -q * place(id));
    return sum * (2.0 / kCount);
  }

  /// Frequency of the chain, and what velocity Verlet makes of it: sin(W dt/2) = w dt/2, exactly.
  double exact() const { return 2 * kOmega * std::sin(q * kSpacing / 2); }
  double discrete() const { return 2 / dt * std::asin(exact() * dt / 2); }
};

}  // namespace

TEST_CASE("three beads in line: the matrix exponential while all touch, and closed-form velocities when they part") {
  Running run(slurp(std::string(SCREE_SCENES) + "/three_beads.json"));
  World& world = run.world();
  // Verlet errs by (omega dt)^2 = 1e-7 in phase, and as much where a contact opens between two steps.
  const double gate = 1e-6, opens = opening();
  for (const double share : {0.25, 0.5, 0.75}) {
    const double time = share * opens / kOmega;
    run.steps(static_cast<std::uint64_t>(time / run.scene.dt) - world.step);
    const Closed exact(kOmega * world.time);
    const std::string name = fmt::format("three beads, {} of contact 1", share);
    compare(name, "overlap 1 [m]", exact.a / kOmega, 2 * kR - (x_of(world, 1) - x_of(world, 0)), gate);
    compare(name, "overlap 2 [m]", exact.b / kOmega, 2 * kR - (x_of(world, 2) - x_of(world, 1)), gate);
  }
  run.steps(20000 - world.step);
  REQUIRE(mechanics_of(run.prepared).pipeline().counts().contacts == 0);
  // When the first leaves, the other two are a body on a spring of reduced mass m/2: its energy gives how they part.
  const Closed at(opens);
  const double v1 = (1 + 2 * at.a_rate + at.b_rate) / 3, mean = (1 - v1) / 2;
  const double part = std::sqrt(at.b_rate * at.b_rate + 2 * at.b * at.b);
  compare("three beads, parted", "velocity 1 [m/s]", v1, v_of(world, 0), 10 * gate);  // itself a tenth of v0
  compare("three beads, parted", "velocity 2 [m/s]", mean - part / 2, v_of(world, 1), 10 * gate);
  compare("three beads, parted", "velocity 3 [m/s]", mean + part / 2, v_of(world, 2), gate);
}

TEST_CASE("standing waves in a chain of beads: omega = 2 sqrt(k/m) sin(q d/2)") {
  for (const int mode : {1, 4, 8, 13, 16}) {
    Chain chain(mode, 0);
    const double start = chain.amplitude().real();
    double worst = 0;
    for (int sample = 1; sample <= 20; ++sample) {
      chain.run.steps(97);
      const double phase = chain.discrete() * chain.run.world().time;
      worst = std::max(worst, std::abs(chain.amplitude().real() / start - std::cos(phase)));
    }
    // Places of up to 0.6 m are rounded to 1e-16 m, a 1e-11th of the amplitude, in each of 2000 steps.
    compare(fmt::format("chain, mode {} of 32", mode), "cos(omega t)", 0, worst, 1e-8);
    // Apart from Verlet's own shift of frequency, (omega dt)^2/24 = 2e-4 at most.
    CHECK(chain.discrete() == Approx(chain.exact()).epsilon(2e-4));
  }
}

TEST_CASE("long waves travel along a chain of beads at d sqrt(k/m), short ones slower") {
  for (const int mode : {1, 8}) {
    Chain chain(mode, 2 * kOmega * std::sin(std::numbers::pi * mode / Chain::kCount));
    const double phase = 2.5;  // less than pi, so that the argument tells it
    chain.run.steps(static_cast<std::uint64_t>(phase / chain.exact() / chain.dt));
    const double speed = -std::arg(chain.amplitude()) / (chain.q * chain.run.world().time);
    const double sound = Chain::kSpacing * kOmega, half = chain.q * Chain::kSpacing / 2;
    const std::string name = fmt::format("travelling wave, mode {} of 32", mode);
    compare(name, "speed [m/s]", sound * std::sin(half) / half, speed, 1e-4);  // (omega dt)^2/24 of mode 8: 8e-5
    if (mode == 1) compare(name, "speed of sound [m/s]", sound, speed, 2e-3);  // (q d)^2/24 = 1.6e-3
  }
}

}  // namespace scree::test::chain_test
