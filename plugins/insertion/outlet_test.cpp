#include "insertion_scene.hpp"

using namespace scree;
using namespace scree::insertion::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A lattice of 5 x 5 x 5 beads from the origin, 4 mm apart, which fall by 4e-9 m in the first step.
std::string lattice(const std::string& region, const std::string& more = "", const std::string& bonds = "") {
  return scene3(R"({"type": "outlet", "name": "drain", "region": )" + region + more + "}", bonds,
                R"({"name": "floor", "shape": "floor", "material": "w", "fixed": true, "position": [0, 0, -1]},
                   {"name": "beads", "shape": "bead", "material": "g",
                    "packing": {"type": "lattice", "lower": [0, 0, 0], "counts": [5, 5, 5], "spacing": 0.004}})");
}

double taken(const std::string& region, const std::string& more = "") {
  Simulation run = Simulation::from_text(lattice(region, more));
  run.step(1);
  const double count = figure(run, "drain_count");
  CHECK(census(run).bodies == 125 - static_cast<std::size_t>(count));
  CHECK(figure(run, "drain_mass_kg") == Approx(count * kBead).epsilon(1e-12));
  return count;
}

}  // namespace

TEST_CASE("each region takes the bodies whose centres are in it, and counts them and their mass") {
  CHECK(taken(R"({"type": "box", "lower": [-1, -1, -1], "upper": [0.0041, 1, 1]})") == 50);
  CHECK(taken(R"({"type": "box", "lower": [-1, -1, -1], "upper": [0.0041, 1, 1], "outside": true})") == 75);
  CHECK(taken(R"({"type": "sphere", "centre": [0.008, 0.008, 0.008], "radius": 0.0041})") == 7);
  CHECK(taken(R"({"type": "half-space", "point": [0, 0, 0.006], "normal": [0, 0, 1]})") == 50);
  CHECK(
      taken(
          R"({"type": "cylinder", "centre": [0.008, 0.008, 0.008], "axis": [1, 0, 0], "radius": 0.0041, "length": 0.009})") ==
      15);
  CHECK(
      taken(
          R"({"type": "frustum", "centre": [0.008, 0.008, 0.008], "lower_radius": 0.001, "upper_radius": 0.013, "length": 0.0162})") ==
      1 + 5 + 9 + 21 + 25 - 0);
}

TEST_CASE("only the entries named go") {
  CHECK(taken(R"({"type": "box", "lower": [-1, -1, -2], "upper": [1, 1, 1]})", R"(, "bodies": ["beads"])") == 125);
  CHECK_THROWS_WITH(Simulation::from_text(
                        lattice(R"({"type": "sphere", "centre": [0, 0, 0], "radius": 1})", R"(, "bodies": ["bead"])")),
                    ContainsSubstring("/hooks/0/bodies/0: there is no entry \"bead\" of bodies") &&
                        ContainsSubstring("There are: floor, beads."));
}

TEST_CASE("bodies joined by bonds go as one, when their common centre of mass is in the region") {
  const auto with_bonds = [](const std::string& region) {
    Simulation run = Simulation::from_text(lattice(region, "", R"(, "bonds": [{"between": ["beads", "beads"],
        "pairs": "touching", "gap": 0.0021, "law": {"type": "bonded-beam", "youngs_modulus": 1e6}}])"));
    run.step(1);
    return figure(run, "drain_count");
  };
  // The lattice is one lump with its centre at 8 mm.
  CHECK(with_bonds(R"({"type": "box", "lower": [-1, -1, -1], "upper": [0.0079, 1, 1]})") == 0);
  CHECK(with_bonds(R"({"type": "box", "lower": [0.0079, -1, -1], "upper": [0.0081, 1, 1]})") == 125);
}

TEST_CASE("an outlet in the way of an emitter: what came is what is there and what went") {
  Simulation run = Simulation::from_text(scene3(
      R"({"type": "emitter", "shape": ["bead", "pair"], "material": "g", "number_rate": 2000, "interval": 0.001, "velocity": [0, 0, -0.5],
          "region": {"type": "cylinder", "centre": [0, 0, 0.05], "radius": 0.02, "length": 0}},
         {"type": "outlet", "interval": 0.002, "region": {"type": "half-space", "point": [0, 0, 0.01], "normal": [0, 0, 1]}, "bodies": ["emitter"]})"));
  run.run_until(0.3);
  CHECK(figure(run, "emitter_count") >= 598);
  CHECK(figure(run, "outlet_count") > 300);
  CHECK(figure(run, "emitter_count") == figure(run, "outlet_count") + static_cast<double>(census(run).bodies));
  CHECK(figure(run, "emitter_mass_kg") == Approx(figure(run, "outlet_mass_kg") + census(run).mass).epsilon(1e-12));
}
