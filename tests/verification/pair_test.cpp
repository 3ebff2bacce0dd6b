// One pair that touches at many places: restitution is as asked, whatever the shape and the angle.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "catch.hpp"
#include "file_scene.hpp"

namespace scree::test::pair_test {

namespace {

constexpr double kR = 1e-3, kSpeed = 0.5, kStiffness = 1e4;  // m, m/s, N/m

/// A plate of n x n spheres, or with `rows` of n by rows.
std::string plate(int n, int rows) {
  std::vector<std::string> spheres;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < rows; ++j)
      spheres.push_back(fmt::format(R"({{"position": [{}, {}, 0], "radius": {}}})", 2 * kR * i, 2 * kR * j, kR));
  return fmt::format(R"({{"type": "clump", "spheres": [{}]}})", fmt::join(spheres, ", "));
}

/// A body that flies at a floor, touching at once. \param turn  about y [rad]
std::string landing(const std::string& shape, const std::string& law, double turn, double dt, int dimension = 3) {
  const std::string pose = dimension == 3
                               ? fmt::format(R"("orientation": [{:.17g}, 0, {:.17g}, 0], "velocity": [0, 0, -{}])",
                                             std::cos(turn / 2), std::sin(turn / 2), kSpeed)
                               : fmt::format(R"("orientation": {:.17g}, "velocity": [0, -{}])", turn, kSpeed);
  return fmt::format(
      R"({{"dimension": {}, "materials": {{"m": {{"density": 2000, "youngs_modulus": 1e7, "poisson_ratio": 0.3}},
  "rigid": {{"youngs_modulus": "rigid"}}}},
  "shapes": {{"body": {}, "floor": {{"type": "{}", "normal": {}}}}},
  "bodies": [{{"shape": "body", "material": "m", "position": {}, {}}},
             {{"shape": "floor", "material": "rigid", "position": {}, "fixed": true}}],
  "interactions": [{{"between": ["*", "*"], "law": {}}}],
  "integrator": {{"type": "velocity-verlet", "dt": {}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
      dimension, shape, dimension == 3 ? "half-space" : "half-plane", dimension == 3 ? "[0, 0, 1]" : "[0, 1]",
      dimension == 3 ? "[0, 0, 0.1]" : "[0, 0.1]", pose, dimension == 3 ? "[0, 0, 0]" : "[0, 0]", law,
      dt > 0 ? fmt::format("{:.17g}", dt) : "\"auto\"");
}

std::string linear(double restitution) {
  return fmt::format(R"({{"type": "linear", "normal_stiffness": {}, "restitution": {}}})", kStiffness, restitution);
}
std::string hertz(double restitution) {
  return fmt::format(R"({{"type": "hertz-mindlin", "restitution": {}, "typical_speed": {}}})", restitution, kSpeed);
}

double kinetic(Running& run) { return totals(run.world(), Vec3::Zero()).kinetic(); }

/// Lets the body fly until it has touched and is free again. \return the part of its kinetic energy that is left
double energy_left(FileScene& run) {
  const double before = kinetic(run);
  auto& pipeline = mechanics_of(run.prepared).pipeline();
  for (bool touched = false; run.world().step < 1000000;) {
    run.steps(1);
    const bool touches = pipeline.counts().contacts > 0;
    if (touched && !touches) return kinetic(run) / before;
    touched = touches;
  }
  FAIL("the body does not leave the floor");
  return 0;
}

/// The body just above the floor.
void lower(FileScene& run, double height) {
  auto position = run.world().position.write();
  position[run.row(0)][run.world().dimension() == 3 ? 2 : 1] = height;
}

double restitution(const std::string& scene, double height) {
  FileScene run(SceneText{scene}, {});
  lower(run, height);
  mechanics_of(run.prepared).refresh();
  return std::sqrt(energy_left(run));
}

double mass_of_spheres(int n) { return n * 2000 * 4.0 / 3 * std::numbers::pi * kR * kR * kR; }

}  // namespace

