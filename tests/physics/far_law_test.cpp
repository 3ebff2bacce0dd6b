// What a law with a range does to bodies that it does not concern: nothing.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

#include "catch.hpp"
#include "scenes.hpp"

using namespace scree;
using scree::test::Running;

namespace {

/// The lower part of a settled pile of crosses, and two discs 20 m away with a law of their own: their surfaces are
/// 0.9 mm apart, which is farther than the other law's range and within any list.
std::string pile_and_discs(const std::string& law_of_discs, std::size_t crosses) {
  struct Place {
    double x, y, angle;
  };
  std::vector<Place> places;
  std::ifstream file(SCREE_PILE_FILE);
  for (std::string line; std::getline(file, line);) {
    double x, y, angle;
    if (std::sscanf(line.c_str(), "%lf %lf %lf", &x, &y, &angle) == 3) places.push_back({1e-3 * x, 1e-3 * y, angle});
  }
  REQUIRE(places.size() == 3154);
  std::ranges::sort(places, {}, &Place::y);
  places.resize(crosses);
  std::string list;
  for (const Place& p : places)
    list += fmt::format(R"({{"position": [{}, {}], "orientation": {}}},)", p.x, p.y, p.angle);
  list.pop_back();
  return fmt::format(
      R"({{"dimension": 2, "gravity": [0, -9.81], "materials": {{"grain": {{"density": 1180}}, "glue": {{"density": 1000}}}},
"shapes": {{"cross": {{"type": "star", "coefficients": {{"a0": 2, "sin": {{"4": 1}}}}, "radius": 0.00437, "thickness": 0.003}},
            "disc": {{"type": "sphere", "radius": 0.004, "thickness": 0.003}}}},
"bodies": [{{"name": "grains", "shape": "cross", "material": "grain", "packing": {{"type": "list", "places": [{}]}}}},
           {{"name": "glue", "shape": "disc", "material": "glue",
             "packing": {{"type": "list", "places": [{{"position": [20, 0]}}, {{"position": [20.0089, 0]}}]}}}}],
"interactions": [{{"between": ["grain", "grain"], "law": {{"type": "linear", "normal_stiffness": 1000,
                   "normal_damping": 0.1, "tangential": "spring", "tangential_stiffness": 500, "friction": 0.5}}}},
                 {{"between": ["glue", "glue"], "law": {}}}, {{"between": ["glue", "*"], "law": "none"}}],
"integrator": {{"type": "symplectic-euler", "dt": 1e-4}}, "output": {{"writers": []}},
"run": {{"duration": 1, "max_initial_overlap": 1}}}})",
      list, law_of_discs);
}

}  // namespace

TEST_CASE("two discs with a law that has a range change no bit of a pile of crosses 20 m away") {
  const std::string linear = R"({"type": "linear", "normal_stiffness": 1000})";
  const std::string attracting = R"({"type": "lennard-jones", "well_depth": 1e-6, "distance": 0.0005})";
  Running alone(pile_and_discs(linear, 400)), beside(pile_and_discs(attracting, 400));
  for (int k = 0; k < 20; ++k) {
    for (Running* run : {&alone, &beside}) {
      mechanics_of(run->prepared).pipeline().compute_energy(true);
      run->steps(1);
    }
    const ContactTotals &a = mechanics_of(alone.prepared).pipeline().counts(),
                        &b = mechanics_of(beside.prepared).pipeline().counts();
    REQUIRE(a.contacts > 200);
    REQUIRE(a.contacts == b.contacts);
    REQUIRE(a.elastic_energy == b.elastic_energy);
    REQUIRE(state_hash(alone.world()) == state_hash(beside.world()));
  }
  // Gaps are what the fast path of crosses does not look for.
  int with_margin = 0;
  for (const Channel& channel : beside.prepared.methods.channels) with_margin += channel.margin > 0;
  CHECK(with_margin == 1);
  CHECK(beside.prepared.methods.channels.size() == 2);
}
