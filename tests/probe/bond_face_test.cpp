/// \file An integrator that works with forces of contacts, and with energies of bonds.

#include <cmath>

#include "probe_run.hpp"

using namespace scree::test;

namespace {

/// A chain of bonded beads that is thrown on a floor.
Json chain_scene(const std::string& integrator) {
  Json scene = probe_scene({}, 0.01);
  scene["bodies"][0]["packing"] =
      Json::parse(R"({"type": "lattice", "lower": [0, 0, 0.0015], "counts": [4, 1, 1], "spacing": 0.002})");
  scene["bodies"][0]["velocity"] = {0.2, 0, -0.5};
  scene["bodies"][0]["angular_velocity"] = {0, 30, 5};
  scene["bonds"] = Json::parse(
      R"([{"between": ["grains", "grains"], "pairs": "touching", "gap": 1e-5,
           "law": {"type": "bonded-beam", "youngs_modulus": 1e5}}])");
  scene["integrator"]["type"] = integrator;
  return scene;
}

}  // namespace

TEST_CASE("bonds whose energies the integrator asks for act once, and as their forces do") {
  const ProbeRun forces(chain_scene("symplectic-euler")), energies(chain_scene("probe-gradient-bonds"));
  for (const ProbeRun* run : {&forces, &energies}) {
    INFO(run->outcome.err);
    REQUIRE(run->outcome.exit_code == 0);
  }
  const Metrics by_force(forces.folder()), by_energy(energies.folder());
  for (const char* const name : {"kinetic_energy_J", "elastic_energy_J"}) {
    INFO(name);
    const auto a = by_force.column(name), b = by_energy.column(name);
    REQUIRE(a.size() == b.size());
    double scale = 0;
    for (const double x : a) scale = std::max(scale, std::abs(x));
    CHECK(scale > 0);
    for (std::size_t k = 0; k < a.size(); ++k) CHECK(std::abs(a[k] - b[k]) < 1e-6 * scale);
  }
}
