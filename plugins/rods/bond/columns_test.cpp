// What elastic rods tell of their joints: face "bond-columns/1".

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "bond/test_chain.hpp"
#include "catch.hpp"
#include "scree/hooks/bond_values.hpp"
#include "test_scene.hpp"

namespace scree::rods {

using test::Chain;

namespace {

/// By name, a value per joint.
std::map<std::string, std::vector<double>> columns_of(const Chain& chain) {
  const auto* const face = scree::face<BondColumns>(static_cast<const BondLaw&>(chain.law()));
  REQUIRE(face);
  const std::vector<BondColumn> told = face->columns();
  const auto joints = static_cast<std::size_t>(chain.n);
  std::vector<std::vector<double>> values(told.size(),
                                          std::vector<double>(joints, std::numeric_limits<double>::quiet_NaN()));
  face->values(chain.configuration(), std::vector<std::span<double>>(values.begin(), values.end()));
  std::map<std::string, std::vector<double>> by_name;
  for (std::size_t k = 0; k < told.size(); ++k) by_name[told[k].name] = values[k];
  return by_name;
}

Vec3 joint_of(const Chain& chain, std::size_t k) {
  return chain.position[k + 1] - chain.orientation[k + 1] * Vec3(0, 0, chain.h / 2);
}

}  // namespace

TEST_CASE("the bending moment of a cantilever is the load times its lever, and there is no tension") {
  for (const bool reversed : {false, true}) {
    const double load = 1e-4;  // of EI/L^2: the tip sinks by 3e-5 L
    Chain chain(10);
    chain.tip_force = {0, load, 0};
    chain.make(reversed);
    chain.relax();
    auto told = columns_of(chain);
    for (std::size_t k = 0; k < 10; ++k) {
      const double lever = 1 - static_cast<double>(k) / 10;
      // Rounding of gaps of 1e-17 times the stiffness EA/h = 1e9.
      CHECK(told["bending_moment"][k] == Approx(load * lever).margin(2e-8 * load).epsilon(1e-8));
      CHECK(told["curvature"][k] == Approx(load * lever).epsilon(1e-6));  // EI = 1
      CHECK(std::abs(told["tension"][k]) < 1e-4 * load + 1e-7);           // the slope, and rounding of gaps
      CHECK(std::abs(told["twisting_moment"][k]) < 1e-8 * load);
      CHECK(std::abs(told["twist"][k]) < 1e-8 * load);
      CHECK(told["utilisation"][k] == 0);
    }
  }
}

TEST_CASE("tension and moments of a rod bent far are those that hold its outer part in balance") {
  Chain chain(12);
  chain.options.section->stretch = 1e5;
  chain.tip_force = {1, 4, 0.5};
  chain.make();
  chain.relax();
  auto told = columns_of(chain);
  for (std::size_t k = 1; k < 12; ++k) {
    const Vec3 before = chain.orientation[k] * Vec3::UnitZ(), behind = chain.orientation[k + 1] * Vec3::UnitZ();
    const Vec3 along = (before + behind).normalized();
    const Vec3 moment = (chain.tip() - joint_of(chain, k)).cross(chain.tip_force);
    INFO(k);
    CHECK(told["tension"][k] == Approx(chain.tip_force.dot(along)).epsilon(1e-6));
    // The load's lever is to the joint of b; that of a is a gap of 4e-6 away.
    CHECK(told["twisting_moment"][k] == Approx(moment.dot(along)).margin(1e-4));
    CHECK(told["bending_moment"][k] == Approx((moment - moment.dot(along) * along).norm()).margin(1e-4));
  }
}

TEST_CASE("the tension of a hanging chain is the weight below, and compression is negative") {
  for (const double weight : {0.3, -0.01}) {
    for (const bool reversed : {false, true}) {
      Chain chain(8);
      chain.options.section->stretch = 1e3;
      chain.weight = {0, 0, weight};
      chain.make(reversed);
      chain.relax();
      auto told = columns_of(chain);
      for (std::size_t k = 0; k < 8; ++k) {
        CHECK(told["tension"][k] == Approx(weight * static_cast<double>(8 - k)).epsilon(1e-9));
        CHECK(told["bending_moment"][k] < 1e-12);
      }
    }
  }
}

TEST_CASE("a torque twists a rod to the right by T/GJ, whichever body a bond names first") {
  for (const bool reversed : {false, true}) {
    Chain chain(5);
    chain.options.section->twist = 2;
    chain.tip_moment = {0, 0, 1e-3};
    chain.make(reversed);
    chain.relax();
    auto told = columns_of(chain);
    for (std::size_t k = 0; k < 5; ++k) {
      // Newton's method ends with steps of 1e-11, times the stiffness GJ/h = 10.
      CHECK(told["twisting_moment"][k] == Approx(1e-3).epsilon(1e-6));
      CHECK(told["twist"][k] == Approx(5e-4).epsilon(1e-6));  // 2 tan(phi/2) for phi
      CHECK(told["bending_moment"][k] < 1e-12);
    }
  }
}

TEST_CASE("a helix has its natural curvature and twist at every joint, and no moments") {
  for (const bool reversed : {false, true}) {
    Chain chain(20);
    chain.options.as_placed = false;
    chain.options.curvature = {3, 4, 7};
    chain.make(reversed);
    const Vec3 u = chain.options.curvature;
    const double turn = u.norm() * chain.h;
    Quat frame = Quat(Eigen::AngleAxisd(turn / 2, u.normalized()));
    Vec3 joint = Vec3::Zero();
    for (std::size_t k = 1; k <= 20; ++k) {
      const Vec3 way = frame * Vec3(0, 0, chain.h);
      chain.position[k] = joint + way / 2;
      chain.orientation[k] = frame;
      joint += way;
      frame = frame * Quat(Eigen::AngleAxisd(turn, u.normalized()));
    }
    auto told = columns_of(chain);
    for (std::size_t k = 0; k < 20; ++k) {
      CHECK(told["curvature"][k] == Approx(5).epsilon(1e-11));
      CHECK(told["twist"][k] == Approx(7).epsilon(1e-11));
      CHECK(told["bending_moment"][k] < 1e-11);
      CHECK(std::abs(told["twisting_moment"][k]) < 1e-11);
    }
  }
}

TEST_CASE("a clamp's pull counts along the rod, not along the way to the holder's centre") {
  Chain chain(4);
  chain.options.section->stretch = 10;
  chain.options.tensile_strength = 100;
  chain.tip_force = {0, 0, 1e-3};
  chain.position[0] = {0.7, 0, 0.1};  // the holder's centre, far from where it holds the rod
  chain.make();
  chain.relax();
  auto told = columns_of(chain);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(told["tension"][k] == Approx(1e-3).epsilon(1e-9));
    CHECK(told["utilisation"][k] == Approx(1e-3 / 1e-4 / 100).epsilon(1e-9));
  }
}

