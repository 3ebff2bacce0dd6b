// Capsules among each other, with spheres, clumps and obstacles, in whole scenes.

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "catch.hpp"
#include "test_scene.hpp"

using namespace scree;
using namespace scree::rods::test;

namespace {

/// Capsules of two sizes, balls and tetrapods that fly about in a box around a cylinder, without loss or weight.
const std::string kGas = R"({
  "dimension": 3, "materials": {"grain": {"density": 2500}, "wall": {}},
  "shapes": {"long": {"type": "capsule", "length": 0.03, "radius": 0.004},
             "short": {"type": "capsule", "length": 0.006, "radius": 0.004},
             "ball": {"type": "sphere", "radius": 0.005},
             "clump": {"type": "clump", "template": "tetrapod", "scale": 0.008},
             "box": {"type": "box", "half_sizes": [0.06, 0.06, 0.06], "inside": true},
             "post": {"type": "cylinder", "radius": 0.01, "length": 0.08}},
  "bodies": [
    {"name": "grains", "shape": ["long", "short", "ball", "clump"], "material": "grain", "seed": 3,
     "orientation": "random", "random_speed": 1,
     "packing": {"type": "lattice", "lower": [-0.04, -0.04, -0.04], "counts": [3, 3, 3], "spacing": 0.04}},
    {"name": "box", "shape": "box", "material": "wall", "fixed": true},
    {"name": "post", "shape": "post", "material": "wall", "fixed": true, "position": [0.02, 0.02, 0]}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 2e4, "restitution": 1}}],
  "integrator": {"type": "velocity-verlet", "dt": 2e-6}, "run": {"duration": 0.2}})";

/// One long capsule above a solid block or on the floor, with gravity.
std::string on_top_of(const std::string& shape, const std::string& capsule) {
  return R"({"dimension": 3, "gravity": [0, 0, -9.81], "materials": {"m": {"density": 1000}},
    "shapes": {"rod": {"type": "capsule", "length": 0.2, "radius": 0.01}, "support": )" +
         shape + R"(},
    "bodies": [{"name": "support", "shape": "support", "material": "m", "fixed": true},
               {"name": "rod", "shape": "rod", "material": "m", )" +
         capsule + R"(}],
    "interactions": [{"between": ["*", "*"],
                      "law": {"type": "linear", "normal_stiffness": 1e4, "restitution": 0.2, "friction": 0.5}}],
    "integrator": {"type": "velocity-verlet", "dt": 2e-5}, "run": {"duration": 1}})";
}

/// Turned about y by 90 degrees: along x.
const std::string kAlongX = R"("orientation": [0.7071067811865476, 0, 0.7071067811865476, 0])";

std::size_t row_of_moving(const World& world) { return world.inverse_mass.read()[0] > 0 ? 0 : 1; }

}  // namespace

TEST_CASE("capsules, balls and clumps that bounce without loss keep their energy", "[long]") {
  // What is left is the error of the steps, and of ends that meet at right angles.
  Simulation gas = made(kGas);
  gas.step();
  const double before = figures(gas, {"kinetic_energy_J"});
  double worst = 0;
  for (int k = 1; k <= 5; ++k) {
    gas.run_until(0.02 * k);
    const double now = figures(gas, {"kinetic_energy_J", "elastic_energy_J"});
    worst = std::max(worst, std::abs(now / before - 1));
  }
  INFO("largest error " << worst);
  CHECK(worst < 1e-3);
}

TEST_CASE("a capsule on the floor rests on both its ends, each with half of its weight") {
  Simulation s = made(on_top_of(R"({"type": "half-space"})", kAlongX + R"(, "position": [0, 0, 0.0099])"));
  s.run_until(1);
  const ContactView contacts = s.contacts();
  REQUIRE(contacts.size() == 2);
  const double weight = 9.81 / s.world().inverse_mass.read()[row_of_moving(s.world())];
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(contacts[k].force.norm() == Approx(weight / 2).epsilon(1e-4));
    CHECK(std::abs(std::abs(contacts[k].point.x()) - 0.1) < 1e-6);
  }
}

TEST_CASE("a ball on a capsule pushes as Hertz says of a ball on a cylinder") {
  // F = 4/3 E* R*^(1/2) d^(3/2), with the geometric mean of the radii of both sections: R* = r / (1 + r/r_rod)^(1/2).
  const double modulus = 1e7 / (2 * (1 - 0.25 * 0.25)), depth = 1e-4;  // [Pa], [m]
  for (const double radius : {0.01, 0.03}) {
    const std::string ball = fmt::format(R"({{"type": "sphere", "radius": {}}})", radius);
    // In a step of 1e-7 s nothing moves by more than 1e-8 of the depth.
    Simulation s = made(on_top_of(ball, kAlongX + fmt::format(R"(, "position": [0.02, 0, {}])", radius + 0.01 - depth)),
                        {"/gravity=[0, 0, 0]", "/materials/m/youngs_modulus=1e7", "/materials/m/poisson_ratio=0.25",
                         R"(/interactions/0/law={"type": "hertz-mindlin", "restitution": 1})", "/integrator/dt=1e-7"});
    s.step(1);
    const ContactView contacts = s.contacts();
    REQUIRE(contacts.size() == 1);
    const double mean = radius / std::sqrt(1 + radius / 0.01);
    CHECK(contacts[0].force.norm() == Approx(4. / 3 * modulus * std::sqrt(mean) * std::pow(depth, 1.5)).epsilon(1e-6));
  }
}

TEST_CASE("a capsule over the edge of a table stays while its middle is supported") {
  const std::string table = R"({"type": "box", "half_sizes": [0.1, 0.1, 0.1]})";
  const auto height_after = [&](double middle) {
    Simulation s = made(on_top_of(table, kAlongX + fmt::format(R"(, "position": [{}, 0, 0.1099])", middle)));
    s.run_until(1);
    return s.world().position.read()[row_of_moving(s.world())].z();
  };
  CHECK(height_after(0.09) == Approx(0.11).margin(1e-4));
  CHECK(height_after(0.11) < 0.08);
}

TEST_CASE("capsules give the same bits for any number of threads", "[long]") {
  const auto hash = [](int threads) {
    Simulation s = made(kGas, {}, threads);
    s.run_until(0.05);
    double sum = 0;
    for (const Vec3& x : s.world().position.read()) sum = 3 * sum + x.x() + 2 * x.y() - x.z();
    return sum;
  };
  const double one = hash(1);
  CHECK(hash(2) == one);
  CHECK(hash(3) == one);
}

TEST_CASE("a screw is refused with capsules, for its faces differ from place to place") {
  const std::string screw = R"({"type": "helicoid", "inner_radius": 0.01, "outer_radius": 0.06, "pitch": 0.08,
                                "thickness": 0.02, "turns": 2.5})";
  CHECK_THROWS_WITH(
      made(on_top_of(screw, R"("position": [0, 0, 0.5])")),
      Catch::Matchers::Contains("not seen from everywhere") && Catch::Matchers::Contains("other obstacles"));
}

TEST_CASE("a capsule across a hole rests on both rims") {
  const std::string plate = R"({"type": "plate", "hole": 0.06, "thickness": 0.02, "radius": 0.15})";
  Simulation s = made(on_top_of(plate, kAlongX + R"(, "position": [0, 0, 0.0199])"));
  s.run_until(1);
  CHECK(s.world().position.read()[row_of_moving(s.world())].z() == Approx(0.02).margin(1e-4));
}
