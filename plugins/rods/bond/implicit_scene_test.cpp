// Rods in steps of moreau-jean: implicit bonds, and friction that is exact.

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"
#include "test_scene.hpp"

using namespace scree;
using namespace scree::rods::test;
using Catch::Matchers::Contains;

namespace {

/// A strand of 20 segments, radius 1 mm, length 0.2 m, over a floor that is far away; nothing holds it.
const std::string kRod = R"({
  "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"rod": {"density": 1000, "youngs_modulus": 1e8, "poisson_ratio": 0.3}, "stone": {}},
  "shapes": {"segment": {"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder"},
             "floor": {"type": "half-space"}, "peg": {"type": "sphere", "radius": 0.005}},
  "bodies": [
    {"name": "rod", "shape": "segment", "material": "rod",
     "packing": {"type": "strands", "segments": 20, "roots": {"normal": [1, 0, 0], "positions": [[0, 0, 1]]}}},
    {"name": "floor", "shape": "floor", "material": "stone", "fixed": true}],
  "bonds": [{"between": ["rod", "rod"], "law": {"type": "elastic-rod"}}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", "friction": 0.3}}],
  "integrator": {"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-8}, "run": {"duration": 10}})";

/// The same without the floor, its root held by a peg.
std::vector<std::string> held(std::vector<std::string> more) {
  more.insert(
      more.begin(),
      {R"(/bodies/1={"name": "peg", "shape": "peg", "material": "stone", "fixed": true, "position": [-0.005, 0, 1]})",
       R"(/bonds=[{"between": ["rod", "rod"], "law": {"type": "elastic-rod"}},
                  {"between": ["peg", "rod"], "pairs": "roots", "law": {"type": "elastic-rod"}}])"});
  return more;
}

Vec3 tip(Simulation& s) {
  const World& world = s.world();
  const std::size_t last = *world.row(19);
  return world.position.read()[last] + world.orientation.read()[last] * Vec3(0, 0, 0.005);
}

Vec3 momentum(Simulation& s) {
  const World& world = s.world();
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (world.inverse_mass.read()[i] > 0) sum += world.mass.read()[i] * world.velocity.read()[i];
  return sum;
}

double largest_speed(Simulation& s) {
  double speed = 0;
  for (const Vec3& v : s.world().velocity.read()) speed = std::max(speed, v.norm());
  return speed;
}

}  // namespace

TEST_CASE("a rod that hangs from a peg comes to rest where minimised energy says") {
  Simulation implicit = made(kRod, held({"/integrator/dt=0.02"}));
  implicit.step(400);
  Simulation minimal = made(kRod, held({R"(/integrator={"type": "variational", "dt": 0.02})",
                                        R"(/interactions/0/law={"type": "linear", "normal_stiffness": 1000})"}));
  minimal.step(400);
  INFO("tips " << tip(implicit).transpose() << ", " << tip(minimal).transpose());
  CHECK(tip(implicit).z() < 0.99);
  CHECK((tip(implicit) - tip(minimal)).norm() < 1e-7);
  CHECK(largest_speed(implicit) < 1e-6);
}

TEST_CASE("a free rod that is thrown keeps its momentum, however it shakes") {
  Simulation s = made(kRod, {"/gravity=[0, 0, 0]", "/bodies/0/packing/roots/positions=[[0, 0, 0.01]]"});
  std::vector<Id> all;
  {
    const auto velocity = s.world().velocity.write();
    for (std::size_t i = 0; i < 20; ++i) {
      velocity[*s.world().row(i)] = {0.1 * static_cast<double>(i % 3), std::cos(static_cast<double>(i)), 0.3};
      all.push_back(i);
    }
  }
  s.world().mark_moved(all);
  const Vec3 before = momentum(s);
  s.step(200);
  INFO("relative error " << (momentum(s) - before).norm() / before.norm());
  CHECK((momentum(s) - before).norm() < 1e-12 * before.norm());
}

TEST_CASE("Newton's method needs few iterates for hair that is shaken, however large the step") {
  // L 0.15 m, r 40 um, E 4 GPa, 30 segments.
  for (const auto& [dt, most] : {std::pair(1e-3, 2.5), std::pair(5e-3, 3.5), std::pair(1.0 / 60, 4.0)}) {
    Simulation s = made(
        kRod,
        held({fmt::format("/integrator/dt={}", dt), "/integrator/newton_tolerance=1e-6",
              "/integrator/newton_iterations=30", "/materials/rod/youngs_modulus=4e9", "/materials/rod/density=1300",
              "/shapes/segment/length=0.005", "/shapes/segment/radius=4e-5", "/bodies/0/packing/segments=30",
              R"(/bodies/1={"name": "peg", "shape": "peg", "material": "stone", "position": [-0.005, 0, 1],
                       "motion": {"amplitude": [0, 0.02, 0], "frequency": 3}})"}));
    const auto steps = static_cast<std::uint64_t>(0.6 / dt);
    int worst = 0;
    for (std::uint64_t k = 0; k < steps; ++k) {
      s.step(1);
      worst = std::max(worst, static_cast<int>(figures(s, {"newton_iterations"})));
    }
    const double mean = figures(s, {"newton_iterations_total"}) / static_cast<double>(steps);
    INFO("dt " << dt << " s: " << mean << " iterates, at most " << worst << ", "
               << figures(s, {"indefinite_hessians_total"}) << " indefinite");
    CHECK(mean <= most);
    CHECK(worst <= 8);
    CHECK(figures(s, {"newton_residual"}) < 1e-6);
  }
}

TEST_CASE("a rod along a slope slides as Coulomb says") {
  for (const auto& [slope, acceleration] :
       {std::pair(0.29, 0.0), std::pair(0.31, 0.0937009), std::pair(0.5, 1.7548661)}) {
    const double angle = std::atan(slope);
    Simulation s =
        made(kRod, {fmt::format("/gravity=[{:.17g}, 0, {:.17g}]", 9.81 * std::sin(angle), -9.81 * std::cos(angle)),
                    "/bodies/0/packing/roots/positions=[[0, 0, 0.001]]"});
    s.step(200);
    const double speed = momentum(s).x() / (20 * s.world().mass.read()[*s.world().row(0)]);
    INFO("slope " << slope << ": " << speed / 0.2 << " m/s^2");
    CHECK(speed / 0.2 == Approx(acceleration).margin(1e-7));
  }
}

TEST_CASE("a rod across a slope rolls up to three times the friction coefficient, and slips beyond") {
  for (const auto& [slope, acceleration] : {std::pair(0.29, 1.8215499), std::pair(0.91, 4.4258722)}) {
    const double angle = std::atan(slope);
    Simulation s =
        made(kRod, {fmt::format("/gravity=[0, {:.17g}, {:.17g}]", 9.81 * std::sin(angle), -9.81 * std::cos(angle)),
                    "/bodies/0/packing/roots/positions=[[0, 0, 0.001]]"});
    s.step(200);
    const double speed = momentum(s).y() / (20 * s.world().mass.read()[*s.world().row(0)]);
    INFO("slope " << slope << ": " << speed / 0.2 << " m/s^2");
    CHECK(speed / 0.2 == Approx(acceleration).epsilon(1e-6));
  }
}

namespace {

/// Two weights, 1 and `ratio` times 0.1 kg, on a cable over a drum of radius 50 mm. Its radius is 0.004 of that, and
/// `links` links lie on half a turn.
std::string capstan(int links, double ratio) {
  const double drum = 0.05, radius = 0.0002, angle = std::numbers::pi / links;
  const double length = 2 * (drum + radius) * std::tan(angle / 2), corner = (drum + radius) / std::cos(angle / 2);
  const double side = drum + radius, hangs = 4.5 * length;
  // In axes whose z points up, from the lower end of the cable.
  std::string points = "[0, 0, 0]";
  for (int k = 0; k < links; ++k)
    points += fmt::format(", [{:.17g}, 0, {:.17g}]", corner * std::cos((k + 0.5) * angle) - side,
                          corner * std::sin((k + 0.5) * angle) + hangs);
  points += fmt::format(", [{:.17g}, 0, -1e-6]", -2 * side);
  const std::string rod = R"("law": {"type": "elastic-rod", "stiffness": {"EA": 1e4, "EI": [5e-7], "GJ": 5e-7}})";
  return fmt::format(
      R"({{"dimension": 3, "gravity": [0, -9.81, 0],
      "materials": {{"cable": {{"density": 1e4}}, "light": {{"density": 373019.4}}, "heavy": {{"density": {}}}}},
      "shapes": {{"link": {{"type": "capsule", "length": {:.17g}, "radius": {}, "mass_of": "cylinder"}},
                 "weight": {{"type": "sphere", "radius": 0.004}}, "drum": {{"type": "cylinder", "radius": {}, "length": 0.02}}}},
      "bodies": [
        {{"name": "cable", "shape": "link", "material": "cable",
         "packing": {{"type": "strands", "segments": {}, "points": [{}],
                     "roots": {{"normal": [0, 1, 0], "positions": [[{:.17g}, {:.17g}, 0]]}}}}}},
        {{"name": "drum", "shape": "drum", "material": "light", "fixed": true}},
        {{"name": "light", "shape": "weight", "material": "light", "position": [{:.17g}, {:.17g}, 0]}},
        {{"name": "heavy", "shape": "weight", "material": "heavy", "position": [{:.17g}, {:.17g}, 0]}}],
      "bonds": [{{"between": ["cable", "cable"], {}}}, {{"between": ["light", "cable"], "pairs": "roots", {}}},
                {{"between": ["heavy", "cable"], "pairs": "tips", {}}}],
      "interactions": [{{"between": ["*", "*"], "law": {{"type": "coulomb", "friction": 0.3}}}}],
      "integrator": {{"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-8, "slop": 1e-6}}, "run": {{"duration": 1}}}})",
      373019.4 * ratio, length, radius, drum, links + 9, points, side, -hangs, side, -hangs, -side, -hangs, rod, rod,
      rod);
}

/// Acceleration of the heavy weight downwards, when the jerk of the start has gone by [m/s^2].
double sinks(int links, double ratio) {
  Simulation s = made(capstan(links, ratio));
  const auto speed = [&](double time) {
    s.run_until(time);
    const World& world = s.world();
    return -world.velocity.read()[*world.row(static_cast<Id>(links) + 11)].y();
  };
  const double before = speed(0.1);
  return (speed(0.2) - before) / 0.1;
}

/// A heap of curved fibres, thrown together at 1 m/s.
const std::string kHeap = R"({
  "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"nylon": {"density": 1150, "youngs_modulus": 2e7, "poisson_ratio": 0.4}, "wall": {}},
  "shapes": {"segment": {"type": "capsule", "length": 0.005, "radius": 0.001, "mass_of": "cylinder"},
             "box": {"type": "box", "half_sizes": [0.03, 0.03, 0.1], "inside": true}},
  "bodies": [
    {"name": "fibres", "shape": "segment", "material": "nylon", "velocity": [0, 0, -1], "seed": 1,
     "packing": {"type": "strands", "segments": 6, "curvature": [60], "twist": 30,
                 "roots": {"count": 40, "centre": [0, 0.01, 0.005], "normal": [0, 0, 1], "radius": 0.018}}},
    {"name": "box", "shape": "box", "material": "wall", "fixed": true, "position": [0, 0, 0.1]}],
  "bonds": [{"between": ["fibres", "fibres"], "law": {"type": "elastic-rod"}}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", "friction": 0.4}}],
  "integrator": {"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-3, "slop": 1e-6}, "run": {"duration": 1}})";

}  // namespace

TEST_CASE("a cable over a drum slips where the capstan's law for links says, to 0.3 percent") {
  // exp(mu pi R/(R + r)) = 2.55671 for a smooth cable, 2.54267 for 18 links. What slips from the start slows down
  // below.
  const double below = sinks(18, 2.54267 * 0.997), above = sinks(18, 2.54267 * 1.003);
  INFO("accelerations " << below << ", " << above << " m/s^2");
  CHECK(below < 0);
  CHECK(above > 0);
}

TEST_CASE("a heap of fibres comes to rest, all steps solved, and overlaps stay small") {
  Simulation s = made(kHeap);
  double deepest = 0, before = HUGE_VAL;
  for (int k = 1; k <= 10; ++k) {
    s.run_until(0.05 * k);
    const double energy = figures(s, {"kinetic_energy_J", "potential_energy_J", "elastic_energy_J"});
    CHECK(energy <= before * (1 + 1e-4));
    before = energy;
    deepest = std::max(deepest, figures(s, {"max_overlap_m"}));
  }
  CHECK(deepest < 1e-4);
  CHECK(figures(s, {"solver_unconverged_steps_total"}) == 0);
  CHECK(largest_speed(s) < 1e-3);
}

TEST_CASE("a heap of fibres has the same bits for any number of threads, and resumed in the middle") {
  const auto places = [](Simulation& s) {
    std::vector<double> x;
    for (Id id = 0; id < 240; ++id) {
      const std::size_t row = *s.world().row(id);
      for (int k = 0; k < 3; ++k)
        x.push_back(s.world().position.read()[row][k]), x.push_back(s.world().velocity.read()[row][k]);
    }
    return x;
  };
  const auto run = [&](int threads) {
    Simulation s = made(kHeap, {}, threads);
    s.run_until(0.06);
    return places(s);
  };
  const auto one = run(1);
  CHECK(run(2) == one);
  CHECK(run(3) == one);
  const scree::test::TemporaryFolder folder;
  const std::string file = folder / "half.h5";
  Simulation begun = made(kHeap, {}, 2);
  begun.run_until(0.03);
  begun.save(file);
  Simulation resumed = made(kHeap, {}, 1);
  resumed.load(file);
  resumed.run_until(0.06);
  CHECK(places(resumed) == one);
}

TEST_CASE("rods that are thrown at each other do not pass, however fast") {
  for (const double radii : {2.0, 6.0, 10.0}) {
    // Two crossed rods, 20 mm apart; ways per step in radii.
    Simulation s =
        made(kRod, {"/gravity=[0, 0, 0]", "/materials/rod/youngs_modulus=1e9", "/interactions/0/law/friction=0",
                    "/bodies/0/packing/segments=10", "/bodies/0/packing/roots/positions=[[-0.05, 0.0017, 0]]",
                    R"(/bodies/1={"name": "other", "shape": "segment", "material": "rod",
                                  "packing": {"type": "strands", "segments": 10, "roots": {"normal": [0, 1, 0], "positions": [[0.0013, -0.05, 0.02]]}}})",
                    R"(/bonds=[{"between": ["rod", "rod"], "law": {"type": "elastic-rod"}},
                                          {"between": ["other", "other"], "law": {"type": "elastic-rod"}}])",
                    fmt::format("/bodies/0/velocity=[0, 0, {}]", radii)});
    double deepest = 0;
    for (int k = 0; k < 60; ++k) {
      s.step(1);
      deepest = std::max(deepest, figures(s, {"max_overlap_m"}));
    }
    INFO(radii << " radii per step: overlap " << deepest / 0.001 << " radii");
    CHECK(deepest < (radii < 4 ? 0.1 : radii < 8 ? 0.2 : 1) * 0.001);
    double lower = 0, upper = 0;  // means of heights
    for (Id id = 0; id < 10; ++id) lower += s.world().position.read()[*s.world().row(id)].z() / 10;
    for (Id id = 10; id < 20; ++id) upper += s.world().position.read()[*s.world().row(id)].z() / 10;
    CHECK(upper > lower);
  }
}

TEST_CASE("in the plane a rod bends in steps of moreau-jean as it does in minimised energy") {
  const auto tip_with = [](const std::string& integrator, const std::string& law) {
    Simulation s = made(fmt::format(R"({{
      "dimension": 2, "gravity": [0, -9.81], "materials": {{"hair": {{"density": 1000}}, "wall": {{}}}},
      "shapes": {{"segment": {{"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder", "thickness": 0.01}},
                 "post": {{"type": "half-plane", "normal": [1, 0]}}}},
      "bodies": [
        {{"name": "rod", "shape": "segment", "material": "hair",
         "packing": {{"type": "strands", "segments": 20, "roots": {{"normal": [1, 0], "positions": [[0, 0]]}}}}}},
        {{"name": "post", "shape": "post", "material": "wall", "fixed": true, "position": [-0.0015, 0]}}],
      "bonds": [
        {{"between": ["rod", "rod"], "law": {{"type": "elastic-rod", "stiffness": {{"EA": 1000, "EI": [1.5696e-4], "GJ": 1}}}}}},
        {{"between": ["post", "rod"], "pairs": "roots",
         "law": {{"type": "elastic-rod", "stiffness": {{"EA": 1000, "EI": [1.5696e-4], "GJ": 1}}}}}}],
      "interactions": [{{"between": ["*", "*"], "law": {}}}],
      "integrator": {}, "run": {{"duration": 10}}}})",
                                    law, integrator));
    s.run_until(10);
    return s.world().position.read()[*s.world().row(19)];
  };
  const Vec3 minimal =
      tip_with(R"({"type": "variational", "dt": 0.02})", R"({"type": "linear", "normal_stiffness": 1000})");
  const Vec3 implicit = tip_with(R"({"type": "moreau-jean", "dt": 0.02})", R"({"type": "coulomb", "friction": 0.3})");
  CHECK((implicit - minimal).norm() < 1e-6);
}

