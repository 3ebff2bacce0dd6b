// A heavy disc on a bed: how deep it sinks, and that the bed bears it then.

#include "bed_test.hpp"
#include "catch.hpp"

using namespace scree;
using namespace scree::continuum;
using namespace scree::continuum::test;

TEST_CASE("a disc of three times the bed's density sinks until the bed bears it") {
  constexpr double kCell = 0.1, kRadius = 0.25, kStep = 2.5e-3;
  Bed<2> bed(kCell);
  bed.gravity = Vec3(0, -9.81, 0);
  bed.wall(kFloor2, Vec3::Zero(), 0.5);
  bed.wall(kLeft, Vec3::Zero(), 0);
  bed.wall(kRight, Vec3(16 * kCell, 0, 0), 0);
  bed.block(Vec3::Zero(), {48, 24, 1}, kCell / 3);
  const Ball disc(kRadius);
  bed.body(disc, kRadius, Vec3(0.8, 8 * kCell + 0.255, 0), 3 * 0.6 * kDensity, 0.5);
  const double weight = 9.81 / bed.walls.back().freedom.inverse_mass;
  const auto depth = [&] { return (8 * kCell - bed.walls.back().centre[1] + kRadius) / kRadius; };
  bed.run(320, kStep);
  CHECK(depth() == Approx(0.35).margin(0.05));  // of the radius
  bed.run(840, kStep);
  CHECK(depth() < 1);
  CHECK(bed.walls.back().velocity.norm() < 2e-3);
  double load = 0;
  for (int s = 0; s < 40; ++s) {
    bed.run(1, kStep);
    load += bed.loads.back().impulse[1] / (40 * kStep);
  }
  CHECK(load == Approx(weight).epsilon(0.02));
  CHECK(bed.missed == 0);
}

TEST_CASE("in space a ball on a bed comes to rest") {
  constexpr double kCell = 0.1, kStep = 4e-3;
  Bed<3> bed(kCell);
  bed.options.tolerance_with_bodies = 1e-4;
  bed.gravity = Vec3(0, 0, -9.81);
  for (int k = 0; k < 2; ++k) bed.lattice.period[k] = 8;
  bed.wall(kFloor3, Vec3::Zero(), 0.5);
  bed.block(Vec3::Zero(), {16, 16, 10}, kCell / 2);
  const Ball ball(0.2);
  bed.body(ball, 0.2, Vec3(0.4, 0.4, 0.705), 0.5 * 0.6 * kDensity, 0.5).period = Vec3(8 * kCell, 8 * kCell, 0);
  bed.run(275, kStep);
  const Vec3 before = bed.walls.back().centre;
  bed.run(50, kStep);
  CHECK((bed.walls.back().centre - before).norm() / (50 * kStep) < 10 * 1e-4 * 9.81 * kStep);  // 3e-7 m/s
  CHECK(bed.missed == 0);
}
