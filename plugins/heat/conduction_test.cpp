// Formulas of heat through contacts.

#include <cmath>
#include <limits>
#include <span>

#include "catch.hpp"
#include "conduction.hpp"
#include "heat.hpp"

using namespace scree;
using namespace scree::heat;

namespace {
constexpr double kFlat = std::numeric_limits<double>::infinity();
}

TEST_CASE("radius of a contact: Hertz's, and the circle in which two spheres cross") {
  CHECK(hertz_radius(0.5, 0.02) == Approx(0.1).epsilon(1e-15));
  CHECK(hertz_radius(0.5, 0) == 0);
  CHECK(hertz_radius(0.5, -1e-3) == 0);  // a gap: no root of what is below 0
  // Two unit spheres 1.6 apart cross in a circle of 0.6; a sphere cut by a plane 0.8 from its centre too.
  CHECK(crossing_radius(1, 1, 0.4) == Approx(0.6).epsilon(1e-14));
  CHECK(crossing_radius(1, kFlat, 0.2) == Approx(0.6).epsilon(1e-14));
  CHECK(crossing_radius(kFlat, 1, 0.2) == crossing_radius(1, kFlat, 0.2));
  // A circle of 4 is 3 from the centre of a sphere of 5, and sqrt(153) from that of a sphere of 13.
  CHECK(crossing_radius(5, 13, 18 - 3 - std::sqrt(153.0)) == Approx(4).epsilon(1e-14));
  CHECK(crossing_radius(1, 1, -0.1) == 0);
  CHECK(crossing_radius(1, 3, 3) == 0);  // one is within the other
  // Small overlaps: sqrt(2) times Hertz's, less a part d/R.
  CHECK(crossing_radius(1, 3, 1e-6) / hertz_radius(0.75, 1e-6) == Approx(std::sqrt(2)).epsilon(1e-6));
  CHECK(crossing_radius(3, kFlat, 1e-6) / hertz_radius(3, 1e-6) == Approx(std::sqrt(2)).epsilon(1e-6));
}

TEST_CASE("conductance: 2 k a of equal materials; the worse conductor decides") {
  CHECK(conductance(0.1, 3, 3) == Approx(2 * 3 * 0.1).epsilon(1e-15));
  CHECK(conductance(0.1, 3, 7) == conductance(0.1, 7, 3));
  CHECK(conductance(0.1, 1e-3, 1e6) == Approx(4 * 0.1 * 1e-3).epsilon(1e-8));
}

TEST_CASE("softness: the corrected radius is that of the real material") {
  // Under a force: a^3 = 3 F R*/(4 E*). In a collision the largest overlap is (15 m v^2/(16 sqrt(R*) E*))^(2/5).
  const double soft = 1e6, real = 7e10, force = 0.3, size = 1e-3;
  const auto held = [&](double e) { return std::cbrt(3 * force * size / (4 * e)); };
  CHECK(held(soft) * softness_factor(soft, real, 1.0 / 3) == Approx(held(real)).epsilon(1e-13));
  const auto hit = [&](double e) {
    return hertz_radius(size, std::pow(15 * 1e-5 * 0.04 / (16 * std::sqrt(size) * e), 0.4));
  };
  CHECK(hit(soft) * softness_factor(soft, real, 1.0 / 5) == Approx(hit(real)).epsilon(1e-13));
}

TEST_CASE("effusivity: two touching half-spaces share heat as their conduction does") {
  CHECK(effusivity(400, 8900, 385) == Approx(std::sqrt(400.0 * 8900 * 385)).epsilon(1e-15));
}

TEST_CASE("states of heat that no run writes are refused") {
  Heat heat(Options::parse(R"({"interval": 1, "temperature": 300, "radius": "hertz", "dissipation": false,
    "most_substeps": 9, "conditions": [], "changes": [], "materials": [{"material": "m", "conductivity": 1, "heat_capacity": 1}]})"));
  std::vector<std::byte> state = heat.save();
  CHECK_NOTHROW(heat.load(state));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto bytes = std::as_bytes(std::span(&nan, 1));
  CHECK_THROWS_WITH(heat.load({bytes.begin(), bytes.end()}),
                    Catch::Contains("heat: its state in the checkpoint holds what is no number"));
  state.pop_back();
  CHECK_THROWS_WITH(heat.load(state), Catch::Contains("heat: its state in the checkpoint has another size"));
}
