// The packing "fill", through scenes: what was asked for is there, within the region, and nothing touches.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"

using namespace scree;

namespace {

/// \param fill  options of the packing after its region
/// \param entry  further keys of the entry  \param before  entries before it, each with a comma behind
std::string scene3(const std::string& region, const std::string& fill, const std::string& entry = "",
                   const std::string& before = "") {
  return fmt::format(R"({{"dimension": 3,
    "materials": {{"g": {{"density": 2500}}, "w": {{}}}},
    "shapes": {{"bead": {{"type": "sphere", "radius": 0.01}}, "small": {{"type": "sphere", "radius": 0.005}},
                "cone": {{"type": "frustum", "lower_radius": 0.02, "upper_radius": 0.1, "length": 0.2, "inside": true}}}},
    "bodies": [{}{{"name": "grains", "material": "g", "packing": {{"type": "fill", "region": {}, {}}}{}}}],
    "interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 1000}}}}],
    "integrator": {{"type": "velocity-verlet", "dt": 1e-5}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                     before, region, fill, entry);
}

const std::string kCylinder = R"({"type": "cylinder", "centre": [0, 0, 0.2], "radius": 0.1, "length": 0.3})";
const std::string kBead = R"(, "shape": "bead")", kBoth = R"(, "shape": ["bead", "small"])";

struct Grain {
  Vec3 x;
  double r, m;
  std::uint32_t shape;
  bool operator==(const Grain&) const = default;
};

/// Returns the grains that move freely.
std::vector<Grain> grains(const std::string& scene) {
  Simulation run = Simulation::from_text(scene);
  const World& w = run.world();
  std::vector<Grain> all;
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w.inverse_mass.read()[i] > 0)
      all.push_back({w.position.read()[i], w.radius.read()[i], w.mass.read()[i], w.shape.read()[i]});
  return all;
}

double mass_of(const std::vector<Grain>& all) {
  double sum = 0;
  for (const Grain& g : all) sum += g.m;
  return sum;
}

/// The least gap between two surfaces [m].
double least_gap(const std::vector<Grain>& all) {
  double least = 1e300;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, (all[i].x - all[j].x).norm() - all[i].r - all[j].r);
  return least;
}

void check_in_cylinder(const std::vector<Grain>& all) {
  for (const Grain& g : all) {
    CHECK(std::hypot(g.x[0], g.x[1]) + g.r <= 0.1 + 1e-15);
    CHECK(std::abs(g.x[2] - 0.2) + g.r <= 0.15 + 1e-15);
  }
}

std::string refusal(const std::string& scene) {
  try {
    grains(scene);
    return "no error";
  } catch (const InputError& e) {
    return e.what();
  }
}

constexpr double kBeadMass = 2500 * 4 * std::numbers::pi / 3 * 1e-6, kVolume = std::numbers::pi * 0.1 * 0.1 * 0.3;

}  // namespace

TEST_CASE("fill: a number of spheres within a cylinder, apart by the gap, the same by the seed") {
  const std::string scene = scene3(kCylinder, R"("number": 300, "gap": 0.001)", kBead);
  const auto all = grains(scene);
  REQUIRE(all.size() == 300);
  check_in_cylinder(all);
  CHECK(least_gap(all) >= 0.001 - 1e-15);
  CHECK(grains(scene) == all);
  CHECK(grains(scene3(kCylinder, R"("number": 300, "gap": 0.001)", kBead + R"(, "seed": 2)")) != all);
}

TEST_CASE("fill: a mass and a solid fraction are met to half a body, with sizes too") {
  const std::string sizes = R"(, "scale": {"type": "uniform", "lower": 0.3, "upper": 1})";
  for (const std::string& entry : {kBead, kBead + sizes}) {
    const auto by_mass = grains(scene3(kCylinder, R"("mass": 1.5)", entry));
    CHECK(std::abs(mass_of(by_mass) - 1.5) <= kBeadMass / 2 * (1 + 1e-9));
    CHECK(least_gap(by_mass) >= -1e-15);
    check_in_cylinder(by_mass);
    const auto by_fraction = grains(scene3(kCylinder, R"("solid_fraction": 0.25)", entry));
    CHECK(std::abs(mass_of(by_fraction) / 2500 - 0.25 * kVolume) <= kBeadMass / 2500 / 2 * (1 + 1e-9));
    CHECK(least_gap(by_fraction) >= -1e-15);
  }
}

