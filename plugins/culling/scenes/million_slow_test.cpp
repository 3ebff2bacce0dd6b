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

/// Returns the wall-clock time of steps [s].
double seconds_of(Running& run, std::uint64_t steps) {
  const auto begin = std::chrono::steady_clock::now();
  run.steps(steps);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Timed {
  double full = 0, culled = 0;  ///< seconds per step
  double storing = 0;           ///< seconds of the step in which granules are stored
  double test = 0;              ///< seconds of the step with the next test for what may be stored
  double active = 1;            ///< share of granules
};

/// kTimed steps of full DEM, and as many in which granules are stored: the first stores them, and a test follows the
/// last.
Timed timed(const char* what, Running run) {
  const auto granules = static_cast<std::size_t>(
      std::ranges::count_if(run.world().inverse_mass.read(), [](double inverse) { return inverse > 0; }));
  REQUIRE(granules > 950000);
  Timed t;
  t.full = seconds_of(run, kTimed) / kTimed;
  t.storing = seconds_of(run, 1);
  t.active = 1 - share_stored(run, granules);
  t.culled = seconds_of(run, kTimed - 1) / (kTimed - 1);
  t.test = seconds_of(run, 1);
  check_invariants(run, granules);
  CHECK(figure(run, "granules_restored") == 0);
  fmt::print(
      "{}, {} spheres: {:.1f} ms per step of full DEM, {:.1f} ms culled ({:.2f} times), {:.1f} % active; {:.1f} s "
      "for storing, {:.1f} s for the next test\n",
      what, granules, 1000 * t.full, 1000 * t.culled, t.full / t.culled, 100 * t.active, t.storing, t.test);
  std::fflush(stdout);
  return t;
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
  const Timed t =
      timed("an ellipsoid in the air",
            example("culling_blob", true,
                    {"/bodies/0/packing/semi_axes=[0.936,0.468,0.468]", "/bodies/0/packing/centre=[0,0,0.573]",
                     "/hooks/0/cull_every=25", fmt::format("/hooks/0/start={}", kTimed * kDt)}));
  CHECK(std::abs(t.active - 0.15) < 0.03);
  CHECK(t.culled < t.full);
}

TEST_CASE("a million spheres at rest: once stored, a step takes less than a quarter of full DEM's") {
  const Timed t = timed("a crystal at rest", Running(crystal(100, 100)));
  CHECK(t.culled < t.full / 4);
}
