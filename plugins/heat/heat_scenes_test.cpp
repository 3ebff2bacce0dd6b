// Heat in whole runs, beside closed forms; the same bits on threads, on ranks and after a resume; nothing is lost.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"
#include "scree/world/rigid_sum.hpp"
#include "temporary_folder.hpp"
#include "thread_ranks.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double kRadius = 0.01, kOverlap = 1e-4, kConductivity = 2, kCapacity = 800, kDensity = 2500;

/// A scene at rest: springs so soft that nothing moves, so that conductances stay what they are.
struct Still {
  std::string bodies, conditions = "", more = "", options = "";
  double interval = 1, dt = 1;
  std::string law = R"({"type": "linear", "normal_stiffness": 1e-30})";
  std::string shapes = "";
  std::string materials = R"("glass": {"density": 2500}, "steel": {})";
  std::string values = R"({"material": "glass", "conductivity": 2, "heat_capacity": 800},
                          {"material": "steel", "conductivity": 2, "heat_capacity": 500})";

  std::string text() const {
    return fmt::format(R"({{"dimension": 3, "materials": {{{}}},
      "shapes": {{"ball": {{"type": "sphere", "radius": {}}}, "floor": {{"type": "half-space", "normal": [0, 0, 1]}},
                  "lid": {{"type": "half-space", "normal": [0, 0, -1]}} {}}},
      "bodies": [{}], "interactions": [{{"between": ["*", "*"], "law": {}}}],
      "hooks": [{{"type": "heat", "interval": {}, "materials": [{}], "conditions": [{}] {}}}],
      "integrator": {{"type": "velocity-verlet", "dt": {}}}, "output": {{"writers": []}},
      "run": {{"duration": 1e6}} {}}})",
                       materials, kRadius, shapes, bodies, law, interval, values, conditions, options, dt, more);
  }
};

Simulation made(const Still& scene, int threads = 1) {
  return Simulation::from_text(scene.text(), {.threads = threads});
}

std::string ball(const std::string& name, double x, double y, double z, double temperature, double scale = 1) {
  return fmt::format(R"({{"name": "{}", "shape": "ball", "material": "glass", "position": [{}, {}, {}], "scale": {},
                          "columns": {{"temperature": {}}}}})",
                     name, x, y, z, scale, temperature);
}

double figure_of(Simulation& run, const std::string& name) {
  for (const auto& [key, value] : run.metrics())
    if (key == name) return value;
  return NAN;
}

const std::string kChanges =
    R"(, "changes": [{"time": 5, "region": {"type": "half-space", "point": [0, 0, 0], "normal": [-1, 0, 0]}, "source": -2},
  {"time": 3, "region": {"type": "half-space", "point": [0, 0, 0], "normal": [-1, 0, 0]}, "temperature": 800, "source": 3}])";

/// Temperatures by id [K].
std::map<Id, double> temperatures(Simulation& run) {
  std::map<Id, double> found;
  World& world = run.world();
  const auto column = world.column<double>("temperature").read();
  for (std::size_t i = 0; i < world.size(); ++i) found[world.id[i]] = column[i];
  return found;
}

std::map<Id, double> fluxes(Simulation& run) {
  std::map<Id, double> found;
  World& world = run.world();
  const auto column = world.column<double>("heat_flux").read();
  for (std::size_t i = 0; i < world.size(); ++i) found[world.id[i]] = column[i];
  return found;
}

/// Heat of now less what came in the ways that the hook books [J].
double balance(Simulation& run) {
  return figure_of(run, "heat_J") - figure_of(run, "heat_supplied_J") - figure_of(run, "heat_carried_J");
}