TEST_CASE("balls fall alike whether a rod is elsewhere or not") {
  // With implicit bonds all contacts go into one matrix.
  const std::string balls =
      R"({"name": "balls", "shape": "peg", "material": "rod", "velocity": [0.1, 0.05, -0.3],
          "packing": {"type": "list", "places": [{"position": [0, 0, 0.005]}, {"position": [0.007, 0, 0.0135]}, {"position": [-0.002, 0.003, 0.024]}, {"position": [0.02, 0, 0.006]}]}})";
  const std::string floor = R"({"name": "floor", "shape": "floor", "material": "stone", "fixed": true})";
  const std::string rod =
      R"({"name": "rod", "shape": "segment", "material": "rod",
          "packing": {"type": "strands", "segments": 20, "roots": {"normal": [1, 0, 0], "positions": [[1, 1, 1]]}}})";
  Simulation alone = made(kRod, {"/bodies=[" + balls + ", " + floor + "]", "/bonds=[]", "/integrator/tolerance=1e-12"});
  Simulation beside =
      made(kRod, {"/bodies=[" + balls + ", " + floor + ", " + rod + "]", "/integrator/tolerance=1e-12"});
  alone.step(100);
  beside.step(100);
  CHECK(figures(beside, {"newton_iterations"}) >= 2);
  for (Id id = 0; id < 4; ++id) {
    const Vec3 a = alone.world().position.read()[*alone.world().row(id)];
    const Vec3 b = beside.world().position.read()[*beside.world().row(id)];
    CHECK((a - b).norm() < 1e-8);
  }
}

