/// \file Bonds across the sides of a periodic cell.

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "catch.hpp"
#include "one_thread.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"

using namespace scree;

namespace {

constexpr double kLength = 0.2;  ///< length of the cell [m]

/// A bent chain of six balls, the first of which is at (x, 0.1, 0.1), and which swings and drifts.
std::string chain(double x, const std::string& periodic, const std::string& integrator = "velocity-verlet",
                  const std::string& law = R"("type": "bonded-beam", "normal_stiffness": 1e9)") {
  std::string places;
  for (int k = 0; k < 6; ++k) {
    const double along = x + 0.02 * k;
    places += fmt::format(R"({}{{"position": [{}, {}, 0.1]}})", k > 0 ? ", " : "",
                          periodic.empty() ? along : std::fmod(along, kLength), 0.1 + 0.004 * (k % 2));
  }
  return fmt::format(R"({{"dimension": 3, {}
"materials": {{"m": {{"density": 2500}}}}, "shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}}},
"bodies": [{{"name": "b", "shape": "ball", "material": "m", "velocity": [0.5, 0, 0], "angular_velocity": [0, 5, 20],
  "packing": {{"type": "list", "places": [{}]}}}}],
"bonds": [{{"between": ["b", "b"], "pairs": "touching", "gap": 0.001, "law": {{{}}}}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 1e5}}}}],
"integrator": {{"type": "{}", "dt": 2e-6}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                     periodic.empty() ? "" : "\"periodic\": " + periodic + ",", places, law, integrator);
}

const char* const kCell = R"({"x": [0, 0.2], "y": [0, 0.2], "z": [0, 0.2]})";

Vec3 place_of(const Simulation& s, Id id) { return s.world().position[*s.world().row(id)]; }

std::string refusal_of(const std::string& scene) {
  try {
    Simulation::from_text(scene);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a chain moves across the sides of its cell as it does in open space") {
  Simulation open = Simulation::from_text(chain(0.15, "")), periodic = Simulation::from_text(chain(0.15, kCell));
  REQUIRE(open.world().bonds().alive() == 5);
  REQUIRE(periodic.world().bonds().alive() == 5);
  for (int k = 0; k < 5; ++k) {
    open.step(20000);  // 0.02 m: every body crosses a side in the end
    periodic.step(20000);
    for (Id id = 0; id < 6; ++id)
      CHECK(periodic.world().cell.shortest(place_of(open, id) - place_of(periodic, id)).norm() < 1e-9);
  }
  CHECK(periodic.world().bonds().alive() == 5);
}

TEST_CASE("a chain that closes through its cell bears tension all round") {
  std::string places;
  for (int k = 0; k < 10; ++k)
    places += fmt::format(R"({}{{"position": [{}, 0, 0]}})", k > 0 ? ", " : "", 0.01 + 0.02 * k);
  Simulation s = Simulation::from_text(fmt::format(R"({{"dimension": 3, "periodic": {{"x": [0, 0.2]}},
"materials": {{"m": {{"density": 2500}}}}, "shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}}},
"bodies": [{{"name": "b", "shape": "ball", "material": "m", "packing": {{"type": "list", "places": [{}]}}}}],
"bonds": [{{"between": ["b", "b"], "pairs": "touching", "gap": 1e-6, "law": {{"type": "bonded-beam", "youngs_modulus": 1e7}}}}],
"interactions": [{{"between": ["*", "*"], "law": "none"}}],
"integrator": {{"type": "velocity-verlet", "dt": 1e-6}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                                                   places));
  REQUIRE(s.world().bonds().alive() == 10);
  s.world().cell.edges(0, 0) *= 1.01;  // strain of 1 % in one bond, which all share in the end
  s.step(3);
  double force = 0;
  for (std::size_t i = 0; i < 10; ++i) force += Vec3(s.world().column<Vec3>("force")[i]).x();
  CHECK(std::abs(force) < 1e-9);
  CHECK(Vec3(s.world().column<Vec3>("force")[*s.world().row(9)]).x() > 0.1);
}

TEST_CASE("what cannot reach across the sides of a cell is refused") {
  CHECK(
      refusal_of(chain(0.15, kCell, "velocity-verlet",
                       R"("type": "elastic-rod", "youngs_modulus": 1e7, "shear_modulus": 4e6)"))
          .find(
              "bonds of law \"elastic-rod\" do not reach across the sides of a periodic cell. Remove /periodic or the "
              "bonds, or choose \"bonded-beam\".") != std::string::npos);
  CHECK(refusal_of(chain(0.15, kCell, "variational"))
            .find("integrator \"variational\" takes bonds implicitly, and does not know those that reach across the "
                  "sides of a periodic cell. Choose an explicit integrator") != std::string::npos);
  CHECK(refusal_of(chain(0.15, R"({"x": [0, 0.2], "z": [0.08, 0.12]})"))
            .find("and the periodic cell is only 0.040000 m long in z; bonds need a cell of 2.5 times their length.") !=
        std::string::npos);
}