std::string refusal(const Still& scene, int steps = 1) {
  try {
    made(scene).step(static_cast<std::uint64_t>(steps));
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

const double kContact = std::sqrt(kRadius / 2 * kOverlap);  ///< radius of the contact of two balls [m]
const double kH = 2 * kConductivity * kContact;             ///< [W/K]
const double kMass = kDensity * 4 / 3 * M_PI * std::pow(kRadius, 3), kC = kMass * kCapacity;

}  // namespace

TEST_CASE("two spheres in touch: their difference decays as exp(-H (1/C_a + 1/C_b) t), and the heat is constant") {
  // A fiftieth of the time constant per step. The fourth order leaves (1/50)^4/120 of the decay per time constant.
  const double size_b = 1.7, c_b = kC * std::pow(size_b, 3);
  const double reduced = kRadius * size_b / (1 + size_b), h = 2 * kConductivity * std::sqrt(reduced * kOverlap);
  const double rate = h * (1 / kC + 1 / c_b), dt = 1 / (50 * rate);
  Still scene{.bodies = ball("a", 0, 0, 0, 400) + "," + ball("b", kRadius * (1 + size_b) - kOverlap, 0, 0, 300, size_b),
              .interval = dt,
              .dt = dt};
  Simulation run = made(scene);
  double worst = 0, leak = 0;
  const double start = kC * 400 + c_b * 300;
  for (int n = 1; n <= 250; ++n) {
    run.step();
    const auto now = temperatures(run);
    const double t = (n - 1) * dt;  // the hook runs before a step
    worst = std::max(worst, std::abs((now.at(0) - now.at(1)) / 100 - std::exp(-rate * t)));
    leak = std::max(leak, std::abs(kC * now.at(0) + c_b * now.at(1) - start) / start);
    leak = std::max(leak, std::abs(figure_of(run, "heat_J") - start) / start);
  }
  fmt::print("two spheres: error of the difference {:.2e}, of the heat {:.2e}\n", worst, leak);
  CHECK(worst < 1e-6);
  CHECK(leak < 1e-13);
  CHECK(figure_of(run, "heat_carried_J") == Approx(0).margin(1e-13 * start));
  CHECK(figure_of(run, "heat_supplied_J") == 0);
}

TEST_CASE("unequal materials, a wall, the other radius: the flux is H dT in the first step") {
  Still scene{.bodies = ball("a", 0, 0, kRadius - kOverlap, 350) +
                        R"(, {"name": "f", "shape": "floor", "material": "steel", "fixed": true})"};
  scene.values = R"({"material": "glass", "conductivity": 2, "heat_capacity": 800},
                    {"material": "steel", "conductivity": 50, "heat_capacity": 500})";
  scene.interval = scene.dt = 1e-6;
  const double drop = 350 - 293.15, series = 4 / (1.0 / 2 + 1.0 / 50);
  {
    Simulation run = made(scene);
    run.step();
    CHECK(fluxes(run).at(0) == Approx(-series * std::sqrt(kRadius * kOverlap) * drop).epsilon(1e-9));
    CHECK(fluxes(run).at(1) == -fluxes(run).at(0));
    CHECK(temperatures(run).at(1) == 293.15);  // a half-space has no mass: it keeps its temperature
  }
  scene.options = R"(, "radius": "overlap")";
  Simulation run = made(scene);
  run.step();
  CHECK(fluxes(run).at(0) ==
        Approx(-series * std::sqrt(2 * kRadius * kOverlap - kOverlap * kOverlap) * drop).epsilon(1e-9));
  // Soft springs: moduli of the scene 1e6 Pa, real ones 7e10 and 2e11.
  scene.options = R"(, "softness": "lasting")";
  scene.materials =
      R"("glass": {"density": 2500, "youngs_modulus": 1e6, "poisson_ratio": 0.3}, "steel": {"youngs_modulus": 1e6, "poisson_ratio": 0.3})";
  scene.values = R"({"material": "glass", "conductivity": 2, "heat_capacity": 800, "real_youngs_modulus": 7e10},
                    {"material": "steel", "conductivity": 50, "heat_capacity": 500, "real_youngs_modulus": 2e11})";
  const double ratio = (1 / 7e10 + 1 / 2e11) / (2 / 1e6);
  Simulation lasting = made(scene);
  lasting.step();
  CHECK(fluxes(lasting).at(0) ==
        Approx(-series * std::sqrt(kRadius * kOverlap) * std::cbrt(ratio) * drop).epsilon(1e-9));
  scene.options = R"(, "softness": "collisions")";
  Simulation hits = made(scene);
  hits.step();
  CHECK(fluxes(hits).at(0) ==
        Approx(-series * std::sqrt(kRadius * kOverlap) * std::pow(ratio, 0.2) * drop).epsilon(1e-9));
}