namespace {

/// A cable of 16 segments under a peg, and a rod of 10 that reaches out from another.
std::string hanging(const std::string& more = "") {
  return R"({
  "dimension": 3, "gravity": [0, 0, -10],
  "materials": {"rod": {"density": 1000, "youngs_modulus": 1e9, "poisson_ratio": 0.3}, "stone": {}},
  "shapes": {"segment": {"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder"},
             "peg": {"type": "sphere", "radius": 0.005}},
  "bodies": [
    {"name": "cable", "shape": "segment", "material": "rod",
     "packing": {"type": "strands", "segments": 16, "roots": {"normal": [0, 0, -1], "positions": [[0, 0, 1]]}}},
    {"name": "arm", "shape": "segment", "material": "rod",
     "packing": {"type": "strands", "segments": 10, "roots": {"normal": [1, 0, 0], "positions": [[1, 0, 1]]}}},
    {"name": "peg", "shape": "peg", "material": "stone", "fixed": true, "position": [0, 0, 1.005]},
    {"name": "wall", "shape": "peg", "material": "stone", "fixed": true, "position": [0.995, 0, 1]}],
  "bonds": [{"between": ["cable", "cable"], "law": {"type": "elastic-rod"}},
            {"between": ["peg", "cable"], "pairs": "roots", "law": {"type": "elastic-rod"}},
            {"between": ["arm", "arm"], "law": {"type": "elastic-rod"}},
            {"between": ["wall", "arm"], "pairs": "roots", "law": {"type": "elastic-rod"}}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", "friction": 0.3}}],
  "integrator": {"type": "moreau-jean", "dt": 0.01}, "run": {"duration": 10})" +
         more + "}";
}

const std::vector<double>& column(const BondValues& values, const std::string& name) {
  const auto found = std::ranges::find(values.columns, name, &BondValues::Column::name);
  REQUIRE(found != values.columns.end());
  return found->value;
}

}  // namespace

