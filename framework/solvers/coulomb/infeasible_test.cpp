/// \file Problems without any solution are told from those that are only hard.

#include "catch.hpp"
#include "solvers/coulomb/assemble.hpp"
#include "solvers/coulomb/test_problems.hpp"
#include "solvers/coulomb/test_solve.hpp"

using namespace scree::coulomb;
using namespace scree::coulomb::test;

namespace {

/// Rows of balls side by side, each ball held in the plane of its row, between walls that approach at the given speed
/// each; all move aside with a speed that is not along the row.
RigidProblem<3> squeezed_rows(int rows, int length, double speed) {
  RigidProblem<3> problem;
  const Vec<3> n(1, 0, 0);
  const auto touch = [&](std::uint32_t a, std::uint32_t b, double sign, double closing) {
    problem.contacts.push_back(
        {a, b, test::frame_of(Vec<3>(sign * n)), sign * 0.5 * n, -sign * 0.5 * n, Vec<3>(-closing, 0, 0), 0.3});
  };
  for (int row = 0; row < rows; ++row) {
    for (int k = 0; k < length; ++k) {
      problem.bodies.push_back(test::ball<3>(1 + k % 3, 0.5));
      problem.bodies.back().velocity = {0.3, 1, -2};
      const auto me = static_cast<std::uint32_t>(problem.bodies.size() - 1);
      touch(k == 0 ? kImmovable : me - 1, me, 1, k == 0 ? speed : 0);
    }
    touch(kImmovable, static_cast<std::uint32_t>(problem.bodies.size() - 1), -1, speed);
  }
  return problem;
}

/// A ball between two walls that approach at the given speed each.
RigidProblem<3> squeezed(double speed) {
  RigidProblem<3> problem;
  problem.bodies = {test::ball<3>(1, 0.5)};
  for (const double side : {1.0, -1.0}) {
    const Vec<3> n(side, 0, 0);
    problem.contacts.push_back({kImmovable, 0, test::frame_of(n), Vec<3>::Zero(), -0.5 * n, Vec<3>(-speed, 0, 0), 0.3});
  }
  return problem;
}

}  // namespace

TEST_CASE("walls that press a ball from two sides are reported as infeasible, a gap between them is not") {
  std::vector<Vec<3>> r;
  const Report pressed = solve_cold(squeezed(0.1), r, tight(1e-6));
  CHECK(pressed.status == Status::infeasible);
  CHECK(pressed.sweeps < 2000);
  for (const auto& impulse : r) CHECK(impulse.allFinite());
  CHECK(solve_cold(squeezed(-0.1), r, tight(1e-6)).status == Status::converged);
  CHECK(solve_cold(squeezed(0), r, tight(1e-6)).status == Status::converged);
}

TEST_CASE("infeasible is told with few sweeps allowed and many, from any start, in both forms, by every strategy") {
  const RigidProblem<3> problem = squeezed_rows(3, 7, 1e-2);
  const DelassusProblem<3> assembled = assemble(problem);
  const Measure measure = GENERATE(Measure::natural_map, Measure::impulse_error);
  for (const int sweeps : {1, 20, 100, 1000})
    for (const Strategy strategy : {Strategy::all, Strategy::gauss_seidel}) {
      INFO("sweeps " << sweeps << ", strategy " << static_cast<int>(strategy));
      Options options = tight(1e-8);
      options.max_sweeps = sweeps;
      options.strategy = strategy;
      options.measure = measure;
      for (const double start : {0., 1., 100.}) {
        std::vector<Vec<3>> r(problem.size(), start * Vec<3>::UnitX()), s = r;
        const Report rigid = solve(problem, r, options);
        CHECK(rigid.status == Status::infeasible);
        CHECK(rigid.sweeps <= sweeps);
        CHECK(solve(assembled, s, options).status == Status::infeasible);
      }
    }
}

TEST_CASE("between walls that close, impulses are those of the motion that violates contacts least") {
  // Walls come 2 mm nearer to each other per unit of time: the violation is shared, all the more where little moves.
  const int length = 4;
  const RigidProblem<3> problem = squeezed_rows(1, length, 1e-3);
  std::vector<Vec<3>> r;
  CHECK(solve_cold(problem, r, tight(1e-8)).status == Status::infeasible);
  auto bodies = problem.bodies;
  add_impulses(problem, r, bodies);
  double closed = 0;
  for (int k = 0; k <= length; ++k) {
    const double left = k == 0 ? 1e-3 : bodies[static_cast<std::size_t>(k - 1)].velocity[0];
    const double right = k == length ? -1e-3 : bodies[static_cast<std::size_t>(k)].velocity[0];
    CHECK(right - left < 0);
    closed += left - right;
    CHECK(r[static_cast<std::size_t>(k)][0] >= 0);
  }
  CHECK(closed == Approx(2e-3));
  for (const auto& body : bodies) CHECK(std::abs(body.velocity[0]) < 1e-3);
}

TEST_CASE("a crowd that can give way is never called infeasible, however few sweeps it gets") {
  for (const int sweeps : {5, 50, 200}) {
    Options options = tight(1e-13);
    options.max_sweeps = sweeps;
    for (const auto& problem : {test::heap(4, 4, 0.5), test::heap(4, 4, 0.2, false), squeezed_rows(3, 7, -1e-3),
                                squeezed_rows(3, 7, 0), stack(10, 1000)}) {
      std::vector<Vec<3>> r;
      const Report report = solve_cold(problem, r, options);
      CHECK(report.status != Status::infeasible);
      CHECK(report.sweeps <= sweeps);
    }
  }
}
