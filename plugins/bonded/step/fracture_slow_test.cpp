// Fracture at large steps, in the two examples: what explicit steps, backward Euler and sdirk2 make of a drop and of a
// slow load.

#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "scree/run/simulation.hpp"

using namespace scree;

namespace {

/// An example with other options, on one thread, without files.
Simulation example(const std::string& name, std::vector<std::string> sets) {
  sets.push_back("/output/writers=[]");
  SimulationOptions options;
  options.sets = std::move(sets);
  options.threads = 1;
  return Simulation::from_file(std::string(SCREE_EXAMPLES) + "/" + name + "/scene.json", options);
}

double figure(Simulation& s, const std::string& name) {
  for (const auto& [column, value] : s.metrics())
    if (column == name) return value;
  FAIL("no column " << name);
  return 0;
}

double broken(Simulation& s) {
  return static_cast<double>(s.world().bonds().size()) - static_cast<double>(s.world().bonds().alive());
}

double sum_of_energies(Simulation& s) {
  return figure(s, "kinetic_energy_J") + figure(s, "potential_energy_J") + figure(s, "elastic_energy_J") +
         figure(s, "released_bond_energy_J");
}

const std::string kSmooth = "/interactions/0/law/friction=0";

std::string variational(const std::string& scheme, const std::string& dt) {
  return R"(/integrator={"type": "variational", "scheme": ")" + scheme + R"(", "dt": )" + dt + "}";
}

}  // namespace

TEST_CASE(
    "chocolate without friction: sdirk2 keeps energies and breaks as explicit steps do, backward Euler does not") {
  Simulation sdirk2 = example("chocolate_drop", {kSmooth, variational("sdirk2", "2e-4")});
  sdirk2.run_until(0.008);  // in the first impact, before a bond breaks
  CHECK(figure(sdirk2, "kinetic_energy_J") == Approx(0.610).epsilon(0.01));
  CHECK(figure(sdirk2, "elastic_energy_J") == Approx(0.107).epsilon(0.01));
  CHECK(sum_of_energies(sdirk2) == Approx(0.8636).epsilon(0.001));
  sdirk2.run_until(0.02);
  INFO(broken(sdirk2) << " bonds, sum " << sum_of_energies(sdirk2));
  CHECK(std::abs(broken(sdirk2) - 92) <= 5);  // explicit: 86 to 91
  CHECK(figure(sdirk2, "fragments") == 4);
  CHECK(figure(sdirk2, "heaviest_fragment_kg") == Approx(0.169).margin(0.003));
  CHECK(sum_of_energies(sdirk2) < 0.8637);

  Simulation damped = example("chocolate_drop", {kSmooth, variational("backward-euler", "2e-4")});
  damped.run_until(0.02);
  CHECK(broken(damped) == 0);
}

TEST_CASE("a slab under a slow load: backward Euler gives the load at fracture and the largest piece") {
  Simulation s = example("slab_snap", {});
  s.run_until(0.07);
  CHECK(broken(s) == 0);
  CHECK(figure(s, "elastic_energy_J") == Approx(1.587e-3).epsilon(1e-3));
  s.run_until(0.074);
  CHECK(broken(s) > 0);
  s.run_until(0.12);
  CHECK(figure(s, "heaviest_fragment_kg") == Approx(0.304).margin(0.003));
}
