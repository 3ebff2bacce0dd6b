// Two simulations of one scene in one program: in one of them gravity turns after 0.3 s.
#include <fmt/format.h>

#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"

namespace {

/// Height of the highest bead's centre [m].
double top(const scree::Simulation& simulation) {
  double highest = 0;
  for (const scree::Vec3& x : simulation.world().position.read()) highest = std::max(highest, x.z());
  return highest;
}

}  // namespace

int main(int count, char** words) try {
  const std::string file = count > 1 ? words[1] : "scene.json";
  scree::Simulation still = scree::Simulation::from_file(file);
  scree::Simulation tilted = scree::Simulation::from_file(file);
  for (scree::Simulation* s : {&still, &tilted}) s->run_until(0.3);
  fmt::print("0.3 s: {} contacts, top at {:.4f} m\n", still.contacts().size(), top(still));

  const auto settled = tilted.snapshot();
  tilted.set_gravity({4.905, 0, -8.496});  // by 30 degrees
  for (scree::Simulation* s : {&still, &tilted}) s->run_until(0.6);
  fmt::print("0.6 s: top at {:.4f} m, tilted {:.4f} m\n", top(still), top(tilted));

  tilted.restore(*settled);
  tilted.set_gravity({0, 0, -9.81});
  tilted.run_until(0.6);
  fmt::print("again without tilt: {}\n", top(tilted) == top(still) ? "the same" : "different");
} catch (const scree::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