TEST_CASE("a row between fixed ends: a linear profile, and H dT/(N + 1) goes through") {
  constexpr int kBalls = 10;
  Still scene;
  for (int k = 0; k <= kBalls + 1; ++k)
    scene.bodies += (k ? ", " : "") + ball(k == 0       ? "hot"
                                           : k > kBalls ? "cold"
                                                        : fmt::format("b{}", k),
                                           k * (2 * kRadius - kOverlap), 0, 0, k == 0 ? 400 : 300);
  scene.conditions = R"({"bodies": "hot", "fixed": true}, {"bodies": "cold", "fixed": true})";
  // The slowest mode of the row decays with H/C (pi/(N + 1))^2: 40 times that are e^-40.
  scene.interval = scene.dt = 0.5 * kC / kH;
  Simulation run = made(scene);
  run.step(static_cast<std::uint64_t>(40 * std::pow((kBalls + 1) / M_PI, 2) / 0.5));
  const auto now = temperatures(run);
  double worst = 0;
  for (int k = 0; k <= kBalls + 1; ++k)
    worst = std::max(worst, std::abs(now.at(k) - (400 - 100.0 * k / (kBalls + 1))) / 100);
  const double through = kH * 100 / (kBalls + 1), error = std::abs(fluxes(run).at(kBalls + 1) / through - 1);
  fmt::print("row: error of the profile {:.2e}, of the flux {:.2e}\n", worst, error);
  CHECK(worst < 1e-9);  // conductances: positions are sums of 12 numbers, overlaps of 1e-4 thus good to 1e-11
  CHECK(error < 1e-9);
  CHECK(fluxes(run).at(0) == Approx(-through).epsilon(1e-9));
  CHECK(balance(run) == Approx(kBalls * kC * 300).epsilon(1e-13));
}

TEST_CASE("a simple cubic lattice conducts k_eff = k a/R, across periodic borders too") {
  for (const bool across : {false, true}) {
    // Five layers of 3 x 3 between plates; or a ring of six layers in a cell, from a hot layer to a cold one.
    const double pitch = 2 * kRadius - kOverlap;
    const auto layer = [&](const std::string& name, double z, double temperature) {
      return fmt::format(R"({{"name": "{}", "shape": "ball", "material": "glass", "columns": {{"temperature": {}}},
          "packing": {{"type": "lattice", "lower": [0, 0, {}], "counts": [3, 3, 1], "spacing": {}}}}})",
                         name, temperature, z, pitch);
    };
    Still scene;
    for (int k = 0; k < 6; ++k) scene.bodies += (k ? ", " : "") + layer(fmt::format("l{}", k), k * pitch, 300);
    scene.conditions = R"({"bodies": "l0", "temperature": 400, "fixed": true}, {"bodies": "l5", "fixed": true})";
    scene.bodies = std::string(scene.bodies).replace(scene.bodies.find("300"), 3, "400");
    double path = 5;  // gaps between hot and cold
    if (across) {
      scene.more = fmt::format(R"(, "periodic": {{"x": [{0}, {1}], "y": [{0}, {1}], "z": [{0}, {2}]}})", -pitch / 2,
                               2.5 * pitch, 5.5 * pitch);
      scene.conditions = R"({"bodies": "l0", "fixed": true}, {"bodies": "l3", "fixed": true})";
      path = 3;
    }
    scene.interval = scene.dt = 0.4 * kC / (6 * kH);
    Simulation run = made(scene);
    run.step(4000);
    double power = 0;
    for (const auto& [id, flux] : fluxes(run))
      if (id < 9) power -= flux;
    if (across) power /= 2;  // heat goes both ways round
    const double k_eff = power / (9 * pitch * pitch) * (path * pitch) / 100;
    const double expected = kConductivity * kContact / kRadius * (2 * kRadius / pitch);  // H/pitch, with 2 R for it
    fmt::print("lattice{}: k_eff/k = {:.6f}, a/R = {:.6f}\n", across ? " in a cell" : "", k_eff / kConductivity,
               kContact / kRadius);
    CHECK(k_eff == Approx(expected).epsilon(1e-8));
    CHECK(k_eff == Approx(kConductivity * kContact / kRadius).epsilon(1e-2));  // the overlap is 1 % of R
  }
}

TEST_CASE("sources warm what they are in; insulated bodies stay as they are; a wall with a capacity warms up") {
  Still scene{.bodies = ball("a", 0, 0, kRadius - kOverlap, 300) + "," + ball("b", 0.0199, 0, kRadius - kOverlap, 500) +
                        R"(, {"name": "f", "shape": "floor", "material": "steel", "fixed": true})"};
  scene.conditions = R"({"bodies": "a", "source": 3}, {"bodies": "b", "insulated": true, "source": -2},
                        {"bodies": "f", "capacity": 5})";
  Simulation run = made(scene);
  run.step(101);
  const auto now = temperatures(run);
  CHECK(now.at(1) == Approx(500 - 2 * 100 / kC).epsilon(1e-12));
  CHECK(kC * (now.at(0) - 300) + 5 * (now.at(2) - 293.15) == Approx(300).epsilon(1e-10));
  CHECK(now.at(2) > 293.2);
  CHECK(figure_of(run, "heat_supplied_J") == Approx(100).epsilon(1e-12));
  CHECK(balance(run) == Approx(kC * 800 + 5 * 293.15).epsilon(1e-13));
  CHECK(figure_of(run, "temperature_min_K") == std::min(now.at(0), now.at(2)));
  CHECK(figure_of(run, "temperature_max_K") == now.at(1));
  CHECK(figure_of(run, "temperature_mean_K") == Approx(figure_of(run, "heat_J") / (2 * kC + 5)).epsilon(1e-14));
}

