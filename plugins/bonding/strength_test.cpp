/// \file A single parallel bond between two driven balls: what it carries, and the load at which it breaks, against the
/// formulas of Potyondy and Cundall (2004).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "catch.hpp"
#include "scree/run/simulation.hpp"
#include "verify.hpp"

using namespace scree;

namespace {

constexpr double kRadius = 0.01, kNormal = 1e10, kShear = 4e9;  // [m], [Pa/m]
constexpr double kTensile = 1e4, kShearStrength = 3e3;          // [Pa]
constexpr double kStep = 1e-6, kMultiplier = 0.8;               // [s], [-]
constexpr double kSection = kMultiplier * kRadius;              // radius of the bond [m]

/// Motion of the two balls in one step: they lie along x.
struct Load {
  Vec3 way = Vec3::Zero();   ///< way of the second ball [m]
  Vec3 turn = Vec3::Zero();  ///< turn of the second ball [rad]; the first one turns back by as much
};

std::string motion(const Vec3& velocity, const Vec3& spin, int dimension) {
  if (dimension == 2)
    return fmt::format(R"("motion": {{"velocity": [{}, {}], "angular_velocity": {}}})", velocity.x(), velocity.y(),
                       spin.z());
  return fmt::format(R"("motion": {{"velocity": [{}, {}, {}], "angular_velocity": [{}, {}, {}]}})", velocity.x(),
                     velocity.y(), velocity.z(), spin.x(), spin.y(), spin.z());
}

Simulation loaded(const Load& load, int dimension = 3, const std::string& law = "", const std::string& places = "") {
  const std::string rest = dimension == 2 ? "0" : "0, 0";
  Simulation s = Simulation::from_text(fmt::format(
      R"({{"dimension": {}, "materials": {{"m": {{"density": 2500}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": {}}}}},
"bodies": [{{"name": "a", "shape": "ball", "material": "m", "position": [0, {}], {}}},
           {{"name": "b", "shape": "ball", "material": "m", "position": [0.02, {}], {}}}],
"bonds": [{{"between": ["a", "b"], "pairs": "touching", "gap": 1e-9, "radius_multiplier": {},
  "law": {{"type": "bonded-beam", "normal_stiffness": {}, "shear_stiffness": {}, "tensile_strength": {},
           "shear_strength": {}{}}}}}],
"interactions": [{{"between": ["*", "*"], "law": "none"}}],
"integrator": {{"type": "velocity-verlet", "dt": {}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}{}}})",
      dimension, kRadius, rest, motion(Vec3::Zero(), -load.turn / 2 / kStep, dimension), rest,
      motion(load.way / kStep, load.turn / 2 / kStep, dimension), kMultiplier, kNormal, kShear, kTensile,
      kShearStrength, law, kStep, places));
  s.step();
  return s;
}

double value(Simulation& s, const std::string& name) {
  const BondValues values = s.bonds();
  const auto found = std::ranges::find(values.columns, name, &BondValues::Column::name);
  REQUIRE(found != values.columns.end());
  return found->value.at(0);
}

bool holds(const Simulation& s) { return s.world().bonds().alive() == 1; }

/// The load at which a bond breaks, by kind, with the strengths above.
struct Kind {
  const char* name;
  Load limit;
};

const double kTurn = kTensile / (kNormal * kSection), kTwist = kShearStrength / (kShear * kSection);
const Kind kKinds[] = {{"tension", {{kTensile / kNormal, 0, 0}, Vec3::Zero()}},
                       {"shear", {{0, kShearStrength / kShear, 0}, Vec3::Zero()}},
                       {"bending", {Vec3::Zero(), {0, 0, kTurn}}},
                       {"torsion", {Vec3::Zero(), {kTwist, 0, 0}}}};

Load scaled(const Load& load, double factor) { return {factor * load.way, factor * load.turn}; }

}  // namespace

TEST_CASE("a parallel bond breaks at its strength in tension, shear, bending and torsion") {
  for (const Kind& kind : kKinds) {
    INFO(kind.name);
    Simulation below = loaded(scaled(kind.limit, 1 - 1e-6)), above = loaded(scaled(kind.limit, 1 + 1e-6));
    CHECK(holds(below));
    CHECK_FALSE(holds(above));
    test::verify(fmt::format("{}: stress over strength just below breaking [-]", kind.name), 1 - 1e-6,
                 value(below, "utilisation"), 2e-8);
  }
}

TEST_CASE("compression does not break a bond, and adds to bending only as it is signed") {
  CHECK(holds(loaded(scaled(kKinds[0].limit, -5))));
  Load both = kKinds[2].limit;
  both.way = -0.25 * kKinds[0].limit.way;
  both.turn *= 1.2;
  Simulation s = loaded(both);
  CHECK(holds(s));  // 1.2 - 0.25 < 1
  CHECK(value(s, "utilisation") == Approx(0.95).epsilon(1e-6));
}

TEST_CASE("forces and moments of a parallel bond are stiffness per area times its section") {
  const double part = 0.5, area = std::numbers::pi * kSection * kSection, inertia = area * kSection * kSection / 4;
  Simulation pulled = loaded(scaled(kKinds[0].limit, part)), sheared = loaded(scaled(kKinds[1].limit, part)),
             bent = loaded(scaled(kKinds[2].limit, part));
  CHECK(value(pulled, "tension") == Approx(part * kTensile * area).epsilon(1e-6));
  CHECK(value(sheared, "shear_force") == Approx(part * kShearStrength * area).epsilon(1e-6));
  CHECK(value(bent, "bending_moment") == Approx(part * kTurn * kNormal * inertia).epsilon(1e-6));
}

