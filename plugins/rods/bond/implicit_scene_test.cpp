// Rods in steps of moreau-jean: implicit bonds, and friction that is exact.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "scree/base/error.hpp"
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

/// Returns the changes for a scene without floor, with the root held by a peg.
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

TEST_CASE("problems of bonded bodies are dumped where that is asked for, else refused") {
  const std::filesystem::path folder = "out/dumped_rods/problems";
  std::filesystem::remove_all(folder);
  const std::vector<std::string> lying = {"/name=dumped_rods", "/bodies/0/packing/roots/positions=[[0, 0, 0.001]]",
                                          R"(/integrator/dump={"folder": "problems"})"};
  CHECK_THROWS_WITH(made(kRod, lying), Contains("/integrator/dump") && Contains("\"bonds\": true"));
  std::vector<std::string> implicit = lying;
  implicit.push_back("/integrator/dump/bonds=true");
  made(kRod, implicit).step(1);
  CHECK(std::filesystem::exists(folder / "step_000000001-nc-21.hdf5"));  // one contact per joint and end
  std::filesystem::remove_all(folder);
}

TEST_CASE("a rod goes and turns with the peg that holds it, about the peg's centre, without lag") {
  // As stiff as steel and without weight: a rigid body that turns from the start on.
  const double spin = 2, dt = 5e-3;
  const Vec3 way(0.3, 0, 0.1);  // [m/s]
  Simulation s = made(kRod, held({fmt::format("/integrator/dt={}", dt), "/gravity=[0, 0, 0]",
                                  "/materials/rod/youngs_modulus=2e11", "/integrator/newton_tolerance=1e-6",
                                  fmt::format(R"(/bodies/1={{"name": "peg", "shape": "peg", "material": "stone",
      "position": [-0.005, 0, 1], "motion": {{"velocity": [0.3, 0, 0.1], "angular_velocity": [0, 0, {}]}}}})",
                                              spin)}));
  World& world = s.world();
  std::vector<Id> all;
  for (Id k = 0; k < 20; ++k) {
    const std::size_t i = *world.row(k);
    const Vec3 arm = world.position.read()[i] - Vec3(-0.005, 0, 1);
    world.velocity.write()[i] = way + Vec3(0, 0, spin).cross(arm);
    world.angular_velocity.write()[i] = {0, 0, spin};
    all.push_back(k);
  }
  world.mark_moved(all);
  s.step(40);
  const double angle = spin * dt * 40;
  const Vec3 expected = Vec3(-0.005, 0, 1) + 40 * dt * way + 0.205 * Vec3(std::cos(angle), std::sin(angle), 0);
  CHECK((tip(s) - expected).norm() < 0.02 * spin * dt * 0.205);  // of the way of a step
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

TEST_CASE("a rod on a floor that swings along it goes with it, by the velocity of the middle of each step") {
  const double amplitude = 1e-3, frequency = 4, w = 2 * std::numbers::pi * frequency;  // w^2 amplitude = 0.2 mu g
  Simulation s = made(
      kRod, {"/bodies/0/packing/roots/positions=[[0, 0, 0.001]]", "/bodies/1/fixed=false",
             fmt::format("/bodies/1/motion={{\"amplitude\": [{}, 0, 0], \"frequency\": {}}}", amplitude, frequency)});
  World& world = s.world();
  const std::size_t floor = *world.row(20);
  std::vector<Id> all;
  for (Id k = 0; k < 20; ++k) all.push_back(k), world.velocity.write()[*world.row(k)] = {amplitude * w, 0, 0};
  world.mark_moved(all);
  const double start = world.position.read()[*world.row(0)].x();
  double off = 0;
  while (s.time() < 0.5) {
    s.step(1);
    const auto x = world.position.read();
    off = std::max(off, std::abs(x[*world.row(0)].x() - start - x[floor].x()));
  }
  // The sum of cosines at the middles is the sine times 1 + (w dt)^2/24; one at the beginnings is off by w dt/2.
  const double step = w * s.dt();
  CHECK(off / amplitude == Approx(step * step / 24).epsilon(0.1));
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
    CHECK(std::abs(speed / 0.2 - acceleration) < 2e-7);
  }
}

