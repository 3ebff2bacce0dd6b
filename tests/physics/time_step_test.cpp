// How long a time step may be, against closed forms; and what "auto" takes of it.

#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "scenes.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double kRadius = 0.005, kDensity = 2500;
const double kMass = 4.0 / 3 * std::numbers::pi * std::pow(kRadius, 3) * kDensity;

/// Two beads of radius 5 mm, two of half that size, and a floor. \param law  of all, and `wall` of those with the floor
std::string scene(const std::string& law, const std::string& wall, const std::string& integrator) {
  return R"({"dimension": 3,
    "materials": {"grain": {"density": 2500, "youngs_modulus": 1e7, "poisson_ratio": 0.25}, "wall": {"youngs_modulus": "rigid"}},
    "shapes": {"bead": {"type": "sphere", "radius": 0.005}, "floor": {"type": "half-space", "normal": [0, 0, 1]}},
    "bodies": [
      {"name": "large", "shape": "bead", "material": "grain", "packing": {"type": "lattice", "lower": [0, 0, 0.02], "counts": [2, 1, 1], "spacing": 0.02}},
      {"name": "small", "shape": "bead", "material": "grain", "scale": 0.5, "packing": {"type": "lattice", "lower": [0, 0, 0.05], "counts": [2, 1, 1], "spacing": 0.02}},
      {"name": "floor", "shape": "floor", "material": "wall", "fixed": true}],
    "interactions": [{"between": ["grain", "grain"], "law": )" +
         law + R"(}, {"between": ["grain", "wall"], "law": )" + wall + R"(}],
    "integrator": )" +
         integrator + R"(, "run": {"duration": 0.1}, "output": {"writers": []}})";
}

const std::string kLinear = R"({"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.05})";
const std::string kAuto = R"({"type": "velocity-verlet", "dt": "auto"})";

/// Duration of a contact of the law "linear", k = 1000 N/m, without its dashpot [s].
double linear_contact(double mass) { return std::numbers::pi * std::sqrt(mass / 1000); }

}  // namespace

// Tolerances: rounding of a handful of operations.
constexpr double kRounding = 1e-12;

TEST_CASE("linear springs: half a period of the lightest pair, and of the lightest body at a wall") {
  const Running run(scene(kLinear, kLinear, kAuto));
  const auto& limits = run.prepared.limits;
  REQUIRE(limits.size() == 2);
  CHECK(limits[0].name == "grain-grain");
  CHECK(limits[0].contact == Approx(linear_contact(kMass / 8 / 2)).epsilon(kRounding));
  CHECK(limits[1].contact == Approx(linear_contact(kMass / 8)).epsilon(kRounding));
  CHECK(!limits[0].rayleigh);
  CHECK(run.prepared.clock.dt == Approx(linear_contact(kMass / 16) / 20).epsilon(kRounding));
}

TEST_CASE("Hertz: the duration at the typical speed, and the Rayleigh time of the smallest body") {
  const std::string hertz = R"({"type": "hertz-mindlin", "restitution": 1, "typical_speed": 0.5})";
  const Running run(scene(hertz, hertz, kAuto));
  const auto& limits = run.prepared.limits;
  REQUIRE(limits.size() == 2);
  const double m = kMass / 8 / 2, r = kRadius / 2 / 2, e = 1e7 / (2 * (1 - 0.25 * 0.25));
  // The constant of the integral over Hertz's impact is given with six digits.
  const double contact = 2.86827 * std::pow(m * m / (r * e * e * 0.5), 0.2);
  CHECK(limits[0].contact == Approx(contact).epsilon(1e-5));
  const double shear = 1e7 / (2 * 1.25);
  const double rayleigh = std::numbers::pi * (kRadius / 2) * std::sqrt(kDensity / shear) / (0.1631 * 0.25 + 0.8766);
  REQUIRE(limits[0].rayleigh);
  CHECK(*limits[0].rayleigh == Approx(rayleigh).epsilon(kRounding));
  CHECK(*limits[1].rayleigh == Approx(rayleigh).epsilon(kRounding));
  // A rigid wall makes E* twice as large, so contacts with it may be the shorter ones.
  const double shortest = std::min(limits[0].contact, limits[1].contact);
  CHECK(run.prepared.clock.dt == Approx(std::min(shortest / 20, rayleigh / 5)).epsilon(kRounding));
}

TEST_CASE("a law's own modulus counts for waves, not the material's") {
  const std::string own =
      R"({"type": "hertz-mindlin", "restitution": 1, "youngs_modulus": 4e7, "poisson_ratio": 0.25})";
  const std::string of_material = R"({"type": "hertz-mindlin", "restitution": 1})";
  const Running run(scene(own, of_material, kAuto));
  CHECK(*run.prepared.limits[0].rayleigh == Approx(*run.prepared.limits[1].rayleigh / 2).epsilon(kRounding));
}

TEST_CASE("an automatic step of a stage is that of the stage's laws, and fixed bodies take part as walls") {
  const Running soft(scene(kLinear, kLinear, kAuto));
  const Running stiff(scene(kLinear, kLinear, kAuto), {"/interactions/1/law/normal_stiffness=8000"});
  CHECK(stiff.prepared.clock.dt < soft.prepared.clock.dt);
  const Running fixed(scene(kLinear, kLinear, kAuto), {"/bodies/1/fixed=true"});
  CHECK(fixed.prepared.limits[0].contact == Approx(linear_contact(kMass / 2)).epsilon(kRounding));
}

TEST_CASE("bodies that an emitter makes count as those of the start: their smallest, in pairs and at walls") {
  const std::string all = scene(kLinear, kLinear, kAuto);
  const std::string entries =
      all.substr(all.find("{\"name\": \"large\""), all.find("{\"name\": \"floor\"") - all.find("{\"name\": \"large\""));
  std::string poured = all;
  poured.erase(poured.find(entries), entries.size());
  poured.insert(poured.find("\"interactions\""), R"("hooks": [{"type": "emitter", "shape": "bead", "material": "grain",
    "scale": 0.5, "number": 4,
    "region": {"type": "box", "lower": [0, 0, 0.02], "upper": [0.1, 0.1, 0.1]}}], )");
  const Running there(all), comes(poured);
  REQUIRE(comes.prepared.limits.size() == 2);
  for (int k = 0; k < 2; ++k)
    CHECK(comes.prepared.limits[k].contact == Approx(there.prepared.limits[k].contact).epsilon(kRounding));
  CHECK(comes.prepared.clock.dt == Approx(there.prepared.clock.dt).epsilon(kRounding));
  CHECK_THROWS_WITH(Running(poured, {"/integrator/dt=1e-3"}), Catch::Matchers::ContainsSubstring("steps of 0.001 s"));
}
