// Internal friction of the law "elastic-rod": how fast a cantilever's lowest mode dies away.

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "test_scene.hpp"

using namespace scree;
using namespace scree::rods::test;
using Catch::Matchers::Contains;

namespace {

/// A rod of 20 segments, radius 1 mm, length 0.2 m, along x from a peg; no gravity.
const std::string kCantilever = R"({
  "dimension": 3, "gravity": [0, 0, 0],
  "materials": {"rod": {"density": 1000, "youngs_modulus": 1.6e9, "poisson_ratio": 0.3}, "stone": {}},
  "shapes": {"segment": {"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder"},
             "peg": {"type": "sphere", "radius": 0.005}},
  "bodies": [
    {"name": "rod", "shape": "segment", "material": "rod",
     "packing": {"type": "strands", "segments": 20, "roots": {"normal": [1, 0, 0], "positions": [[0, 0, 0]]}}},
    {"name": "peg", "shape": "peg", "material": "stone", "fixed": true, "position": [-0.005, 0, 0]}],
  "bonds": [{"between": ["rod", "rod"], "law": {"type": "elastic-rod"}},
            {"between": ["peg", "rod"], "pairs": "roots", "law": {"type": "elastic-rod"}}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", "friction": 0}}],
  "integrator": {"type": "moreau-jean", "dt": 2e-4, "newton_tolerance": 1e-9, "newton_iterations": 20},
  "run": {"duration": 10}})";

std::vector<std::string> with_friction(double time, std::vector<std::string> more = {}) {
  for (int k = 0; k < 2; ++k) more.push_back(fmt::format("/bonds/{}/law/viscosity_time={}", k, time));
  return more;
}

std::vector<std::string> minimising(const std::string& scheme) {
  return {fmt::format(R"(/integrator={{"type": "variational", "scheme": "{}", "dt": 2e-4}})", scheme),
          R"(/interactions/0/law={"type": "linear", "normal_stiffness": 1000})"};
}

/// Angular frequency without friction [rad/s]: 1.875104^2 sqrt(EI/(rho A L^4)) (1 - 0.456/n^2).
constexpr double kOmega = 55.53;

struct Decay {
  double rate, frequency;  ///< [1/s], [rad/s]
};

/// Returns the decay of the tip's displacement, from its widest on. Higher modes have died away by its first
/// evaluation.
Decay decay(const std::vector<std::string>& sets) {
  Simulation s = made(kCantilever, sets);
  World& world = s.world();
  std::vector<Id> all;
  for (Id id = 0; id < 20; ++id) {
    const double x = (static_cast<double>(id) + 0.5) / 20;
    world.velocity.write()[*world.row(id)] = {0, 0.02 * x * x * (6 + x * x - 4 * x) / 3, 0};
    all.push_back(id);
  }
  world.mark_moved(all);
  s.run_until(0.25);
  std::vector<std::pair<double, double>> peaks;  // logarithm of the way, time
  double before = 0, now = 0;
  while (s.world().time < 0.65) {
    s.step(1);
    const double next = world.position.read()[*world.row(19)].y();
    if (before != 0 && std::abs(now) > std::abs(before) && std::abs(now) >= std::abs(next)) {
      // The parabola through three points.
      const double slope = (next - before) / 2, bend = next - 2 * now + before;
      peaks.emplace_back(std::log(std::abs(now - slope * slope / (2 * bend))), world.time);
    }
    before = now, now = next;
  }
  REQUIRE(peaks.size() > 5);
  const double time = peaks.back().second - peaks.front().second;
  return {(peaks.front().first - peaks.back().first) / time,
          std::numbers::pi * static_cast<double>(peaks.size() - 1) / time};
}

std::string refusal_of_friction(const std::vector<std::string>& sets) {
  try {
    made(kCantilever, with_friction(1e-3, sets));
  } catch (const InputError& e) {
    return e.what();
  }
  return "taken";
}

}  // namespace

TEST_CASE("internal friction damps the lowest mode by tau omega^2/2, beside what backward Euler does") {
  for (const double time : {0.0, 2e-3}) {
    const Decay found = decay(with_friction(time));
    INFO("tau " << time << " s: " << found.rate << " /s at " << found.frequency << " /s");
    CHECK(found.frequency == Approx(kOmega).epsilon(5e-3));  // friction and the step lower it
    CHECK(found.rate == Approx((time + 2e-4) * kOmega * kOmega / 2).epsilon(0.01));
  }
}

TEST_CASE("internal friction is the same in minimised energy, and the midpoint rule adds nothing to it") {
  const Decay euler = decay(with_friction(2e-3, minimising("backward-euler")));
  CHECK(euler.rate == Approx((2e-3 + 2e-4) * kOmega * kOmega / 2).epsilon(0.01));
  const Decay midpoint = decay(with_friction(2e-3, minimising("midpoint")));
  INFO("midpoint " << midpoint.rate << " /s at " << midpoint.frequency << " /s");
  CHECK(midpoint.rate == Approx(2e-3 * kOmega * kOmega / 2).epsilon(0.01));
}

TEST_CASE("internal friction does not brake a rod that turns as a whole") {
  const auto angle = [](double time) {
    Simulation s = made(kCantilever, {R"(/bodies=[{"name": "rod", "shape": "segment", "material": "rod",
          "packing": {"type": "strands", "segments": 20, "roots": {"normal": [1, 0, 0], "positions": [[0, 0, 0]]}}}])",
                                      R"(/bonds=[{"between": ["rod", "rod"], "law": {"type": "elastic-rod"}}])",
                                      fmt::format("/bonds/0/law/viscosity_time={}", time)});
    World& world = s.world();
    std::vector<Id> all;
    for (Id id = 0; id < 20; ++id) {
      const std::size_t row = *world.row(id);
      const Vec3 spin(0, 0, 5);
      world.angular_velocity.write()[row] = spin;
      world.velocity.write()[row] = spin.cross(world.position.read()[row] - Vec3(0.1, 0, 0));
      all.push_back(id);
    }
    world.mark_moved(all);
    s.run_until(0.1);
    const Vec3 along = world.position.read()[*world.row(19)] - world.position.read()[*world.row(0)];
    return std::atan2(along.y(), along.x());
  };
  CHECK(angle(0) == Approx(0.5).epsilon(1e-3));
  CHECK(angle(10) == Approx(angle(0)).epsilon(1e-8));
}

TEST_CASE("integrators that take bonds as forces refuse internal friction") {
  CHECK_THAT(refusal_of_friction({R"(/integrator={"type": "velocity-verlet", "dt": 1e-5})",
                                  R"(/interactions/0/law={"type": "linear", "normal_stiffness": 1000})"}),
             Contains("/bonds/0/law: bonds of law \"elastic-rod\" with internal friction") &&
                 Contains("integrator \"velocity-verlet\" takes bonds as forces, which know no rates") &&
                 Contains("leave internal friction out"));
  CHECK_THAT(refusal_of_friction({"/integrator/bonds=explicit", "/integrator/dt=1e-6"}),
             Contains("integrator \"moreau-jean\" takes bonds as forces"));
}