TEST_CASE("a rod that is held at both ends bears a ball") {
  // Tension and friction hold it; the second clamp is no part of the tree of links.
  const auto peg = [](const std::string& name, double x) {
    return fmt::format(
        R"({{"name": "{}", "shape": "peg", "material": "stone", "fixed": true, "position": [{}, 0, 1]}})", name, x);
  };
  Simulation s = made(kRod, {"/bodies=[" + peg("left", -0.005) + ", " + peg("right", 0.205) +
                                 R"(, {"name": "ball", "shape": "peg", "material": "rod", "position": [0.1, 0, 1.007]},
                     {"name": "rod", "shape": "segment", "material": "rod",
                      "packing": {"type": "strands", "segments": 20, "roots": {"normal": [1, 0, 0], "positions": [[0, 0, 1]]}}}])",
                             R"(/bonds=[{"between": ["rod", "rod"], "law": {"type": "elastic-rod"}},
                        {"between": ["left", "rod"], "pairs": "roots", "law": {"type": "elastic-rod"}},
                        {"between": ["right", "rod"], "pairs": "tips", "law": {"type": "elastic-rod"}}])"});
  s.run_until(2);
  const World& world = s.world();
  const Vec3 ball = world.position.read()[*world.row(2)], middle = world.position.read()[*world.row(12)];
  INFO("ball " << ball.transpose() << ", middle " << middle.transpose());
  CHECK(largest_speed(s) < 1e-3);
  CHECK(middle.z() < 1);
  CHECK(ball.z() - middle.z() == Approx(0.006).epsilon(0.01));
  CHECK(figures(s, {"bond_stretch"}) < 0.01);
}