TEST_CASE("fill: in 2D scaled discs count with their area, to half a disc") {
  const auto scene = [](const std::string& fill, const std::string& scale) {
    return fmt::format(R"({{"dimension": 2, "materials": {{"g": {{"density": 2500}}}},
      "shapes": {{"disc": {{"type": "sphere", "radius": 0.01}}}},
      "bodies": [{{"shape": "disc", "material": "g", "scale": {}, "packing": {{"type": "fill", {},
                   "region": {{"type": "box", "lower": [0, 0], "upper": [0.3, 0.2]}}}}}}],
      "interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 1000}}}}],
      "integrator": {{"type": "velocity-verlet", "dt": 1e-5}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                       scale, fill);
  };
  for (const char* const scale : {"0.5", R"({"type": "uniform", "lower": 0.3, "upper": 0.6})"}) {
    INFO(scale);
    double area = 0, largest = 0, heaviest = 0;
    for (const Grain& g : grains(scene(R"("solid_fraction": 0.3)", scale))) {
      area += std::numbers::pi * g.r * g.r;
      largest = std::max(largest, std::numbers::pi * g.r * g.r);
    }
    CHECK(std::abs(area - 0.3 * 0.3 * 0.2) <= largest / 2 * (1 + 1e-9));
    const auto by_mass = grains(scene(R"("mass": 20)", scale));
    for (const Grain& g : by_mass) heaviest = std::max(heaviest, g.m);
    CHECK(by_mass.size() > 20);
    CHECK(std::abs(mass_of(by_mass) - 20) <= heaviest / 2 * (1 + 1e-9));
  }
}

TEST_CASE("fill: shapes take turns, or shares of the number or of the mass") {
  const auto count = [](const std::vector<Grain>& all, double radius) {
    return std::count_if(all.begin(), all.end(), [&](const Grain& g) { return std::abs(g.r - radius) < 1e-12; });
  };
  const auto turns = grains(scene3(kCylinder, R"("number": 401)", kBoth));
  CHECK(count(turns, 0.01) == 201);
  const auto by_number = grains(scene3(kCylinder, R"("number": 500, "shares": [1, 3])", kBoth));
  CHECK(std::abs(count(by_number, 0.01) - 125) < 4 * std::sqrt(500 * 0.25 * 0.75));  // four deviations
  const auto by_mass = grains(scene3(kCylinder, R"("mass": 1.5, "shares": [1, 1], "by": "mass")", kBoth));
  double large = 0;
  for (const Grain& g : by_mass) large += g.r > 0.007 ? g.m : 0;
  CHECK(large / mass_of(by_mass) == Approx(0.5).margin(4 * 0.5 * std::sqrt(kBeadMass / 1.5)));  // of single beads
}

TEST_CASE("fill: bodies of entries before are in the way with their surfaces, a container's inside is free") {
  const std::string cone = R"({"shape": "cone", "material": "w", "fixed": true, "position": [0, 0, 0]}, )";
  const std::string box = R"({"type": "box", "lower": [-0.1, -0.1, -0.1], "upper": [0.1, 0.1, 0.1]})";
  const auto all = grains(scene3(box, R"("number": 60)", kBead, cone));
  REQUIRE(all.size() == 60);
  const double slope = (0.1 - 0.02) / 0.2, cosine = 1 / std::hypot(1, slope);
  for (const Grain& g : all) CHECK((0.06 + slope * g.x[2] - std::hypot(g.x[0], g.x[1])) * cosine >= g.r - 1e-12);
  CHECK(least_gap(all) >= -1e-15);
}

TEST_CASE("fill: what cannot be is refused with what to do") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(
      refusal(scene3(kCylinder, R"("number": 5, "mass": 1)", kBead)),
      ContainsSubstring("/packing: nothing says, or several options say, how much is to fill the region. Give one "
                        "of \"number\", \"mass\" and \"solid_fraction\"."));
  CHECK_THAT(refusal(scene3(kCylinder, R"("solid_fraction": 0.5)", kBead)),
             ContainsSubstring("/packing/region: 676 bodies would fill 0.3") &&
                 ContainsSubstring("random places can fill 0.3 of it. Enlarge the region, ask for less"));
  CHECK_THAT(refusal(scene3(R"({"type": "box", "lower": [0, 0, 0], "upper": [0.015, 1, 1]})", R"("number": 1)", kBead)),
             ContainsSubstring("/packing/region: no room for a body with a bounding radius of 0.01 m: 100000 places "
                               "were tried, after 0 of 1 bodies had filled 0 of the region."));
  CHECK_THAT(
      refusal(scene3(R"({"type": "half-space", "point": [0, 0, 0], "normal": [0, 0, 1]})", R"("number": 1)", kBead)),
      ContainsSubstring("/packing/region: has no end or no volume."));
  CHECK_THAT(refusal(scene3(kCylinder, R"("number": 5, "shares": [1])", kBoth)),
             ContainsSubstring("/packing/shares: 1 shares for 2 shapes of the entry. Give one per shape."));
}

TEST_CASE("fill: a periodic cell is filled up to its sides and across them, without overlap") {
  // A slab between walls in z, periodic in x and y.
  const std::string periodic = R"("periodic": {"x": [0, 0.2], "y": [0, 0.2]}, )";
  const std::string box = R"({"type": "box", "lower": [0, 0, 0], "upper": [0.2, 0.2, 0.1]})";
  std::string scene = scene3(box, R"("solid_fraction": 0.3)", kBead);
  scene.insert(1, periodic);
  const auto all = grains(scene);
  int at_sides = 0;
  double least = 1e300;
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].x[2] >= 0.01);
    CHECK(all[i].x[2] <= 0.09);
    at_sides += all[i].x[0] < 0.01 || all[i].x[0] > 0.19;
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(least, PeriodicCell(Vec3::Zero(), Vec3(0.2, 0.2, 0)).shortest(all[i].x - all[j].x).norm());
  }
  CHECK(least >= 0.02 - 1e-15);
  // A tenth of the slab lies so near to its sides in x.
  CHECK(at_sides > 0.05 * static_cast<double>(all.size()));
}

TEST_CASE("fill: keeps clear of walls that are listed behind it") {
  const std::string box = R"({"type": "box", "lower": [-0.1, -0.1, 0], "upper": [0.1, 0.1, 0.2]})";
  std::string scene = scene3(box, R"("number": 100)", kBead);
  const std::string wall =
      R"(, {"name": "cone", "shape": "cone", "material": "w", "fixed": true, "position": [0, 0, 0.1]})";
  const auto at = scene.find("],\n    \"interactions\"");
  REQUIRE(at != std::string::npos);
  scene.insert(at, wall);
  const auto all = grains(scene);
  REQUIRE(all.size() == 100);
  for (const Grain& g : all) {  // in the cone: radius 0.02 at its lower end, 0.1 at the upper one, 0.2 apart
    const double radius = 0.02 + 0.08 * g.x[2] / 0.2;
    CHECK((radius - std::hypot(g.x[0], g.x[1])) * 0.2 / std::hypot(0.2, 0.08) >= g.r - 1e-12);
  }
}
