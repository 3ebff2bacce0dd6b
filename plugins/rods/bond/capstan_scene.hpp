#pragma once
/// \file A cable over a drum, for tests.

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

#include "test_scene.hpp"

namespace scree::rods::test {

/// Two weights, 1 and `ratio` times 0.1 kg, on a cable over a drum of radius 50 mm. Its radius is 0.004 of that, and
/// `links` links lie on half a turn.
inline std::string capstan(int links, double ratio) {
  const double drum = 0.05, radius = 0.0002, angle = std::numbers::pi / links;
  const double length = 2 * (drum + radius) * std::tan(angle / 2), corner = (drum + radius) / std::cos(angle / 2);
  const double side = drum + radius, hangs = 4.5 * length;
  // In axes whose z points up, from the lower end of the cable.
  std::string points = "[0, 0, 0]";
  for (int k = 0; k < links; ++k)
    points += fmt::format(", [{:.17g}, 0, {:.17g}]", corner * std::cos((k + 0.5) * angle) - side,
                          corner * std::sin((k + 0.5) * angle) + hangs);
  points += fmt::format(", [{:.17g}, 0, -1e-6]", -2 * side);
  const std::string rod = R"("law": {"type": "elastic-rod", "stiffness": {"EA": 1e4, "EI": [5e-7], "GJ": 5e-7}})";
  return fmt::format(
      R"({{"dimension": 3, "gravity": [0, -9.81, 0],
      "materials": {{"cable": {{"density": 1e4}}, "light": {{"density": 373019.4}}, "heavy": {{"density": {}}}}},
      "shapes": {{"link": {{"type": "capsule", "length": {:.17g}, "radius": {}, "mass_of": "cylinder"}},
                 "weight": {{"type": "sphere", "radius": 0.004}}, "drum": {{"type": "cylinder", "radius": {}, "length": 0.02}}}},
      "bodies": [
        {{"name": "cable", "shape": "link", "material": "cable",
         "packing": {{"type": "strands", "segments": {}, "points": [{}],
                     "roots": {{"normal": [0, 1, 0], "positions": [[{:.17g}, {:.17g}, 0]]}}}}}},
        {{"name": "drum", "shape": "drum", "material": "light", "fixed": true}},
        {{"name": "light", "shape": "weight", "material": "light", "position": [{:.17g}, {:.17g}, 0]}},
        {{"name": "heavy", "shape": "weight", "material": "heavy", "position": [{:.17g}, {:.17g}, 0]}}],
      "bonds": [{{"between": ["cable", "cable"], {}}}, {{"between": ["light", "cable"], "pairs": "roots", {}}},
                {{"between": ["heavy", "cable"], "pairs": "tips", {}}}],
      "interactions": [{{"between": ["*", "*"], "law": {{"type": "coulomb", "friction": 0.3}}}}],
      "integrator": {{"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-8, "slop": 1e-6}}, "run": {{"duration": 1}}}})",
      373019.4 * ratio, length, radius, drum, links + 9, points, side, -hangs, side, -hangs, -side, -hangs, rod, rod,
      rod);
}

/// The heavy weight comes to weigh `part` of what makes the cable slip, after a rest at 0.98 of it: its speed 0.06 s
/// later, downwards [m/s]. Links that slip further leave the drum, and others come to it.
inline double sinks(int links, double limit, double part) {
  Simulation s = made(capstan(links, 0.98 * limit));
  s.run_until(0.3);
  World& world = s.world();
  const auto row = [&] { return *world.row(static_cast<Id>(links) + 11); };
  world.mass.write()[row()] *= part / 0.98;
  world.inverse_mass.write()[row()] *= 0.98 / part;
  s.run_until(0.36);
  return -world.velocity.read()[row()].y();
}

}  // namespace scree::rods::test