TEST_CASE("a clump has one temperature: the radius is that of the sphere that touches, members share their owner's") {
  Still scene{
      .bodies =
          R"({"name": "c", "shape": "pair", "material": "glass", "position": [0, 0, 0], "columns": {"temperature": 400}},)" +
          ball("b", kRadius * 2.5 - kOverlap, 0, 0, 300)};
  scene.shapes =
      R"(, "pair": {"type": "clump", "spheres": [{"position": [0, 0, 0], "radius": 0.015}, {"position": [-0.015, 0, 0], "radius": 0.01}]})";
  scene.interval = scene.dt = 1e-6;
  Simulation run = made(scene);
  run.step();
  CHECK(fluxes(run).at(1) == Approx(2 * kConductivity * std::sqrt(0.006 * kOverlap) * 100).epsilon(1e-6));

  Still free{.bodies = ball("a", 0, 0, 0, 400) + "," + ball("b", 0.0299, 0, 0, 300, 2) + "," +
                       ball("d", 0, 0.0199, 0, 350) + "," + ball("frame", 0.5, 0, 0, 280)};
  Simulation owned = made(free);
  owned.step(1);
  World& world = owned.world();
  const std::vector<Id> ids{0, 1};
  const RigidBody whole{
      .mass = kMass * 10, .inertia = Vec3::Constant(1e-3), .frame = {Vec3(0.5, 0, 0), Quat::Identity()}, .twist = {}};
  world.attach(ids, 3, whole);
  owned.step(1);
  auto now = temperatures(owned);
  const double mixed = (400 + 8 * 300 + 280) / 10.0;
  CHECK(now.at(0) == Approx(mixed).epsilon(1e-5));  // what a and b had exchanged before
  CHECK(now.at(1) == now.at(0));
  CHECK(now.at(3) == now.at(0));
  owned.step(100);
  now = temperatures(owned);
  CHECK(now.at(2) < 349.99);  // a touches d
  CHECK(now.at(0) == now.at(3));
  CHECK(figure_of(owned, "heat_J") == Approx(kC * (400 + 8 * 300 + 350 + 280)).epsilon(1e-13));
  CHECK(balance(owned) == Approx(figure_of(owned, "heat_J")).epsilon(1e-13));
}

namespace {

/// A crowd of hot and cold grains in a periodic box that run into each other.
std::string crowd(const std::string& options = "") {
  return R"({"dimension": 3, "materials": {"glass": {"density": 2500}},
    "shapes": {"bead": {"type": "sphere", "radius": 0.001}},
    "bodies": [{"name": "hot", "shape": "bead", "material": "glass", "seed": 5, "columns": {"temperature": 500},
                "packing": {"type": "lattice", "lower": [0.002, 0.002, 0.002], "counts": [6, 6, 3], "spacing": 0.003, "jitter": "free"},
                "random_speed": 0.5},
               {"name": "cold", "shape": "bead", "material": "glass", "seed": 6,
                "packing": {"type": "lattice", "lower": [0.002, 0.002, 0.011], "counts": [6, 6, 3], "spacing": 0.003, "jitter": "free"},
                "random_speed": 0.5}],
    "periodic": {"x": [0, 0.018], "y": [0, 0.018], "z": [0, 0.018]},
    "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 500, "friction": 0.3, "restitution": 0.7}}],
    "hooks": [{"type": "heat", "interval": 2e-5, "materials": [{"material": "glass", "conductivity": 1, "heat_capacity": 0.1}])" +
         options + R"(}],
    "integrator": {"type": "velocity-verlet", "dt": 1e-5}, "output": {"writers": []}, "run": {"duration": 10}})";
}

}  // namespace

