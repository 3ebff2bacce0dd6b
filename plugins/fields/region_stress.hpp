#pragma once
/// \file A dense periodic cell that is sheared, with the stress that region-meter writes of it.

#include <fmt/format.h>

#include <memory>

#include "fields_scenes.hpp"
#include "scree/run/simulation.hpp"
#include "temporary_folder.hpp"

namespace scree::fields::test {

struct ShearedCell {
  std::shared_ptr<Simulation> simulation;
  ContactView contacts;
  Mat3 stress;  ///< stress of region-meter [Pa]
  const World& world() const { return simulation->world(); }
};

/// Dense grains with a smooth shear flow, after some steps.
inline ShearedCell sheared_cell(int dimension) {
  const bool flat = dimension == 2;
  const int side = flat ? 10 : 6;
  const double length = 0.98 * side;
  const scree::test::TemporaryFolder folder;
  const auto corner = [&](double x) { return flat ? fmt::format("[{0}, {0}]", x) : fmt::format("[{0}, {0}, {0}]", x); };
  const std::string scene = fmt::format(
      R"({{"dimension": {0}, "gravity": {5}, "periodic": {{"x": [0, {1}], "y": [0, {1}]{2}}},
"materials": {{"m": {{"density": 1}}}}, "shapes": {{"grain": {{"type": "sphere", "radius": 0.5}}}},
"bodies": [{{"shape": "grain", "material": "m", "seed": 3, "random_speed": 0.5,
  "packing": {{"type": "lattice", "lower": {3}, "counts": {4}, "spacing": 0.98}}}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 1000, "restitution": 0.5,
  "tangential": "spring", "tangential_stiffness": 500, "friction": 0.5}}}}],
"hooks": [{{"type": "region-meter", "name": "cell", "interval": 0.02,
            "region": {{"type": "box", "lower": {5}, "upper": {6}}}}}],
"integrator": {{"type": "velocity-verlet", "dt": 1e-3}}, "run": {{"duration": 0.02}}, "output": {{"writers": []}}}})",
      dimension, length, flat ? "" : fmt::format(R"(, "z": [0, {}])", length), corner(0.4),
      flat ? fmt::format("[{0}, {0}]", side) : fmt::format("[{0}, {0}, {0}]", side), corner(0), corner(length));
  ShearedCell cell;
  cell.simulation = std::make_shared<Simulation>(Simulation::from_text(scene, {.out = folder.path().string()}));
  World& world = cell.simulation->world();
  {
    const auto v = world.velocity.write();
    for (std::size_t i = 0; i < world.size(); ++i)
      v[i][0] += 2 * std::sin(6.283185307179586 * world.position[i][1] / length);
  }
  cell.simulation->run_until(0.02);
  cell.contacts = cell.simulation->contacts();
  cell.simulation->close();
  const auto row = meters::read(folder / "cell.csv").back();
  const auto s = [&](const char* at) { return row.at(std::string("stress_") + at + "_Pa"); };
  cell.stress << s("xx"), s("xy"), s("zx"), s("xy"), s("yy"), s("yz"), s("zx"), s("yz"), s("zz");
  return cell;
}

}  // namespace scree::fields::test
