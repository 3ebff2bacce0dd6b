// What the stages of a step take, per point and step. Hidden: tests/bench/continuum/run asks for it by "[bench]".

#include <cstdio>

#include "bed_test.hpp"
#include "catch.hpp"

using namespace scree;
using namespace scree::continuum;
using namespace scree::continuum::test;

namespace {

/// Steps that are not counted, then counted ones. Prints a row of microseconds.
template <int D>
void measure(const char* name, Bed<D>& bed, int before, int steps, double dt) {
  for (const int threads : {1, 2}) {
    Bed<D> run(bed.lattice.width);
    run.lattice = bed.lattice, run.options = bed.options, run.gravity = bed.gravity;
    run.walls = bed.walls, run.points = bed.points;
    run.threads = threads;
    run.run(before, dt);
    StageSeconds sum;
    double sweeps = 0, nodes = 0;
    for (int s = 0; s < steps; ++s) {
      run.run(1, dt);
      const StageSeconds& one = run.report.seconds;
      sum.transfer += one.transfer, sum.rows += one.rows, sum.solve += one.solve, sum.move += one.move;
      sweeps += run.report.solver.sweeps;
      nodes += static_cast<double>(run.report.nodes);
    }
    const double each = 1e6 / (steps * static_cast<double>(run.points.size()));
    const double visits = sweeps * nodes / steps;
    std::printf("%-10s %8d %8.1f %9.2f %9.2f %9.2f %9.2f %9.2f %14.3f\n", name, threads, sweeps / steps,
                each * sum.transfer, each * sum.rows, each * sum.solve, each * sum.move,
                each * (sum.transfer + sum.rows + sum.solve + sum.move), visits > 0 ? 1e6 * sum.solve / visits : 0);
  }
}

}  // namespace

TEST_CASE("what the stages of a step take", "[.bench]") {
  std::printf("%-10s %8s %8s %9s %9s %9s %9s %9s %14s\n", "job", "threads", "sweeps", "transfer", "rows", "solve",
              "move", "us/p/step", "us/node/sweep");
  const Plane front(Vec3::UnitY()), back(-Vec3::UnitY());
  {
    Bed<3> cylinder(0.1);
    cylinder.options.solver.max_sweeps = 1000;
    cylinder.gravity = tilted<3>(0);
    cylinder.wall(kFloor3, Vec3::Zero(), 1e3);
    cylinder.wall(kLeft, Vec3::Zero(), 0);
    cylinder.wall(front, Vec3::Zero(), 0);
    for (int k = 0; k < 20; ++k)
      for (int j = 0; j < 20; ++j)
        for (int i = 0; i < 20; ++i) {
          const Vec3 x = 0.05 * Vec3(i + 0.5, j + 0.5, k + 0.5);
          if (x.head<2>().norm() < 1) cylinder.point(x, 0.05, 0.6);
        }
    measure("cylinder", cylinder, 1, 39, 0.0128);
  }
  {
    Bed<3> box(0.01);
    box.gravity = tilted<3>(0);
    box.wall(kFloor3, Vec3::Zero(), 1e3);
    box.wall(kLeft, Vec3::Zero(), 0);
    box.wall(kRight, Vec3(0.2, 0, 0), 0);
    box.wall(front, Vec3::Zero(), 0);
    box.wall(back, Vec3(0, 0.2, 0), 0);
    box.block(Vec3::Zero(), {40, 40, 40}, 0.005);
    measure("box", box, 20, 20, 2e-3);
  }
  {
    Bed<2> column(0.006);
    column.gravity = tilted<2>(0);
    column.wall(kFloor2, Vec3::Zero(), 1e3);
    column.wall(kLeft, Vec3::Zero(), 0);
    column.block(Vec3::Zero(), {96, 96, 1}, 0.002);
    measure("column", column, 1, 99, 2e-3);
  }
}