TEST_CASE("a crowd: its heat is constant, with the same bits on threads, on ranks, after a snapshot and a checkpoint") {
  constexpr std::uint64_t kSteps = 600;
  for (const std::string options : {"", R"(, "dissipation": true)"}) {
    CAPTURE(options);
    const auto end = [](Simulation& run) {
      std::vector<double> bits{static_cast<double>(state_hash(run.world()) >> 12)};
      for (const auto& [id, t] : temperatures(run)) bits.push_back(t);
      for (const auto& [id, f] : fluxes(run)) bits.push_back(f);
      for (const char* name :
           {"heat_J", "heat_carried_J", "temperature_min_K", "temperature_mean_K", "temperature_max_K"})
        bits.push_back(figure_of(run, name));
      return bits;
    };
    const auto make = [&](int threads) { return Simulation::from_text(crowd(options), {.threads = threads}); };
    Simulation whole = make(1);
    whole.step(1);
    const double start = figure_of(whole, "heat_J");
    CHECK(start == Approx(108 * 2500 * 4e-9 / 3 * M_PI * 0.1 * (500 + 293.15)).epsilon(1e-13));
    whole.step(kSteps / 2 - 1);
    const TemporaryFolder folder;
    whole.save((folder / "at.h5").string());
    const auto half = whole.snapshot();
    whole.step(kSteps / 2);
    const auto expected = end(whole);
    if (options.empty()) CHECK(figure_of(whole, "heat_J") == Approx(start).epsilon(1e-13));
    CHECK(std::ranges::count_if(temperatures(whole), [](const auto& t) { return t.second > 294 && t.second < 499; }) >
          20);
    whole.restore(*half);
    whole.step(kSteps / 2);
    CHECK(end(whole) == expected);
    Simulation resumed = make(2);
    resumed.load((folder / "at.h5").string());
    resumed.step(kSteps / 2);
    CHECK(end(resumed) == expected);
    Simulation threads = make(3);
    threads.step(kSteps);
    CHECK(end(threads) == expected);
    for (const Failure& failure : on_thread_ranks(2, [&](Ranks&) {
           Simulation run = make(1);
           run.step(kSteps / 2);
           run.restore(*run.snapshot());
           run.step(kSteps / 2);
           if (end(run) != expected) throw Error("other bits");
         }))
      CHECK(failure.text == "");
  }
}

TEST_CASE(
    "contacts that the hook sees are those of the last step, whoever asks when, also where forces are of its start") {
  std::string text = crowd(R"(, "dissipation": true)");
  text.replace(text.find("velocity-verlet"), 15, "symplectic-euler");
  Simulation whole = Simulation::from_text(text, {.threads = 1});
  whole.step(300);
  const auto half = whole.snapshot();
  whole.step(100);
  const auto expected = temperatures(whole);
  Simulation single = Simulation::from_text(text, {.threads = 1});
  for (int n = 0; n < 400; ++n) single.step();
  CHECK(temperatures(single) == expected);
  whole.restore(*half);
  whole.step(100);
  CHECK(temperatures(whole) == expected);
}

TEST_CASE("bodies that come and go bring and take their heat: nothing is lost") {
  Still scene{.bodies = ball("a", 0, 0, 0, 400) + "," + ball("b", 2 * kRadius - kOverlap, 0, 0, 300) + "," +
                        ball("gone", -2 * kRadius + kOverlap, 0, 0, 350)};
  scene.bodies.insert(scene.bodies.size() - 1, R"(, "remove_at": 20)");
  scene.text();
  scene.conditions = R"({"bodies": "drops", "temperature": 600})";
  std::string text = scene.text();
  text.insert(
      text.find(R"({"type": "heat")"),
      R"({"type": "emitter", "name": "drops", "shape": "ball", "material": "glass", "points": [[0, 0.5, 0]], "number": 3, "number_rate": 0.1, "interval": 5, "velocity": [0, 0.01, 0]},)");
  Simulation run = Simulation::from_text(text, {.threads = 1});
  run.step();
  double start = balance(run);
  const double first = kC * (400 + 300 + 350);
  CHECK(first + figure_of(run, "drops_count") * kC * 600 == Approx(figure_of(run, "heat_J")).epsilon(1e-13));
  run.step(100);
  CHECK(figure_of(run, "drops_count") == 3);
  CHECK(run.world().size() == 5);
  CHECK(balance(run) == Approx(start).epsilon(1e-13));
  const auto now = temperatures(run);
  double sum = 0;
  for (const auto& [id, t] : now) sum += kC * t;
  CHECK(figure_of(run, "heat_J") == Approx(sum).epsilon(1e-13));
  CHECK(now.rbegin()->second == 600);  // touches nothing
  // What the removed body took is what it had given or got: less than 350 K, more than 300 K.
  const double taken = first + 3 * kC * 600 - sum;
  CHECK(taken > 300 * kC);
  CHECK(taken < 400 * kC);
}

