// What stands still: forces in small stacks, the elastic moduli of a lattice, and what a stack bears when it is pulled.

#include <cmath>
#include <numbers>

#include "series.hpp"

namespace scree::test::static_test {

using Overrides = std::map<std::string, std::string>;

namespace {

constexpr double kR = 0.01, kG = 9.81, kStiffness = 1e5;
constexpr double kMass = 2500 * 4.0 / 3 * std::numbers::pi * kR * kR * kR;

}  // namespace

TEST_CASE("a sphere nested on 3 or 4 others presses m g/sqrt(6) or m g/sqrt(8) on each") {
  const Series three("nested_sphere");
  // Sinking in changes the contacts' slope by the overlap's share of the diameter, 2e-5.
  compare("nest of 3", "force of a contact [N]", kMass * kG / std::sqrt(6), kStiffness * three.last("max_overlap_m"),
          1e-4);
  compare("nest of 3", "weight on the nest [N]", -kMass * kG, three.last("nest_force_z_N"), 1e-8);
  const Series four("nested_sphere", {{"/bodies/0/packing/places",
                                       R"([{"position": [0.01, 0.01, 0]}, {"position": [-0.01, 0.01, 0]},
                          {"position": [0.01, -0.01, 0]}, {"position": [-0.01, -0.01, 0]}])"},
                                      {"/bodies/1/position", fmt::format("[0, 0, {}]", kR * std::numbers::sqrt2)}});
  compare("nest of 4", "force of a contact [N]", kMass * kG / std::sqrt(8), kStiffness * four.last("max_overlap_m"),
          1e-4);
}

TEST_CASE("in a column of beads each contact carries what stands above it") {
  const Series s("bead_column");
  // Linear springs in line: exact but for what has not died out, exp(-500/s 0.1 s) at the slowest, of the fall.
  compare("column of 5", "bottom contact [N]", 5 * kMass * kG, kStiffness * s.last("max_overlap_m"), 1e-8);
  compare("column of 5", "floor [N]", -5 * kMass * kG, s.last("floor_force_z_N"), 1e-8);
  const double squares = 1 + 4 + 9 + 16 + 25;
  compare("column of 5", "elastic energy [J]", squares * std::pow(kMass * kG, 2) / (2 * kStiffness),
          s.last("elastic_energy_J"), 1e-8);
}

TEST_CASE("a cubic lattice of beads has Young's modulus k_n/d and shear modulus k_t/(2 d)") {
  const double d = 0.019998, tangential = 4e4, move = 1e-8, beads = 9;
  const int layers = 6;
  const std::string top = "/bodies/2/motion/velocity";
  const double pressed = Series("cubic_lattice", {{top, "[0, 0, 0]"}}).last("top_force_y_N");
  compare("cubic lattice", "precompression [N]", beads * kStiffness * (2 * kR - d), pressed, 1e-8);

  const Series squeezed("cubic_lattice", {{top, "[0, -2.5e-7, 0]"}});
  const double stress = (squeezed.last("top_force_y_N") - pressed) / (beads * d * d);
  // Places are rounded to 1e-17 m, a 1e-9th of what the layers move.
  compare("cubic lattice, squeezed", "modulus E [Pa]", kStiffness / d, stress / (move / ((layers + 1) * d)), 1e-6);

  // Under shear each bead turns by half of the shear angle, so that both directions of contacts share it. Beads of the
  // moved layers do not turn: their contacts shear by 3/2 where the others shear by 2.
  const Series sheared("cubic_lattice");
  const double shear = move / ((layers - 1 + 2 * 0.75) * d);
  // The precompressed normals lean by the shear angle: 2 k_n/k_t overlap/d = 5e-4.
  compare("cubic lattice, sheared", "modulus G [Pa]", tangential / (2 * d),
          -sheared.last("top_force_x_N") / (beads * d * d) / shear, 1e-3);
}

TEST_CASE("in a hexagonal close packing each of three contacts carries a third of the column above it") {
  const Series s("hcp_stack");
  const double stiffness = 1e7, spacing = 0.0201, layers = 5, count = 12;
  const double slope = std::sqrt(1 - spacing * spacing / (12 * kR * kR));  // of contacts against the horizontal
  const double third = kMass * kG / (3 * slope);
  // Sinking in changes the slope by the overlap's share of the radius, 4e-7.
  compare("hcp of 5 layers", "bottom contact [N]", layers * third, stiffness * s.last("max_overlap_m"), 1e-5);
  compare("hcp of 5 layers", "force on the bottom [N]", -count * layers * kMass * kG, s.last("bottom_force_z_N"), 1e-6);
  const double squares = 1 + 4 + 9 + 16 + 25;
  compare("hcp of 5 layers", "elastic energy [J]", 3 * count * squares * third * third / (2 * stiffness),
          s.last("elastic_energy_J"), 1e-5);
  compare("hcp of 5 layers", "contacts", 3 * layers * count, s.last("contacts"), 0);
}

TEST_CASE("two spheres drawn apart between walls bear no tension, or 3/2 pi w R (JKR), or 2 pi w R (DMT)") {
  const double w = 0.5, reduced = kR / 2;
  const Series loose("pulled_stack");
  double least = 0, most = 0;
  for (const double force : loose["ceiling_force_z_N"]) least = std::min(least, force), most = std::max(most, force);
  CHECK(most > 0.01);  // it was pressed, as strongly as cohesion pulls below
  compare("stack pulled, no cohesion", "tension [N]", 0, -least, 0);
  compare("stack pulled, no cohesion", "force at the end [N]", 0, loose.last("ceiling_force_z_N"), 0);

  for (const auto& [model, factor] : {std::pair{"jkr", 1.5}, {"dmt", 2.0}}) {
    const Series s("pulled_stack", {{"/interactions/0/law/cohesion",
                                     fmt::format(R"({{"model": "{}", "work_of_adhesion": {}}})", model, w)}});
    double tension = 0;  // until the spheres part, which the contacts at the walls, twice as strong, outlast
    for (const double force : s["ceiling_force_z_N"]) {
      if (tension > 0 && -force < tension / 2) break;
      tension = std::max(tension, -force);
    }
    const std::string name = fmt::format("stack pulled, {}", model);
    // The ceiling also draws the upper sphere against the damping, which is a 250th of it; the rest is the speed of
    // parting itself.
    const double drag = 100 * kMass * 5e-5;
    compare(name, "largest tension [N]", factor * std::numbers::pi * w * reduced + drag, tension, 2e-3);
    compare(name, "contacts at the end [-]", 2, s.last("contacts"), 0);
  }
}

}  // namespace scree::test::static_test
