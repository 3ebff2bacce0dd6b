/// \file A million spheres: how much of a heap at rest, and of an ellipsoid in the air, is stored, and what that saves.

#include <chrono>

#include "beside_full.hpp"

using namespace scree;
using namespace scree::culling::test;

namespace {

constexpr int kTimed = 500;  // steps

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

/// Full DEM until culling starts at a time [s], and culled after it: the steps before and after are timed.
std::pair<Phase, Phase> before_and_after(const std::string& scene, double start, std::vector<std::string> sets) {
  sets.push_back(fmt::format("/hooks/0/start={}", start));
  sets.emplace_back("/hooks/0/held_at_start=true");
  Running run = example(scene, true, sets);
  const std::size_t granules = granule_rows(run.world()).size();
  REQUIRE(granules > 950000);
  const auto before = static_cast<std::uint64_t>(std::llround(start / run.scene.dt));
  REQUIRE(before >= kTimed);
  run.steps(before - kTimed);
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

}  // namespace

TEST_CASE("a million spheres in the air: the share of a shell stays active") {
  const auto [full, culled] =
      before_and_after("culling_blob", 0.02,
                       {"/bodies/0/packing/semi_axes=[0.936,0.468,0.468]", "/bodies/0/packing/centre=[0,0,0.573]"});
  tell("an ellipsoid in the air", full, culled);
  CHECK(std::abs(culled.active - 0.15) < 0.03);
  CHECK(culled.seconds < full.seconds);
}

TEST_CASE("a million spheres at rest: a step takes a quarter of full DEM's, culling included") {
  const auto [full, culled] = before_and_after(
      "culling_pile", 0.4,
      {"/bodies/0/packing/semi_axes=[0.74,0.74,1.2]", "/shapes/bowl/radius=0.75", "/bodies/1/position=[0,0,100]"});
  tell("a heap at rest", full, culled);
  CHECK(culled.seconds < full.seconds / 4);
}
