/// \file Clumps, rigid contact: whatever granules are and however they collide.

#include "column.hpp"

using namespace scree;
using namespace scree::culling::test;
using scree::test::Running;

TEST_CASE("clumps: culled and restored in turns, invariants hold and the column stays") {
  GranularScene scene;
  scene.granule =
      R"({"type": "clump", "spheres": [{"position": [-0.001, 0, 0], "radius": 0.004}, {"position": [0.001, 0, 0.0005], "radius": 0.004}]})";
  Running run = settled_column(R"(, "cull_every": 1, "restore_every": 2)", scene);
  const auto granules = static_cast<std::size_t>(figure(run, "active") + figure(run, "stored"));
  const Vec3 before = centre_of_mass(run.world());
  run_for(run, 0.1);
  CHECK(figure(run, "granules_stored") > 0);
  CHECK(figure(run, "granules_stored") >= figure(run, "granules_restored"));
  CHECK((centre_of_mass(run.world()) - before).norm() < 0.01 * kDiameter);
  check_invariants(run, granules);
}

TEST_CASE("rigid contact: a column under moreau-jean is culled and restored in turns, and stays") {
  GranularScene scene;
  scene.law = R"({"type": "coulomb", "friction": 0.5})";
  scene.integrator = R"({"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-3, "slop": 1e-5})";
  Running run = settled_column(R"(, "cull_every": 1, "restore_every": 2)", scene);
  const auto granules = static_cast<std::size_t>(figure(run, "active") + figure(run, "stored"));
  const Vec3 before = centre_of_mass(run.world());
  run_for(run, 0.1);
  CHECK(figure(run, "granules_stored") > 0);
  CHECK((centre_of_mass(run.world()) - before).norm() < 0.01 * kDiameter);
  check_invariants(run, granules);
}