TEST_CASE("a rod across a slope rolls up to three times the friction coefficient, and slips beyond", "[long]") {
  for (const auto& [slope, acceleration] : {std::pair(0.29, 1.8215499), std::pair(0.91, 4.4258722)}) {
    const double angle = std::atan(slope);
    Simulation s =
        made(kRod, {fmt::format("/gravity=[0, {:.17g}, {:.17g}]", 9.81 * std::sin(angle), -9.81 * std::cos(angle)),
                    "/bodies/0/packing/roots/positions=[[0, 0, 0.001]]"});
    s.step(200);
    const double speed = momentum(s).y() / (20 * s.world().mass.read()[*s.world().row(0)]);
    INFO("slope " << slope << ": " << speed / 0.2 << " m/s^2");
    CHECK(speed / 0.2 == Approx(acceleration).epsilon(1e-5));
  }
}

namespace {

/// Checks whether bodies 0 to 9 lie below bodies 10 to 19 where their axes cross, seen from above.
bool below_at_crossings(Simulation& s) {
  const World& world = s.world();
  const auto start_and_way = [&](Id id) {
    const std::size_t row = *world.row(id);
    const Vec3 way = world.orientation.read()[row] * Vec3(0, 0, 0.01);
    return std::pair(Vec3(world.position.read()[row] - way / 2), way);
  };
  for (Id below = 0; below < 10; ++below)
    for (Id above = 10; above < 20; ++above) {
      const auto [p, d] = start_and_way(below);
      const auto [q, e] = start_and_way(above);
      Eigen::Matrix2d ways;
      ways << d.head<2>(), -e.head<2>();
      const Eigen::Vector2d at = ways.inverse() * (q - p).head<2>();
      if (at.minCoeff() < 0 || at.maxCoeff() > 1) continue;
      if (p.z() + at[0] * d.z() > q.z() + at[1] * e.z()) return false;
    }
  return true;
}

}  // namespace

TEST_CASE("rods that are thrown at each other do not pass, however fast", "[long]") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> within(-0.01, 0.01), angle(0.5, 2.6);
  for (int seed = 0; seed < 12; ++seed) {
    // Two crossed rods, 20 mm apart; ways per step in radii.
    const double turn = angle(random), x = within(random), y = within(random);
    const Vec3 along(std::cos(turn), std::sin(turn), 0), root = Vec3(x, y, 0.02) - 0.05 * along;
    for (const double radii : {2.0, 6.0, 10.0}) {
      Simulation s = made(
          kRod,
          {"/gravity=[0, 0, 0]", "/materials/rod/youngs_modulus=1e9", "/interactions/0/law/friction=0",
           "/bodies/0/packing/segments=10", "/bodies/0/packing/roots/positions=[[-0.05, 0, 0]]",
           fmt::format(
               R"(/bodies/1={{"name": "other", "shape": "segment", "material": "rod", "packing": {{"type": "strands", "segments": 10,
                   "roots": {{"normal": [{:.17g}, {:.17g}, 0], "positions": [[{:.17g}, {:.17g}, {:.17g}]]}}}}}})",
               along.x(), along.y(), root.x(), root.y(), root.z()),
           R"(/bonds=[{"between": ["rod", "rod"], "law": {"type": "elastic-rod"}},
                      {"between": ["other", "other"], "law": {"type": "elastic-rod"}}])",
           fmt::format("/bodies/0/velocity=[0, 0, {}]", radii)});
      // While they are in contact, for the first time; then they rebound and tumble.
      double deepest = 0;
      for (int k = 0; k < static_cast<int>(20 / radii) + 10; ++k) {
        s.step(1);
        deepest = std::max(deepest, figures(s, {"max_overlap_m"}));
        CHECK(below_at_crossings(s));
      }
      INFO("seed " << seed << ", " << radii << " radii per step: overlap " << deepest / 0.001 << " radii");
      CHECK(deepest < (radii < 4 ? 0.1 : radii < 8 ? 0.2 : 1) * 0.001);
    }
  }
}

TEST_CASE("a rod of many segments on a floor is solved by split ADMM, a short one by sweeps") {
  const auto iterations = [](int segments) {
    Simulation s = made(kRod, {fmt::format("/bodies/0/packing/segments={}", segments), "/gravity=[0, 4, -9]",
                               "/bodies/0/packing/roots/positions=[[0, 0, 0.001]]", "/integrator/tolerance=1e-4"});
    double sum = 0;
    for (int k = 0; k < 20; ++k) s.step(1), sum += figures(s, {"split_admm_iterations"});
    CHECK(figures(s, {"solver_unconverged_steps_total"}) == 0);
    const Vec3 speed = momentum(s) / (segments * s.world().mass.read()[*s.world().row(0)]);
    // It rolls: 2/3 of gravity along the slope.
    CHECK(speed.y() == Approx(2.0 / 3 * 4 * 0.02).epsilon(1e-3));
    return sum;
  };
  CHECK(iterations(2) == 0);
  CHECK(iterations(80) > 0);
}

