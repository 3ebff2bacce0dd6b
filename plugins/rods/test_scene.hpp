#pragma once
/// \file Whole scenes in tests.

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
  for (const auto& [name, value] : s.figures())
    for (const std::string& wanted : names) sum += name == wanted ? value : 0;
  return sum;
}

}  // namespace scree::rods::test
