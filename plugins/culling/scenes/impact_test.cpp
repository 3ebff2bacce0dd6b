/// \file Impacts that bring granules back, and events that do not.

#include "column.hpp"

using namespace scree;
using namespace scree::culling::test;
using scree::test::Running;

namespace {

/// Culled once at the start, and never again.
const std::string kOnce = R"(, "cull_every": 100, "expose_every": 1)";

}  // namespace

TEST_CASE("a column at rest is culled once, and nothing comes back or goes in while it rests") {
  Running run = settled_column(R"(, "cull_every": 10)");
  run_for(run, 0.2);
  const double culls = figure(run, "culls"), stored = figure(run, "stored");
  CHECK(stored >= 10);
  run_for(run, 0.4);
  CHECK(figure(run, "granules_restored") == 0);
  CHECK(figure(run, "carves") == 0);
  CHECK(figure(run, "culls") == culls);
  CHECK(figure(run, "stored") == stored);
}

TEST_CASE("below the threshold an impact carves nothing, above it does") {
  // The threshold is a grain's impulse at 0.44 m/s: a grain at 0.2 m/s, and a ball 64 times as heavy at 2 m/s.
  const std::pair<const char*, double> impacts[] = {{"grain", -0.2}, {"ball", -2.0}};
  for (const auto& [shape, velocity] : impacts) {
    Running run = settled_column(kOnce);
    run.steps(1);
    const auto granules = static_cast<std::size_t>(figure(run, "active") + figure(run, "stored"));
    REQUIRE(figure(run, "stored") >= 10);
    run_for(run, 0.05);
    throw_in(run, shape, velocity);
    run_for(run, 0.05);
    INFO(shape << " at " << velocity << " m/s");
    CHECK((figure(run, "carves") > 0) == (velocity < -1));
    CHECK((figure(run, "granules_restored") > 0) == (velocity < -1));
    check_invariants(run, granules);
  }
}

TEST_CASE("a column whose top is taken away is bared, and its granules come back") {
  Running run = settled_column(kOnce);
  run.steps(1);
  World& world = run.world();
  REQUIRE(figure(run, "stored") >= 10);
  double top = 0;
  for (const double z : [&] {
         std::vector<double> heights;
         for (std::size_t i = 0; i < world.size(); ++i)
           if (world.group.read()[i] == 0) heights.push_back(world.position.read()[i].z());
         return heights;
       }())
    top = std::max(top, z);
  std::vector<Id> gone;
  for (std::size_t i = 0; i < world.size(); ++i)
    if (world.group.read()[i] == 0 && world.owner.read()[i] == world.id.read()[i] &&
        world.position.read()[i].z() > top - 2 * kDiameter && world.radius.read()[i] > 0)
      gone.push_back(world.id.read()[i]);
  world.remove(gone);
  run.prepared.methods.integrator->edited(world, world.take_edits());
  mechanics_of(run.prepared).refresh();
  const double stored = figure(run, "stored");
  run_for(run, 0.02);
  CHECK(figure(run, "granules_restored") > 0);
  CHECK(figure(run, "stored") < stored);
}
