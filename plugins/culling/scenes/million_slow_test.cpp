/// \file A million spheres: how much of a crystal at rest, and of an ellipsoid in the air, is stored, and what that
/// saves.

#include <chrono>
#include <cmath>
#include <numbers>

#include "beside_full.hpp"

using namespace scree;
using namespace scree::culling::test;

namespace {

constexpr int kTimed = 500;   // steps
constexpr double kDt = 4e-5;  // [s], as in the scenes of examples/

struct Phase {
  double seconds = 0;    ///< wall clock, of kTimed steps
  double active = 1;     ///< share at their end
  std::size_t size = 0;  ///< granules
};

Phase timed(Running& run, std::size_t granules) {
  const auto begin = std::chrono::steady_clock::now();
  run.steps(kTimed);
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          1 - share_stored(run, granules), granules};
}

/// Full DEM until culling starts after kTimed steps, with a test for what is solid, and as many culled: both are timed.
std::pair<Phase, Phase> before_and_after(Running run) {
  const auto granules = static_cast<std::size_t>(
      std::ranges::count_if(run.world().inverse_mass.read(), [](double inverse) { return inverse > 0; }));
  REQUIRE(granules > 950000);
  const Phase full = timed(run, granules), culled = timed(run, granules);
  check_invariants(run, granules);
  CHECK(figure(run, "granules_restored") == 0);
  return {full, culled};
}

void tell(const char* what, const Phase& full, const Phase& culled) {
  fmt::print("{}, {} spheres: {:.1f} ms per step of full DEM, {:.1f} ms culled ({:.2f} times), {:.1f} % active\n", what,
             full.size, full.seconds * 1000 / kTimed, culled.seconds * 1000 / kTimed, full.seconds / culled.seconds,
             100 * culled.active);
  std::fflush(stdout);
}

/// Spheres at rest in a box, as a crystal: layers of n x n and of (n - 1) x (n - 1) in turns, each sphere in the hollow
/// of four. Contacts bear what lies above them from the start: overlap = weight above / (4 k cos 45 degrees).
std::string crystal(int across, int layers) {
  constexpr double stiffness = 20000, gravity = 9.81, density = 2500;  // [N/m], [m/s^2], [kg/m^3]
  const double weight = density * std::numbers::pi / 6 * std::pow(kDiameter, 3) * gravity;
  const double half = across * kDiameter / 2;
  double z = kDiameter / 2 - layers * weight / stiffness;
  std::string bodies;
  for (int layer = 0; layer < layers; ++layer) {
    const int n = across - layer % 2;
    const double corner = -half + kDiameter * (layer % 2 ? 1.0 : 0.5);
    bodies += fmt::format(
        R"({{"name": "layer {}", "shape": "grain", "material": "grain", "packing": {{"type": "lattice",
 "lower": [{}, {}, {}], "counts": [{}, {}, 1], "spacing": {}}}}}, )",
        layer, corner, corner, z, n, n, kDiameter);
    const double overlap = (layers - layer - 1) * weight / (4 * stiffness * std::numbers::sqrt2 / 2);
    z += std::sqrt(std::pow(kDiameter - overlap, 2) - kDiameter * kDiameter / 2);
  }
  return fmt::format(
      R"({{"dimension": 3, "gravity": [0, 0, -{}], "materials": {{"grain": {{"density": {}}}, "wall": {{}}}},
"shapes": {{"grain": {{"type": "sphere", "radius": {}}}, "box": {{"type": "box", "half_sizes": [{}, {}, {}], "inside": true}}}},
"bodies": [{}{{"name": "box", "shape": "box", "material": "wall", "fixed": true, "position": [0, 0, {}]}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": {}, "restitution": 0.3,
 "tangential": "spring", "tangential_stiffness": 10000, "friction": 0.5}}}}],
"hooks": [{{"type": "granular-culling", "window": 0.005, "cull_every": 4, "interval": 4e-4, "start": {}}}],
"integrator": {{"type": "velocity-verlet", "dt": {}}}, "output": {{"writers": []}}, "run": {{"duration": 100}}}})",
      gravity, density, kDiameter / 2, half, half, half, bodies, half, stiffness, kTimed * kDt, kDt);
}

}  // namespace

TEST_CASE("a million spheres in the air: the share of a shell stays active") {
  const auto [full, culled] = before_and_after(
      example("culling_blob", true,
              {"/bodies/0/packing/semi_axes=[0.936,0.468,0.468]", "/bodies/0/packing/centre=[0,0,0.573]",
               fmt::format("/hooks/0/start={}", kTimed * kDt), "/hooks/0/cull_every=25"}));
  tell("an ellipsoid in the air", full, culled);
  CHECK(std::abs(culled.active - 0.15) < 0.03);
  CHECK(culled.seconds < full.seconds);
}

TEST_CASE("a million spheres at rest: a step takes a quarter of full DEM's, culling included") {
  const auto [full, culled] = before_and_after(Running(crystal(100, 100)));
  tell("a crystal at rest", full, culled);
  CHECK(culled.seconds < full.seconds / 4);
}
