#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

#include "catch.hpp"
#include "scenes.hpp"
#include "scree/shape/radial_shape.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// Mass of a body in a plane of 2000 kg/m^3 whose shape says nothing of its thickness [kg].
double mass_of(const std::string& shape) {
  Running run(fmt::format(R"({{"dimension": 2, "materials": {{"m": {{"density": 2000}}}}, "shapes": {{"s": {}}},
"bodies": [{{"shape": "s", "material": "m"}}],
"integrator": {{"type": "symplectic-euler", "dt": 1e-4}}, "run": {{"duration": 1e-4}}}})",
                          shape));
  return run.prepared.world->mass.read()[0];
}

class Disc : public RadialShape2D {
 public:
  Disc() { derive({.max_radius = 0.01}); }
  double radius(double) const override { return 1; }
};

const char* const kTwoShapes = R"({{"dimension": 2, "materials": {{"m": {{"density": 2000}}}},
"shapes": {{"a": {{"type": "sphere", "radius": 0.01}}, "b": {{"type": "circle", "radius": 0.01, "thickness": {}}}}},
"bodies": [{{"shape": "a", "material": "m"}}, {{"shape": "b", "material": "m", "position": [1, 0]{}}}],
"interactions": [{{"between": ["m", "m"], "law": "none"}}],
"integrator": {{"type": "symplectic-euler", "dt": 1e-4}}, "run": {{"duration": 1e-4}}}})";

std::size_t warnings(const char* thickness, const char* more) {
  Running run(fmt::format(fmt::runtime(kTwoShapes), thickness, more));
  return run.prepared.warnings.size();
}

}  // namespace

TEST_CASE("a disc has the mass of a disc 1 m thick, whatever shape describes it") {
  const double expected = 2000 * std::numbers::pi * 1e-4;
  CHECK(mass_of(R"({"type": "sphere", "radius": 0.01})") == Approx(expected).epsilon(1e-14));
  CHECK(mass_of(R"({"type": "circle", "radius": 0.01})") == Approx(expected).epsilon(1e-14));
  CHECK(mass_of(R"({"type": "clump", "spheres": [{"position": [0, 0], "radius": 0.01}]})") ==
        Approx(expected).epsilon(1e-12));
  CHECK(mass_of(R"({"type": "star", "coefficients": {"a0": 1}, "radius": 0.01})") == Approx(expected).epsilon(1e-12));
  CHECK(Disc().mass(2000).mass == Approx(expected).epsilon(1e-12));
  // A polygon has an extent of its own: a square of a thousandth of the radius, swept by the rest.
  CHECK(mass_of(R"({"type": "spheropolygon", "vertices": [[0, 0], [1e-5, 0], [1e-5, 1e-5], [0, 1e-5]],
                    "radius": 0.01})") == Approx(expected).epsilon(2e-3));
}

TEST_CASE("a square has one mass as box and as polygon") {
  CHECK(mass_of(R"({"type": "box", "half_sizes": [0.01, 0.01]})") == Approx(2000 * 4e-4).epsilon(1e-14));
  CHECK(mass_of(R"({"type": "spheropolygon", "vertices": [[-0.01, -0.01], [0.01, -0.01], [0.01, 0.01], [-0.01, 0.01]],
                    "radius": 1e-6})") == Approx(2000 * 4e-4).epsilon(3e-4));
}

TEST_CASE("free bodies of two thicknesses in a plane get a warning, walls do not") {
  CHECK(warnings("1", "") == 0);
  CHECK(warnings("0.003", "") == 1);
  CHECK(warnings("0.003", R"(, "fixed": true)") == 0);
}