TEST_CASE("bonds may be explicit beside rigid contacts, with small steps") {
  Simulation implicit = made(kRod, {"/bodies/0/packing/roots/positions=[[0, 0, 0.02]]"});
  Simulation explicit_bonds = made(
      kRod, {"/bodies/0/packing/roots/positions=[[0, 0, 0.02]]", "/integrator/bonds=explicit", "/integrator/dt=1e-5"});
  implicit.run_until(0.1);
  explicit_bonds.run_until(0.1);
  for (const Id id : {0, 7, 19}) {
    const Vec3 a = implicit.world().position.read()[*implicit.world().row(id)];
    const Vec3 b = explicit_bonds.world().position.read()[*explicit_bonds.world().row(id)];
    CHECK((a - b).norm() < 1e-4);
  }
}

TEST_CASE("what implicit bonds cannot do is said with what to do about it") {
  const auto refusal = [](const std::vector<std::string>& sets) {
    try {
      Simulation s = made(kRod, sets);
      s.step(1);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  CHECK_THAT(refusal({"/output={\"energy_ledger\": true}"}),
             Contains("/output/energy_ledger") && Contains("takes the bonds of law \"elastic-rod\" implicitly"));
  CHECK_THAT(refusal({R"(/bodies/1={"name": "peg", "shape": "peg", "material": "rod", "position": [-0.005, 0, 1]})",
                      R"(/bonds=[{"between": ["rod", "rod"], "law": {"type": "elastic-rod"}},
                                 {"between": ["peg", "rod"], "pairs": "roots", "law": {"type": "ball-joint"}}])"}),
             Contains("does not solve joints beside implicit bonds") && Contains("\"explicit\""));
}