TEST_CASE("bonds of a run tell the weight they carry, and walls feel the weight of what hangs on them") {
  Simulation s = test::made(hanging());
  s.step(600);
  const double weight = 1000 * std::numbers::pi * 1e-6 * 0.01 * 10;  // of a segment
  const BondValues values = s.bonds();
  const Bonds& bonds = s.world().bonds();
  for (std::size_t k = 0; k < bonds.size(); ++k) {
    const bool of_cable = bonds.entry[k] < 2, root = bonds.entry[k] % 2 == 1;
    const auto below = static_cast<double>((of_cable ? 16 : 26) - (root ? bonds.a[k] : bonds.b[k]));
    INFO(k << ", bodies below: " << below);
    if (of_cable) {
      CHECK(column(values, "tension")[k] == Approx(below * weight).epsilon(1e-6));
      CHECK(column(values, "bending_moment")[k] < 1e-9 * weight);
    } else {  // levers of 0.005 m, 0.015 m, and so on; it bends by little
      CHECK(column(values, "bending_moment")[k] == Approx(below * below * 0.005 * weight).epsilon(0.01));
    }
  }
  std::map<std::string, double> figures;
  for (const auto& [name, value] : s.metrics()) figures[name] = value;
  CHECK(figures["peg_force_z_N"] == Approx(-16 * weight).epsilon(1e-6));
  CHECK(std::abs(figures["peg_torque_y_N_m"]) < 1e-9 * weight);
  CHECK(figures["wall_force_z_N"] == Approx(-10 * weight).epsilon(1e-6));
  // About the wall's centre, 5 mm before the clamp: middle of the arm 0.055 m away, less what it bends.
  CHECK(figures["wall_torque_y_N_m"] == Approx(10 * weight * 0.055).epsilon(0.01));
}

TEST_CASE("columns force and torque of bodies with implicit bonds are mass times acceleration") {
  Simulation s = test::made(hanging());
  s.step(3);
  const World& world = s.world();
  std::vector<Vec3> before(world.velocity.read().begin(), world.velocity.read().end());
  s.step();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (world.inverse_mass.read()[i] == 0) continue;
    const Vec3 change = world.mass.read()[i] * (world.velocity.read()[i] - before[i]) / 0.01;
    // Newton's method ends with 1e-2 weights out of balance at most.
    CHECK((world.find_column("force")->as<Vec3>()[i] - change).norm() < 0.01 * world.mass.read()[i] * 10);
  }
}

TEST_CASE("what bonds tell has the same bits for any number of threads, and looking changes nothing") {
  Simulation one = test::made(hanging(), {}, 1), three = test::made(hanging(), {}, 3);
  three.step(10);
  for (int k = 0; k < 10; ++k) one.step(), one.bonds();
  const BondValues a = one.bonds(), b = three.bonds();
  REQUIRE(a.columns.size() == 6);
  for (std::size_t c = 0; c < a.columns.size(); ++c) CHECK(a.columns[c].value == b.columns[c].value);
}

TEST_CASE("in the plane a rod's moments are those of the weight beyond") {
  const std::string scene = R"({
  "dimension": 2, "gravity": [0, -10],
  "materials": {"rod": {"density": 1000, "youngs_modulus": 1e9, "poisson_ratio": 0.3}, "stone": {}},
  "shapes": {"segment": {"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder"},
             "peg": {"type": "sphere", "radius": 0.005}},
  "bodies": [
    {"name": "arm", "shape": "segment", "material": "rod",
     "packing": {"type": "strands", "segments": 10, "roots": {"normal": [1, 0], "positions": [[0, 0]]}}},
    {"name": "wall", "shape": "peg", "material": "stone", "fixed": true, "position": [-0.005, 0]}],
  "bonds": [{"between": ["arm", "arm"], "law": {"type": "elastic-rod", "stiffness": {"EA": 1e4, "EI": [1], "GJ": 1}}},
            {"between": ["wall", "arm"], "pairs": "roots",
             "law": {"type": "elastic-rod", "stiffness": {"EA": 1e4, "EI": [1], "GJ": 1}}}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", "friction": 0.3}}],
  "integrator": {"type": "moreau-jean", "dt": 0.01}, "run": {"duration": 10}})";
  Simulation s = test::made(scene);
  s.step(300);
  const BondValues values = s.bonds();
  const Bonds& bonds = s.world().bonds();
  const double weight = s.world().mass.read()[*s.world().row(0)] * 10;
  for (std::size_t k = 0; k < bonds.size(); ++k) {
    const auto below = static_cast<double>(10 - (bonds.entry[k] == 1 ? bonds.a[k] : bonds.b[k]));
    INFO(k << ", bodies beyond: " << below);
    CHECK(column(values, "bending_moment")[k] == Approx(below * below * 0.005 * weight).epsilon(0.01));
    CHECK(column(values, "curvature")[k] == Approx(column(values, "bending_moment")[k]).epsilon(1e-3));
    CHECK(column(values, "twist")[k] == 0);
  }
}

}  // namespace scree::rods
