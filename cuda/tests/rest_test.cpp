// Packings at rest: the same height, and as many contacts, on the host's engine and with the kernels of devices. Runs
// part by rounding within some collisions, so what is compared are figures of thousands of grains.
#include <cmath>

#include "catch.hpp"
#include "scree/run/simulation.hpp"

using namespace scree;

namespace {

struct AtRest {
  double height = 0;  ///< of the bodies' centre of mass above the lowest of them: the solid fraction goes with 1/height
  double contacts = 0;  ///< per body
};

/// \param steps  of the scene's integrator
AtRest settle(const std::string& example, const std::string& device, int axis, std::uint64_t steps, int seed) {
  SimulationOptions options;
  options.device = device;
  options.sets = {"/output/writers=[]", "/bodies/0/seed=" + std::to_string(seed)};
  const std::string file = std::string(SCREE_SOURCE_DIR) + "/examples/" + example + "/scene.json";
  Simulation run = Simulation::from_file(file, options);
  run.step(steps);
  const World& world = run.world();
  double sum = 0, lowest = 1e300, bodies = 0;
  const auto x = world.position.read();
  const auto inverse_mass = world.inverse_mass.read();
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (inverse_mass[i] == 0) continue;
    sum += x[i][axis];
    lowest = std::min(lowest, x[i][axis]);
    ++bodies;
  }
  return {sum / bodies - lowest, static_cast<double>(run.contacts().size()) / bodies};
}

void compare(const std::string& example, int axis, std::uint64_t steps, int seeds, double contacts) {
  AtRest host, device;
  for (int seed = 1; seed <= seeds; ++seed)
    for (auto& [name, sum] : {std::pair<const char*, AtRest&>{"cpu", host}, {"cuda-host", device}}) {
      const AtRest one = settle(example, name, axis, steps, seed);
      sum.height += one.height / seeds;
      sum.contacts += one.contacts / seeds;
    }
  INFO(example << ": height " << host.height << " and " << device.height << " m, contacts per body " << host.contacts
               << " and " << device.contacts);
  CHECK(device.height == Approx(host.height).epsilon(0.005));
  CHECK(device.contacts == Approx(host.contacts).epsilon(contacts));
}

}  // namespace

TEST_CASE("3154 crosses at rest: height and contacts to half a percent") {
  compare("star_packing", 1, 40000, 1, 0.005);
}
TEST_CASE("10,000 spheres at rest: height and contacts to half a percent") {
  compare("sphere_box", 2, 50000, 1, 0.005);
}
TEST_CASE("tetrapods at rest: height to half a percent, contacts within the spread of seeds") {
  // 468 clumps: contacts of one seed spread by 1.2 %, the mean of four by 0.6 %.
  compare("tetrapods", 2, 80000, 4, 0.015);
}