TEST_CASE("a stage that begins with heat: bodies get their temperatures then") {
  Simulation run = Simulation::from_text(R"({"dimension": 3, "materials": {"glass": {"density": 2500}},
    "shapes": {"ball": {"type": "sphere", "radius": 0.01}},
    "bodies": [{"name": "a", "shape": "ball", "material": "glass"},
               {"name": "b", "shape": "ball", "material": "glass", "position": [0.0199, 0, 0]}],
    "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1e-30}}],
    "integrator": {"type": "velocity-verlet", "dt": 1}, "output": {"writers": []}, "run": {},
    "stages": [{"name": "cold", "until": {"duration": 5}},
               {"name": "warm", "until": {"duration": 5}, "change": {"hooks": [{"type": "heat", "interval": 1,
                 "materials": [{"material": "glass", "conductivity": 2, "heat_capacity": 800}],
                 "conditions": [{"bodies": "a", "temperature": 400}]}]}}]})",
                                         {.threads = 1});
  run.step(6);
  CHECK(temperatures(run) == std::map<Id, double>{{0, 400}, {1, 293.15}});
  run.step(4);
  CHECK(figure_of(run, "heat_J") == Approx(kC * (400 + 293.15)).epsilon(1e-14));
  CHECK(temperatures(run).at(0) < 400);
}

TEST_CASE("a stage gives a plate of a fixed temperature another one; temperatures below 0 end the run") {
  const auto scene = [](const std::string& columns, double plate, double later) {
    const auto hooks = [](double t) {
      return fmt::format(R"([{{"type": "heat", "interval": 1,
        "materials": [{{"material": "glass", "conductivity": 2, "heat_capacity": 800}}],
        "conditions": [{{"bodies": "a", "temperature": {}, "fixed": true}}]}}])",
                         t);
    };
    return Simulation::from_text(fmt::format(R"({{"dimension": 3, "materials": {{"glass": {{"density": 2500}}}},
    "shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}}},
    "bodies": [{{"name": "a", "shape": "ball", "material": "glass"}},
               {{"name": "b", "shape": "ball", "material": "glass", "position": [1, 0, 0]{}}}], "hooks": {},
    "interactions": [{{"between": ["*", "*"], "law": "none"}}],
    "integrator": {{"type": "velocity-verlet", "dt": 1}}, "output": {{"writers": []}}, "run": {{}},
    "stages": [{{"name": "warm", "until": {{"duration": 5}}}},
               {{"name": "hot", "until": {{"duration": 5}}, "change": {{"hooks": {}}}}}]}})",
                                             columns, hooks(plate), hooks(later)),
                                 {.threads = 1});
  };
  Simulation run = scene("", 400, 600);
  run.step(4);
  CHECK(temperatures(run).at(0) == 400);
  run.step(4);
  CHECK(temperatures(run).at(0) == 600);
  Simulation cold = scene(R"(, "columns": {"temperature": -20})", 400, 400);
  CHECK_THROWS_WITH(cold.step(1), Catch::Matchers::Contains("has a temperature of -20 K at 0 s; it must be above 0."));
}

TEST_CASE("collisions: what damping and friction take from the motion becomes heat") {
  // Two balls hit each other, off centre and spinning, far from walls: kinetic energy and heat together are constant.
  const auto lost = [](double dt, const std::string& law) {
    Still scene{
        .bodies =
            R"({"name": "a", "shape": "ball", "material": "glass", "position": [0, 0, 0], "velocity": [1, 0, 0], "angular_velocity": [0, 0, 30]},
                             {"name": "b", "shape": "ball", "material": "glass", "position": [0.0205, 0.006, 0], "velocity": [-1, 0, 0]})"};
    scene.law = law;
    scene.interval = scene.dt = dt;
    scene.options = R"(, "dissipation": true)";
    scene.materials = R"("glass": {"density": 2500})";
    scene.values = R"({"material": "glass", "conductivity": 2, "heat_capacity": 0.001})";
    Simulation run = made(scene);
    run.step();
    const double kinetic = totals(run.world(), Vec3::Zero()).kinetic(), heat = figure_of(run, "heat_J");
    run.step(static_cast<std::uint64_t>(4e-3 / dt));
    REQUIRE(run.contacts().empty());
    const double gone = kinetic - totals(run.world(), Vec3::Zero()).kinetic();
    const double warm = figure_of(run, "heat_J") - heat;
    CHECK(warm == Approx(figure_of(run, "heat_dissipated_J")).epsilon(1e-9));
    fmt::print("collision, dt {:.1e} s: {:.6e} J are lost, {:.6e} J are heat, error {:.1e}\n", dt, gone, warm,
               warm / gone - 1);
    return std::array{warm / gone - 1, gone / kinetic};
  };
  for (const std::string law : {R"({"type": "linear", "normal_stiffness": 1e5, "restitution": 0.6, "friction": 0.3})",
                                R"({"type": "linear", "normal_stiffness": 1e5, "friction": 0.1})"}) {
    CAPTURE(law);
    const auto coarse = lost(4e-6, law), fine = lost(2e-6, law), finest = lost(1e-6, law);
    CHECK(finest[1] > 0.002);
    // Verlet's kinetic energy grows by the trapezoid of F.v, less what dt^2 F^2/(8 m) grows by: 0 before and after.
    for (const auto& of : {coarse, fine, finest}) CHECK(std::abs(of[0]) < 1e-11);
  }
}