TEST_CASE("a bond of discs has a rectangular section, as thick as the scene says") {
  const double part = 0.5, thickness = 0.03, area = 2 * kSection * thickness;
  const double inertia = 2.0 / 3 * std::pow(kSection, 3) * thickness;
  const std::string law = R"(, "thickness": 0.03)";
  for (const Kind& kind : {kKinds[0], kKinds[1], kKinds[2]}) {
    INFO(kind.name);
    CHECK(holds(loaded(scaled(kind.limit, 1 - 1e-6), 2, law)));
    CHECK_FALSE(holds(loaded(scaled(kind.limit, 1 + 1e-6), 2, law)));
  }
  Simulation pulled = loaded(scaled(kKinds[0].limit, part), 2, law),
             bent = loaded(scaled(kKinds[2].limit, part), 2, law);
  CHECK(value(pulled, "tension") == Approx(part * kTensile * area).epsilon(1e-6));
  CHECK(value(bent, "bending_moment") == Approx(part * kTurn * kNormal * inertia).epsilon(1e-6));
}

TEST_CASE("a beam and a parallel bond of E over its length are one and the same") {
  // E = k l, G = k_s l with the length l = 2 r.
  const auto moved = [](const std::string& stiffness) {
    Simulation s = Simulation::from_text(
        R"({"dimension": 3, "materials": {"m": {"density": 2500}}, "shapes": {"ball": {"type": "sphere", "radius": 0.01}},
"bodies": [{"name": "a", "shape": "ball", "material": "m", "position": [0, 0, 0], "fixed": true},
           {"name": "b", "shape": "ball", "material": "m", "position": [0.02, 0, 0], "velocity": [0.1, 0.2, 0],
            "angular_velocity": [3, 0, 1]}],
"bonds": [{"between": ["a", "b"], "pairs": "touching", "gap": 1e-9, "law": {"type": "bonded-beam", )" +
        stiffness + R"(}}], "interactions": [{"between": ["*", "*"], "law": "none"}],
"integrator": {"type": "velocity-verlet", "dt": 1e-6}, "run": {"duration": 1}})");
    s.step(300);
    return Vec3(s.world().position[*s.world().row(1)]);
  };
  const Vec3 beam = moved(R"("youngs_modulus": 2e7, "shear_ratio": 0.5)");
  const Vec3 bond = moved(R"("normal_stiffness": 1e9, "shear_stiffness": 5e8)");
  CHECK((beam - bond).norm() < 1e-12);
  CHECK((beam - Vec3(0.02, 0, 0)).norm() > 1e-6);
}

TEST_CASE("strengths scatter about their mean, bond by bond, and by the seed alone") {
  const auto strengths = [](int seed, int threads) {
    SimulationOptions options;
    options.threads = threads;
    Simulation s = Simulation::from_text(fmt::format(R"({{"dimension": 3, "materials": {{"m": {{"density": 2500}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}}},
"bodies": [{{"name": "b", "shape": "ball", "material": "m", "packing": {{"type": "lattice", "lower": [0, 0, 0],
  "counts": [12, 12, 12], "spacing": 0.02}}, "motion": {{"velocity": [0, 0, 0]}}}}],
"bonds": [{{"between": ["b", "b"], "pairs": "touching", "law": {{"type": "bonded-beam", "normal_stiffness": 1e9,
  "tensile_strength": 1e5, "shear_strength": 1e5, "strength_scatter": 0.2, "seed": {}}}}}],
"gravity": [0, 0, 0], "interactions": [{{"between": ["*", "*"], "law": "none"}}],
"integrator": {{"type": "velocity-verlet", "dt": 1e-6}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                                                     seed),
                                         options);
    const std::size_t n = s.world().bonds().size();
    REQUIRE(n == 3 * 11 * 12 * 12);
    // Move every body away from the origin: all bonds stretch by the same part.
    {
      const auto x = s.world().position.write();
      for (std::size_t i = 0; i < s.world().size(); ++i) x[i] *= 1.001;
    }
    const BondValues values = s.bonds();
    const auto& use = std::ranges::find(values.columns, "utilisation", &BondValues::Column::name)->value;
    std::vector<double> strength;
    for (const double u : use) strength.push_back(1e9 * 0.02 * 0.001 / u / 1e5);  // over the mean
    return strength;
  };
  const std::vector<double> of_one = strengths(1, 1);
  CHECK(of_one == strengths(1, 2));
  CHECK(of_one != strengths(2, 1));
  double mean = 0, square = 0;
  for (const double x : of_one) mean += x / static_cast<double>(of_one.size());
  for (const double x : of_one) square += (x - mean) * (x - mean) / static_cast<double>(of_one.size());
  CHECK(mean == Approx(1).margin(0.2 * 3 / std::sqrt(4752.0)));  // three standard errors
  CHECK(std::sqrt(square) == Approx(0.2).margin(0.2 * 3 / std::sqrt(2 * 4752.0)));
}
