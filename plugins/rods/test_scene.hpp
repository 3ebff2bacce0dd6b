#pragma once
/// \file Whole scenes in tests.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scree/run/simulation.hpp"

namespace scree::rods::test {

/// Nothing is written, so that the tests need no writers.
inline Simulation made(const std::string& json, std::vector<std::string> sets = {}, int threads = 0) {
  sets.push_back("/output/writers=[]");
  return Simulation::from_text(json, {.sets = std::move(sets), .threads = threads});
}

/// The sum of some figures of now.
inline double figures(Simulation& s, const std::vector<std::string>& names) {
  double sum = 0;
  for (const auto& [name, value] : s.metrics())
    for (const std::string& wanted : names) sum += name == wanted ? value : 0;
  return sum;
}

/// Returns the momentum of all that moves freely [kg m/s].
inline Vec3 momentum(Simulation& s) {
  const World& world = s.world();
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (world.inverse_mass.read()[i] > 0) sum += world.mass.read()[i] * world.velocity.read()[i];
  return sum;
}

/// [m/s]
inline double largest_speed(Simulation& s) {
  double speed = 0;
  for (const Vec3& v : s.world().velocity.read()) speed = std::max(speed, v.norm());
  return speed;
}

}  // namespace scree::rods::test