TEST_CASE("heat of a collision goes into both bodies in proportion to their effusivities") {
  Still scene{.bodies = R"({"name": "a", "shape": "ball", "material": "glass", "velocity": [1, 0, 0]},
                           {"name": "b", "shape": "ball", "material": "steel", "position": [0.0205, 0, 0]})"};
  scene.materials = R"("glass": {"density": 2500}, "steel": {"density": 7800})";
  scene.law = R"({"type": "linear", "normal_stiffness": 1e5, "restitution": 0.6})";
  // Conductivities of a billionth: what flows meanwhile is nothing beside what is made.
  scene.values = R"({"material": "glass", "conductivity": 1e-9, "heat_capacity": 0.8},
                    {"material": "steel", "conductivity": 5e-8, "heat_capacity": 0.5})";
  scene.options = R"(, "dissipation": true)";
  scene.interval = scene.dt = 2e-6;
  Simulation run = made(scene);
  run.step(1500);
  REQUIRE(run.contacts().empty());
  const double of_a = kC * 1e-3 * (temperatures(run).at(0) - 293.15);
  const double of_b = kMass / 2500 * 7800 * 0.5 * (temperatures(run).at(1) - 293.15);
  CHECK(of_a + of_b == Approx(figure_of(run, "heat_dissipated_J")).epsilon(1e-9));
  CHECK(of_b / of_a == Approx(std::sqrt(50 * 7800 * 0.5 / (2500 * 0.8))).epsilon(1e-6));
}

