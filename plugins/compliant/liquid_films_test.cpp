// Wet grains in whole runs: pairs that part, borders, rebuilds, checkpoints, ranks, and the energy that goes.

#include <fmt/format.h>

#include <numbers>

#include "catch.hpp"
#include "liquid_force.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"
#include "temporary_folder.hpp"
#include "thread_ranks.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double kBead = 1e-3, kVolume = 1e-11;
const compliant::Liquid kWater{0.07, 0.2, kVolume, 0, 0, false};

std::string scene(const std::string& liquid, const std::string& bodies, const std::string& more, double dt = 2e-6) {
  return fmt::format(R"({{"dimension": 3, "materials": {{"glass": {{"density": 2500}}, "w": {{}}}},
    "shapes": {{"bead": {{"type": "sphere", "radius": {}}}, "floor": {{"type": "half-space", "normal": [0, 0, 1]}}}},
    "bodies": [{}],
    "interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 500, "friction": 0.3,
      "liquid": {{"surface_tension": 0.07, "contact_angle": {}, "volume": {} {}}}}}}}],
    "integrator": {{"type": "velocity-verlet", "dt": {}}}, "output": {{"writers": []}}, "run": {{"duration": 10}} {}}})",
                     kBead, bodies, 0.2 * 180 / std::numbers::pi, kVolume, liquid, dt, more);
}

Simulation made(const std::string& text, int threads = 1) { return Simulation::from_text(text, {.threads = threads}); }

std::string two(double x, double speed) {
  return fmt::format(
      R"({{"name": "a", "shape": "bead", "material": "glass", "position": [{}, 0, 0], "velocity": [{}, 0, 0]}},
                        {{"name": "b", "shape": "bead", "material": "glass", "position": [{}, 0, 0], "velocity": [{}, 0, 0]}})",
      x, speed, x + 2.0001 * kBead, -speed);
}

double figure_of(Simulation& run, const std::string& name) {
  for (const auto& [key, value] : run.metrics())
    if (key == name) return value;
  return NAN;
}

double kinetic(const Simulation& run) { return totals(run.world(), Vec3::Zero()).kinetic(); }

/// Force between the only two bodies that touch or nearly do; NaN if there is no such contact.
double pull(Simulation& run) {
  const ContactView contacts = run.contacts();
  return contacts.empty() ? NAN : contacts[0].force.dot(contacts[0].normal);
}

/// A crowd of wet grains in a periodic box that run into each other.
std::string crowd(double film = 2e-11) {
  return scene(R"(, "supply": "films")",
               R"({"name": "grains", "shape": "bead", "material": "glass", "seed": 5,
                   "packing": {"type": "lattice", "lower": [0.002, 0.002, 0.002], "counts": [6, 6, 6], "spacing": 0.003, "jitter": "free"},
                   "random_speed": 0.5})",
               fmt::format(R"(, "periodic": {{"x": [0, 0.018], "y": [0, 0.018], "z": [0, 0.018]}},
                   "hooks": [{{"type": "liquid-films", "interval": 2e-5, "films": [{{"bodies": "grains", "volume": {}}}], "share": 0.2}}])",
                           film),
               1e-5);
}

}  // namespace

TEST_CASE("two wet grains meet and part: the force is the closed form until rupture, and its work is what is lost") {
  for (const bool border : {false, true}) {
    CAPTURE(border);
    const double speed = 0.2;
    const std::string cell = R"(, "periodic": {"x": [0, 0.02], "y": [-0.01, 0.01], "z": [-0.01, 0.01]})";
    Simulation run = made(scene("", two(border ? 0.019 : 0.005, speed), border ? cell : ""));
    const double before = kinetic(run), end = compliant::rupture_gap(kWater, kBead / 2, kVolume);
    double gap = -1, farthest = 0;
    bool met = false;
    while (run.time() < 0.02) {
      run.step();
      const ContactView contacts = run.contacts();
      if (contacts.empty()) continue;
      gap = -contacts[0].overlap;
      met = met || gap < 0;
      const double force = pull(run);
      if (met && gap > 0 && force != 0) {
        farthest = gap;
        REQUIRE(force == Approx(-compliant::bridge_force(kWater, kBead / 2, kVolume, gap)).epsilon(1e-9));
      }
      if (!met || gap > end) REQUIRE(force == 0);
    }
    REQUIRE(met);
    CHECK(farthest <= end);
    CHECK(farthest == Approx(end).epsilon(1e-2));
    CHECK(before - kinetic(run) ==
          Approx(compliant::bridge_energy(kWater, kBead / 2, kVolume, end)).epsilon(1e-2));  // steps at both ends
  }
}

