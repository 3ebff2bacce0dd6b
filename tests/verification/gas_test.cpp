// Granular gases in a periodic box: what is conserved, and how fast inelastic collisions cool.

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "one_thread.hpp"
#include "scenes.hpp"

namespace scree::test::gas_test {

namespace {

constexpr double kDiameter = 0.01, kDensity = 2500, kFraction = 0.05;  // m, kg/m^3, volume fraction
constexpr int kSide = 10, kCount = kSide * kSide * kSide;

/// Length of the box [m] and mass of a sphere [kg].
const double kLength = kDiameter * std::cbrt(kCount * std::numbers::pi / 6 / kFraction);
const double kMass = kDensity * std::numbers::pi / 6 * kDiameter * kDiameter * kDiameter;

/// kCount frictionless spheres on a lattice with Maxwell's velocities, root mean square 1 m/s, total momentum 0.
std::string gas(double restitution, double dt) {
  std::mt19937 engine(11);
  std::normal_distribution<double> speed(0, std::sqrt(1.0 / 3));
  std::vector<Vec3> v(kCount);
  Vec3 mean = Vec3::Zero();
  for (Vec3& u : v) mean += u = {speed(engine), speed(engine), speed(engine)};
  std::string places;
  for (int i = 0; i < kCount; ++i) {
    const Vec3 x = kLength / kSide * Vec3(i % kSide, i / kSide % kSide, i / kSide / kSide), u = v[i] - mean / kCount;
    places += fmt::format("{}{{\"position\": [{}, {}, {}], \"velocity\": [{}, {}, {}]}}", i ? ", " : "", x[0], x[1],
                          x[2], u[0], u[1], u[2]);
  }
  // A contact lasts 1e-4 s, a free flight 2e-2 s.
  const double stiffness = kMass / 2 * std::pow(std::numbers::pi / 1e-4, 2);
  return fmt::format(
      R"({{"dimension": 3, "periodic": {{"x": [0, {0}], "y": [0, {0}], "z": [0, {0}]}},
"materials": {{"grain": {{"density": {1}}}}}, "shapes": {{"grain": {{"type": "sphere", "radius": {2}}}}},
"bodies": [{{"shape": "grain", "material": "grain", "packing": {{"type": "list", "places": [{3}]}}}}],
"interactions": [{{"between": ["grain", "grain"],
  "law": {{"type": "linear", "normal_stiffness": {4}, "restitution": {5}, "tangential": "none"}}}}],
"integrator": {{"type": "velocity-verlet", "dt": {6}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
      kLength, kDensity, kDiameter / 2, places, stiffness, restitution, dt);
}

double energy(Running& run) {
  return totals(run.world(), Vec3::Zero()).kinetic() + mechanics_of(run.prepared).pipeline().counts().elastic_energy;
}

}  // namespace

TEST_CASE("1000 elastic spheres in a periodic box: momentum to 1e-12, energy error of second order at least") {
  const OneThread quick;
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const double dt = k == 0 ? 1e-5 : 5e-6;
    Running run(gas(1, dt));
    mechanics_of(run.prepared).pipeline().compute_energy(true);
    const Totals before = totals(run.world(), Vec3::Zero());
    double sum = 0;
    const int samples = 40;
    for (int s = 0; s < samples; ++s) {
      run.steps(static_cast<std::uint64_t>(std::llround(1e-3 / dt)));
      sum += std::pow(energy(run) / before.kinetic() - 1, 2);
    }
    error[k] = std::sqrt(sum / samples);
    const Totals after = totals(run.world(), Vec3::Zero());
    CHECK((after.momentum - before.momentum).norm() < 1e-12 * kCount * kMass);
  }
  fmt::print("energy error of an elastic gas: {:.2e} at dt = 1e-5 s, {:.2e} at 5e-6 s\n", error[0], error[1]);
  CHECK(error[0] < 1e-3);
  CHECK(error[0] / error[1] > 3);  // 4 but for the kinks where contacts begin, whose errors partly cancel
}

TEST_CASE("an inelastic gas cools as Haff's law says, with Enskog's collision rate") {
  const OneThread quick;
  const double e = 0.9;
  Running run(gas(e, 5e-6));
  const auto temperature = [&] {  // m <v^2> / 3
    return 2 * totals(run.world(), Vec3::Zero()).kinetic_translation / (3 * kCount);
  };
  run.steps(16000);  // some collisions each, so that the lattice is forgotten
  const double first = temperature();
  run.steps(36000);
  const double time = 36000 * 5e-6;
  const double n = kCount / std::pow(kLength, 3), contact = (1 - kFraction / 2) / std::pow(1 - kFraction, 3);
  const double rate = 4 * n * kDiameter * kDiameter * contact * std::sqrt(std::numbers::pi * first / kMass);
  const double tau = 6 / ((1 - e * e) * rate);
  const double expected = first / std::pow(1 + time / tau, 2);
  fmt::print("Haff: temperature falls to {:.4f} of the first, {:.4f} expected\n", temperature() / first,
             expected / first);
  CHECK(temperature() == Approx(expected).epsilon(0.03));
}

TEST_CASE("random_speed gives every body the same speed, in directions that are uniform and the seed's") {
  for (const int dimension : {2, 3}) {
    const int side = dimension == 2 ? 100 : 20;
    const auto velocities = [&](int seed) {
      const std::string upper = dimension == 2 ? fmt::format("[{0}, {0}]", 0.02 * side - 0.005)
                                               : fmt::format("[{0}, {0}, {0}]", 0.02 * side - 0.005);
      const Running run(fmt::format(
          R"({{"dimension": {}, "materials": {{"m": {{"density": 1}}}}, "shapes": {{"ball": {{"type": "sphere", "radius": 0.005, "thickness": 0.001}}}},
"bodies": [{{"shape": "ball", "material": "m", "velocity": {}, "random_speed": 2, "seed": {},
  "packing": {{"type": "lattice", "spacing": 0.02, "lower": {}, "upper": {}}}}}],
"interactions": [{{"between": ["*", "*"], "law": "none"}}],
"integrator": {{"type": "velocity-verlet", "dt": 1e-3}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
          dimension, dimension == 2 ? "[5, 0]" : "[5, 0, 0]", seed, dimension == 2 ? "[0, 0]" : "[0, 0, 0]", upper));
      const auto v = run.prepared.world->velocity.read();
      return std::vector<Vec3>(v.begin(), v.end());
    };
    const std::vector<Vec3> once = velocities(3);
    const auto n = static_cast<double>(once.size());
    REQUIRE(n == std::pow(side, dimension));
    Vec3 mean = Vec3::Zero(), square = Vec3::Zero();
    for (const Vec3& v : once) {
      const Vec3 random = v - Vec3(5, 0, 0);
      REQUIRE(random.norm() == Approx(2).epsilon(1e-13));
      mean += random / n;
      square += random.cwiseAbs2() / n;
    }
    // The components' variance is 4/dimension, that of their squares below 2.
    CHECK(mean.norm() < 4 * 2 / std::sqrt(n));
    for (int k = 0; k < dimension; ++k) CHECK(square[k] == Approx(4.0 / dimension).margin(4 * 1.5 / std::sqrt(n)));
    CHECK(velocities(3) == once);
    CHECK(velocities(4) != once);
  }
}

}  // namespace scree::test::gas_test