TEST_CASE("heat that cannot flow is refused before the first step, with what is missing") {
  const std::string a = ball("a", 0, 0, 0, 300), two = a + "," + ball("b", 0.0199, 0, 0, 400);
  const auto with = [&](auto change) {
    Still scene{.bodies = two};
    change(scene);
    return refusal(scene);
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK(with([](Still&) {}) == "");
  CHECK_THAT(with([&](Still& s) { s.bodies = ball("a", 0, 0, 0, -3); }),
             ContainsSubstring("heat: body 0 of \"a\" has a temperature of -3 K at 0 s; it must be above 0. Give it "
                               "another in \"columns\""));
  CHECK_THAT(with([](Still& s) { s.conditions = R"({"bodies": "a", "temperature": -1})"; }),
             ContainsSubstring("/hooks/0/conditions/0/temperature"));
  CHECK_THAT(with([](Still& s) { s.values = R"({"material": "glass", "conductivity": -2, "heat_capacity": 800})"; }),
             ContainsSubstring("/hooks/0/materials/0/conductivity"));
  CHECK_THAT(
      with([](Still& s) { s.values = R"({"material": "steel", "conductivity": 2, "heat_capacity": 800})"; }),
      ContainsSubstring("heat: body 0 of \"a\" is of material \"glass\", which has no conductivity and "
                        "heat_capacity. Give them in \"materials\" of the hook, or make the body \"insulated\""));
  CHECK_THAT(with([](Still& s) { s.values = R"({"material": "gold", "conductivity": 2, "heat_capacity": 800})"; }),
             ContainsSubstring("/hooks/0/materials/0/material: heat: the scene has no material \"gold\". There are: "
                               "glass, steel."));
  CHECK_THAT(with([](Still& s) { s.conditions = R"({"bodies": "c"})"; }),
             ContainsSubstring("/hooks/0/conditions/0/bodies: heat: no entry of the scene's bodies") &&
                 ContainsSubstring("is called \"c\". There are: a, b."));
  CHECK_THAT(with([](Still& s) { s.conditions = R"({"bodies": "a"}, {"bodies": "a"})"; }),
             ContainsSubstring("/hooks/0/conditions/1: heat: \"a\" has two conditions. Put all in one."));
  const std::string glass = R"({"material": "glass", "conductivity": 2, "heat_capacity": 800})";
  CHECK_THAT(with([&](Still& s) { s.values = glass + "," + glass; }),
             ContainsSubstring("/hooks/0/materials/1: heat: material \"glass\" is there twice. Remove one."));
  CHECK_THAT(
      with([&](Still& s) { s.values = glass; }),
      ContainsSubstring("/hooks/0/materials: heat: material \"steel\" has no conductivity and heat_capacity here. "
                        "No body of the start is of it, but some may come."));
  CHECK_THAT(with([](Still& s) { s.conditions = R"({"bodies": "a", "fixed": true, "source": 2})"; }),
             ContainsSubstring("have a \"fixed\" temperature"));
  CHECK_THAT(with([](Still& s) {
               s.bodies +=
                   R"(, {"name": "f", "shape": "floor", "material": "steel", "fixed": true, "position": [0, 0, -1]})";
               s.conditions = R"({"bodies": "f", "source": 2})";
             }),
             ContainsSubstring("has a source of 2 W, but no mass that would take up its heat. Give its \"capacity\""));
  CHECK_THAT(with([](Still& s) { s.interval = 1e6; }),
             ContainsSubstring("heat: body 0 exchanges heat so fast that steps may last ") &&
                 ContainsSubstring("half of m c/sum H. The hook runs every 1e+06 s: that takes ") &&
                 ContainsSubstring("and \"most_substeps\" is 100. Give a shorter \"interval\", or allow more."));
  CHECK(with([](Still& s) { s.interval = 1e6, s.options = R"(, "most_substeps": 1000)"; }) == "");
  CHECK_THAT(with([](Still& s) { s.interval = 0; }), ContainsSubstring("has no \"interval\""));
  CHECK_THAT(with([](Still& s) { s.options = R"(, "softness": "lasting")"; }),
             ContainsSubstring("\"softness\" needs the \"real_youngs_modulus\""));
  CHECK_THAT(with([](Still& s) {
               s.values =
                   R"({"material": "glass", "conductivity": 2, "heat_capacity": 800, "real_youngs_modulus": 1e9})";
             }),
             ContainsSubstring("but no \"softness\""));
  CHECK_THAT(with([](Still& s) {
               s.values =
                   R"({"material": "glass", "conductivity": 2, "heat_capacity": 800, "real_youngs_modulus": 1e9})";
               s.options = R"(, "softness": "lasting")";
             }),
             ContainsSubstring("material \"glass\" has no youngs_modulus in the scene"));
  CHECK_THAT(with([](Still& s) { s.options = R"(, "dissipation": true)"; }),
             ContainsSubstring("but material \"steel\" has no density"));
  Still cooled{.bodies = a};
  cooled.conditions = R"({"bodies": "a", "source": -1e4})";
  Simulation run = made(cooled);
  CHECK_THROWS_WITH(run.step(100), ContainsSubstring("heat: body 0 of \"a\" has a temperature of -") &&
                                       ContainsSubstring("A source below 0 takes more heat than there is"));
}

TEST_CASE("changes: bodies in a region get a temperature, and a source, at their times and once") {
  const double capacity = kCapacity * kDensity * 4 / 3 * std::numbers::pi * std::pow(kRadius, 3);
  const Still scene{.bodies = ball("right", 0.1, 0, 0, 300) + ", " + ball("left", -0.1, 0, 0, 300),
                    .options = kChanges};
  for (const bool resumed : {false, true}) {
    Simulation run = made(scene), other = made(scene);
    run.run_until(4);
    if (resumed) other.restore(*run.snapshot());
    Simulation& on = resumed ? other : run;
    if (!resumed) CHECK(temperatures(on)[0] == 800);  // the exchange of 3 s; the next is that of 4 s
    on.run_until(10);
    CHECK(temperatures(on)[0] == Approx(800 + (2 * 3 - 4 * 2) / capacity).epsilon(1e-12));
    CHECK(temperatures(on)[1] == 300);
    CHECK(figure_of(on, "heat_J") - figure_of(on, "heat_supplied_J") - figure_of(on, "heat_carried_J") ==
          Approx(600 * capacity).epsilon(1e-12));
  }
}

TEST_CASE("changes that give nothing are refused") {
  Still scene{.bodies = ball("a", 0, 0, 0, 300)};
  scene.options = R"(, "changes": [{"time": 1, "region": {"type": "sphere", "centre": [0, 0, 0], "radius": 1}}])";
  CHECK_THROWS_WITH(made(scene), Catch::Contains("/changes/0") && Catch::Contains("changes nothing"));
}