TEST_CASE("a plate that lands flat leaves at the speed asked for, however many spheres touch") {
  for (const int n : {1, 2, 3, 5, 10}) {
    const double contact = std::numbers::pi * std::sqrt(mass_of_spheres(n * n) / kStiffness);
    for (const double asked : {0.9, 0.5, 0.2}) {
      const double e = restitution(landing(plate(n, n), linear(asked), 0, contact / n / 200), kR * (1 + 1e-9));
      CAPTURE(n, asked, e);
      CHECK(e == Approx(asked).margin(0.01));
    }
    // Of Hertz's contacts the pair's frequency follows the depth.
    const double e = restitution(landing(plate(n, n), hertz(0.5), 0, 1e-6), kR * (1 + 1e-9));
    CAPTURE(n, e);
    CHECK(e == Approx(0.5).margin(0.01));
  }
}

TEST_CASE("\"auto\" counts the contacts of a pair, and its restitution is still near what is asked for") {
  for (const int n : {2, 5, 10}) {
    const double of_linear = restitution(landing(plate(n, n), linear(0.5), 0, 0), kR * (1 + 1e-9));
    const double of_hertz = restitution(landing(plate(n, n), hertz(0.5), 0, 0), kR * (1 + 1e-9));
    CAPTURE(n, of_linear, of_hertz);
    CHECK(of_linear == Approx(0.5).margin(0.05));
    CHECK(of_hertz == Approx(0.5).margin(0.05));
  }
}

TEST_CASE("a rod that lands at an angle loses what its restitution says at the contact point") {
  // A frictionless contact changes the motion along one direction of the pair's, and of that part the energy e^2 stays.
  const int n = 5;
  const double mass = mass_of_spheres(n), contact = std::numbers::pi * std::sqrt(mass / kStiffness);
  for (const double degrees : {15., 30., 45., 60., 75.}) {
    const double turn = degrees * std::numbers::pi / 180;
    FileScene run(SceneText{landing(plate(n, 1), linear(0.5), turn, contact / 1000)});
    const double half = (n - 1) * kR;
    lower(run, half * std::sin(turn) + kR * (1 + 1e-9));
    mechanics_of(run.prepared).refresh();
    // Of the mass 1/(1/m + lever^2/I) that the contact point shows.
    const double inertia = run.world().inertia.read()[run.row(0)].maxCoeff(), lever = half * std::cos(turn);
    const double normal_part = 1 / (1 + mass * lever * lever / inertia);
    const double e = std::sqrt((energy_left(run) - 1 + normal_part) / normal_part);
    CAPTURE(degrees, e);
    CHECK(e == Approx(0.5).margin(0.01));
  }
}

TEST_CASE("dashpots given in N s/m stay those of each contact") {
  // n contacts are a spring of n k with a dashpot of n c: z = sqrt(n) z of one. Clipped: specification of time_step, 1.
  const double expected[] = {0.500, 0.394, 0.293, 0.189};
  const int many[] = {1, 2, 4, 9}, rows[] = {1, 1, 2, 3};
  for (int k = 0; k < 4; ++k) {
    const int n = many[k];
    const double mass = mass_of_spheres(n), z = 0.2550, c = 2 * z * std::sqrt(kStiffness * mass);
    const std::string law =
        fmt::format(R"({{"type": "linear", "normal_stiffness": {}, "normal_damping": {:.17g}}})", kStiffness, c);
    const double contact = std::numbers::pi * std::sqrt(mass / kStiffness / n);
    const double e = restitution(landing(plate(n / rows[k], rows[k]), law, 0, contact / 200), kR * (1 + 1e-9));
    CAPTURE(n, e);
    CHECK(e == Approx(expected[k]).margin(0.003));
  }
}

TEST_CASE("a step too long for all contacts of a pair is refused") {
  const double contact = std::numbers::pi * std::sqrt(mass_of_spheres(100) / kStiffness);
  CHECK_THROWS_WITH(restitution(landing(plate(10, 10), linear(0.5), 0, contact / 20), kR),
                    Catch::Matchers::ContainsSubstring("touch at 100 places at once"));
}

}  // namespace scree::test::pair_test
