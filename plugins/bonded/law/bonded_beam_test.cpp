// What bonded beams tell of themselves: face "bond-columns/1".

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "catch.hpp"
#include "scree/run/simulation.hpp"

using namespace scree;

namespace {

/// Four balls under each other, or beside each other, the first of which is held.
Simulation beads(const std::string& places) {
  return Simulation::from_text(R"({
  "dimension": 3, "gravity": [0, 0, -10],
  "materials": {"bead": {"density": 1000}},
  "shapes": {"bead": {"type": "sphere", "radius": 0.01}},
  "bodies": [{"name": "peg", "shape": "bead", "material": "bead", "fixed": true, "position": [0, 0, 0]},
             {"name": "beads", "shape": "bead", "material": "bead", "packing": {"type": "list", "places": )" +
                               places + R"(}}],
  "bonds": [{"between": ["beads", "beads"], "pairs": "touching", "gap": 1e-6,
             "law": {"type": "bonded-beam", "youngs_modulus": 1e6, "tensile_strength": 1e6}},
            {"between": ["peg", "beads"], "pairs": "touching", "gap": 1e-6,
             "law": {"type": "bonded-beam", "youngs_modulus": 1e6, "tensile_strength": 1e6}}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", "friction": 0.3}}],
  "integrator": {"type": "moreau-jean", "dt": 0.01},
  "output": {"writers": []}, "run": {"duration": 10}})");
}

const std::vector<double>& column(const BondValues& values, const std::string& name) {
  const auto found = std::ranges::find(values.columns, name, &BondValues::Column::name);
  REQUIRE(found != values.columns.end());
  return found->value;
}

const double kWeight = 1000 * 4.0 / 3 * std::numbers::pi * 1e-6 * 10;  // of a ball [N]

}  // namespace

TEST_CASE("the tension of bonded balls that hang is the weight below, and their peg feels it all") {
  Simulation s = beads(R"([{"position": [0, 0, -0.02]}, {"position": [0, 0, -0.04]}, {"position": [0, 0, -0.06]}])");
  s.step(400);
  const BondValues values = s.bonds();
  const Bonds& bonds = s.world().bonds();
  REQUIRE(bonds.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto below = static_cast<double>(4 - bonds.b[k]);
    CHECK(column(values, "tension")[k] == Approx(below * kWeight).epsilon(1e-6));
    CHECK(column(values, "shear_force")[k] < 1e-9);
    CHECK(column(values, "bending_moment")[k] < 1e-9);
    CHECK(column(values, "utilisation")[k] == Approx(below * kWeight / bonds.section[k] / 1e6).epsilon(1e-6));
  }
  double force = 0;
  for (const auto& [name, value] : s.metrics()) force += name == "peg_force_z_N" ? value : 0;
  CHECK(force == Approx(-3 * kWeight).epsilon(1e-6));
}

TEST_CASE("bonded balls that reach out carry shear and a bending moment that grows towards the peg") {
  Simulation s = beads(R"([{"position": [0.02, 0, 0]}, {"position": [0.04, 0, 0]}, {"position": [0.06, 0, 0]}])");
  s.step(400);
  const BondValues values = s.bonds();
  const Bonds& bonds = s.world().bonds();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto beyond = static_cast<double>(4 - bonds.b[k]);
    // In the middle of the bond: balls beyond are 0.01 m away from it, 0.03 m, and so on. It bends by little.
    CHECK(column(values, "bending_moment")[k] == Approx(beyond * beyond * 0.01 * kWeight).epsilon(0.01));
    CHECK(column(values, "shear_force")[k] == Approx(beyond * kWeight).epsilon(0.01));
  }
}