TEST_CASE("halving a step halves its error, and explicit steps agree", "[long]") {
  // A rod that swings down from a peg for 0.2 s; 1.1e-5 s is 0.35 of what is stable.
  const auto after = [](const std::string& integrator) {
    Simulation s = made(kRod, held({"/integrator=" + integrator, "/materials/rod/youngs_modulus=1e7",
                                    R"(/interactions/0/law={"type": "linear", "normal_stiffness": 1000})"}));
    s.run_until(0.2);
    return tip(s);
  };
  const auto implicit = [](double dt) {
    Simulation s = made(kRod, held({fmt::format("/integrator/dt={}", dt), "/materials/rod/youngs_modulus=1e7",
                                    "/integrator/newton_tolerance=1e-6"}));
    s.run_until(0.2);
    return tip(s);
  };
  const Vec3 exact = after(R"({"type": "velocity-verlet", "dt": 1e-5})");
  const double one = (implicit(2e-3) - exact).norm(), half = (implicit(1e-3) - exact).norm(),
               quarter = (implicit(5e-4) - exact).norm();
  INFO("errors " << one << ", " << half << ", " << quarter << " m of a way of " << (exact - Vec3(0.2, 0, 1)).norm());
  CHECK(quarter < 0.01 * (exact - Vec3(0.2, 0, 1)).norm());
  CHECK(half / quarter == Approx(2).epsilon(0.15));
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
  alone.step(100);
  for (const std::string solver : {"sweeps", "split-admm"}) {
    Simulation beside = made(kRod, {"/bodies=[" + balls + ", " + floor + ", " + rod + "]",
                                    "/integrator/tolerance=1e-12", "/integrator/bonded_contacts=" + solver});
    beside.step(100);
    CHECK(figures(beside, {"newton_iterations"}) >= 2);
    for (Id id = 0; id < 4; ++id) {
      const Vec3 a = alone.world().position.read()[*alone.world().row(id)];
      const Vec3 b = beside.world().position.read()[*beside.world().row(id)];
      CHECK((a - b).norm() < 1e-8);
    }
  }
}

TEST_CASE("in the plane a rod lands on a loose peg alike by sweeps and by split ADMM") {
  const auto after = [](const std::string& solver) {
    Simulation s = made(R"({
      "dimension": 2, "gravity": [0, -9.81], "materials": {"hair": {"density": 1000}, "stone": {"density": 2000}},
      "shapes": {"segment": {"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder", "thickness": 0.01},
                 "peg": {"type": "capsule", "length": 0.002, "radius": 0.01, "thickness": 0.01}, "floor": {"type": "half-plane"}},
      "bodies": [
        {"name": "rod", "shape": "segment", "material": "hair", "velocity": [0.1, -0.5],
         "packing": {"type": "strands", "segments": 8, "roots": {"normal": [1, 0], "positions": [[-0.03, 0.023]]}}},
        {"name": "peg", "shape": "peg", "material": "stone", "position": [0, 0.01]},
        {"name": "floor", "shape": "floor", "material": "stone", "fixed": true}],
      "bonds": [{"between": ["rod", "rod"],
                 "law": {"type": "elastic-rod", "stiffness": {"EA": 1000, "EI": [1e-4], "GJ": 1}}}],
      "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", "friction": 0.3}}],
      "integrator": {"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-9, "newton_tolerance": 1e-9}, "run": {"duration": 1}})",
                        {"/integrator/bonded_contacts=" + solver});
    s.step(20);
    return std::pair(s.world().position.read()[*s.world().row(7)], s.world().position.read()[*s.world().row(8)]);
  };
  const auto sweeps = after("sweeps"), split = after("split-admm");
  INFO("rod " << sweeps.first.transpose() << ", peg " << sweeps.second.transpose());
  CHECK(std::abs(sweeps.second.x()) > 1e-5);  // the rod drags the peg along
  CHECK((sweeps.first - split.first).norm() < 1e-7);
  CHECK((sweeps.second - split.second).norm() < 1e-7);
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

TEST_CASE("bonds may be explicit beside rigid contacts, with small steps", "[long]") {
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
