// Bodies far away change no bit of what a pile does: what a body feels depends on who is near it alone.

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "scenes.hpp"

using namespace scree;
using scree::test::Running;

namespace {

struct Pile {
  std::string text;    ///< of a scene in which %STRANGERS% stands for further bodies
  std::string beside;  ///< those: three of the same shape that rest on the same floor, far away
  std::uint64_t steps;
  std::size_t grains;
  std::size_t contacts;  ///< at least so many at the end
};

std::string scene_of(const Pile& pile, bool strangers) {
  std::string text = pile.text;
  const std::string mark = "%STRANGERS%";
  text.replace(text.find(mark), mark.size(), strangers ? pile.beside : "");
  return text;
}

/// Bits of the state of bodies 0 to count - 1, body by body.
std::vector<std::uint64_t> bits_of(World& world, std::size_t count) {
  std::vector<std::uint64_t> bits;
  for (Id id = 0; id < count; ++id) {
    const std::size_t i = *world.row(id);
    for (int k = 0; k < 3; ++k) {
      bits.push_back(std::bit_cast<std::uint64_t>(world.position.read()[i][k]));
      bits.push_back(std::bit_cast<std::uint64_t>(world.velocity.read()[i][k]));
      bits.push_back(std::bit_cast<std::uint64_t>(world.angular_velocity.read()[i][k]));
    }
    for (int k = 0; k < 4; ++k) bits.push_back(std::bit_cast<std::uint64_t>(world.orientation.read()[i].coeffs()[k]));
  }
  return bits;
}

void check(const Pile& pile) {
  Running alone(scene_of(pile, false)), beside(scene_of(pile, true));
  REQUIRE(beside.world().size() == alone.world().size() + 3);
  alone.steps(pile.steps);
  beside.steps(pile.steps);
  CHECK(mechanics_of(alone.prepared).pipeline().counts().contacts >= pile.contacts);
  CHECK(mechanics_of(alone.prepared).pipeline().rebuilds > 5);
  // Strangers that rest make no list older than it is.
  REQUIRE(mechanics_of(alone.prepared).pipeline().rebuilds == mechanics_of(beside.prepared).pipeline().rebuilds);
  const auto without = bits_of(alone.world(), pile.grains), with = bits_of(beside.world(), pile.grains);
  std::size_t different = 0;
  for (std::size_t k = 0; k < without.size(); ++k) different += without[k] != with[k];
  CHECK(different == 0);
}

constexpr const char* kLaw = R"("law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.05,
  "tangential": "spring", "tangential_stiffness": 500, "friction": 0.5})";

}  // namespace

TEST_CASE("three strangers far away change no bit of 1000 spheres") {
  check({fmt::format(R"({{"dimension": 3, "gravity": [0, 0, -9.81], "materials": {{"grain": {{"density": 2500}}}},
"shapes": {{"bead": {{"type": "sphere", "radius": 0.004}}, "floor": {{"type": "half-space"}}}},
"bodies": [{{"name": "grains", "shape": "bead", "material": "grain", "packing":
             {{"type": "lattice", "lower": [0, 0, 0.0045], "counts": [10, 10, 10], "spacing": 0.009, "jitter": "free"}}}},
           {{"name": "floor", "shape": "floor", "material": "grain", "fixed": true}}%STRANGERS%],
"interactions": [{{"between": ["*", "*"], {}}}],
"integrator": {{"type": "velocity-verlet", "dt": 5e-5}}, "run": {{"duration": 1}}}})",
                     kLaw),
         R"(, {"name": "strangers", "shape": "bead", "material": "grain", "packing": {"type": "list", "places":
  [{"position": [30, 0, 0.004]}, {"position": [30.008, 0, 0.004]}, {"position": [-30, 9, 0.004]}]}})",
         8000, 1000, 300});
}

TEST_CASE("three strangers far away change no bit of 300 crosses") {
  check({fmt::format(R"({{"dimension": 2, "gravity": [0, -9.81], "materials": {{"grain": {{"density": 1180}}}},
"shapes": {{"cross": {{"type": "star", "coefficients": {{"a0": 2, "sin": {{"4": 1}}}}, "radius": 0.00437, "thickness": 0.003}},
            "floor": {{"type": "half-plane", "normal": [0, 1]}}}},
"bodies": [{{"name": "grains", "shape": "cross", "material": "grain", "orientation": "random", "packing":
             {{"type": "lattice", "lower": [0, 0.008], "counts": [30, 10], "spacing": 0.0142857, "jitter": "free"}}}},
           {{"name": "floor", "shape": "floor", "material": "grain", "fixed": true}}%STRANGERS%],
"interactions": [{{"between": ["*", "*"], {}}}],
"integrator": {{"type": "symplectic-euler", "dt": 1e-4}}, "run": {{"duration": 1}}}})",
                     kLaw),
         R"(, {"name": "strangers", "shape": "cross", "material": "grain", "packing": {"type": "list", "places":
  [{"position": [30, 0.0044]}, {"position": [30.008, 0.0044]}, {"position": [-30, 0.0044]}]}})",
         5000, 300, 300});
}

TEST_CASE("three strangers far away change no bit of 200 polygons") {
  check({fmt::format(R"({{"dimension": 2, "gravity": [0, -9.81], "materials": {{"grain": {{"density": 2500}}}},
"shapes": {{"slab": {{"type": "spheropolygon", "vertices": [[-0.0055, -0.0025], [0.0055, -0.0025], [0.0055, 0.0025],
                     [-0.0055, 0.0025]], "radius": 0.0005, "thickness": 0.003}},
            "floor": {{"type": "half-plane", "normal": [0, 1]}}}},
"bodies": [{{"name": "grains", "shape": "slab", "material": "grain", "orientation": "random", "packing":
             {{"type": "lattice", "lower": [0, 0.008], "counts": [20, 10], "spacing": 0.0148, "jitter": "free"}}}},
           {{"name": "floor", "shape": "floor", "material": "grain", "fixed": true}}%STRANGERS%],
"interactions": [{{"between": ["*", "*"], {}}}],
"integrator": {{"type": "velocity-verlet", "dt": 1e-4}}, "run": {{"duration": 1}}}})",
                     kLaw),
         R"(, {"name": "strangers", "shape": "slab", "material": "grain", "packing": {"type": "list", "places":
  [{"position": [30, 0.003]}, {"position": [30.0125, 0.003]}, {"position": [-30, 0.003]}]}})",
         5000, 200, 150});
}