TEST_CASE("slow wet grains stick, and two resume and restore with the same bits") {
  Simulation run = made(scene("", two(0.005, 0.01), ""));
  run.step(5000);
  const auto middle = run.snapshot();
  const TemporaryFolder folder;
  run.save((folder / "at.h5").string());
  run.step(5000);
  const std::uint64_t hash = state_hash(run.world());
  CHECK(pull(run) != 0);
  CHECK(!std::isnan(pull(run)));
  run.restore(*middle);
  run.step(5000);
  CHECK(state_hash(run.world()) == hash);
  Simulation other = made(scene("", two(0.005, 0.01), ""), 2);
  other.load((folder / "at.h5").string());
  other.step(5000);
  CHECK(state_hash(other.world()) == hash);
}

TEST_CASE("a crowd of wet grains: bridges form and break, and the liquid is the same to the last bit") {
  Simulation run = made(crowd());
  const double start = figure_of(run, "liquid_m3");
  CHECK(start == Approx(216 * 2e-11).epsilon(1e-9));
  double most = 0, least_film = 1;
  for (int k = 0; k < 100; ++k) {
    run.step(50);
    REQUIRE(figure_of(run, "liquid_m3") == start);
    most = std::max(most, figure_of(run, "wet_pairs"));
    for (const double film : run.world().column<double>("liquid_volume").read())
      least_film = std::min(least_film, film);
  }
  CHECK(most > 30);
  CHECK(least_film >= 0);
  CHECK(figure_of(run, "liquid_in_bridges_m3") > 0);
}

TEST_CASE("a crowd of wet grains has the same bits on threads, on ranks, after a checkpoint and a rebuild") {
  constexpr std::uint64_t kSteps = 500;
  const auto end = [](Simulation& run) {
    std::vector<double> bits{static_cast<double>(state_hash(run.world()) >> 12)};
    for (const char* name : {"liquid_m3", "liquid_in_bridges_m3", "wet_pairs"}) bits.push_back(figure_of(run, name));
    return bits;
  };
  Simulation whole = made(crowd());
  whole.step(kSteps / 2);
  const TemporaryFolder folder;
  whole.save((folder / "at.h5").string());
  whole.step(kSteps / 2);
  const auto expected = end(whole);
  CHECK(figure_of(whole, "wet_pairs") > 10);
  Simulation resumed = made(crowd());
  resumed.load((folder / "at.h5").string());
  resumed.step(kSteps / 2);
  CHECK(end(resumed) == expected);
  Simulation threads = made(crowd(), 3);
  threads.step(kSteps);
  CHECK(end(threads) == expected);
  for (const int ranks : {2})
    for (const Failure& failure : on_thread_ranks(ranks, [&](Ranks&) {
           Simulation run = made(crowd());
           run.step(kSteps);
           if (end(run) != expected) throw Error("other bits");
         }))
      CHECK(failure.text == "");
}

TEST_CASE("walls: R is that of the grain, and a grain hangs below a wet ceiling") {
  const std::string hung =
      scene("", R"({"name": "a", "shape": "bead", "material": "glass", "position": [0, 0, 0.000999]},
                                        {"name": "f", "shape": "floor", "material": "w", "fixed": true})",
            R"(, "gravity": [0, 0, 4.9])");  // weight upward: 0.05 mN, the bridge holds 0.86
  Simulation run = made(hung);
  run.step(20000);
  const ContactView contacts = run.contacts();
  REQUIRE(contacts.size() == 1);
  CHECK(std::abs(contacts[0].overlap) < 1e-4);
  CHECK(compliant::bridge_pull(kWater, kBead) == Approx(4 * std::numbers::pi * kBead * 0.07 * std::cos(0.2)));
}

TEST_CASE("bridges from films without the hook that has them are told of: they stay dry") {
  Simulation dry = made(scene(R"(, "supply": "films")", two(0, 0), ""));
  std::string told;
  for (const std::string& warning : dry.warnings()) told += warning;
  CHECK_THAT(told,
             Catch::Contains("/interactions/0/law: law \"linear\" reads column \"liquid_offer\" of bodies, which no "
                             "method of this scene makes: it is 0 for all. Add the hook that makes it"));
  CHECK(made(crowd()).warnings().empty());
}
