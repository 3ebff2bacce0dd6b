/// \file What follows plain sweeps: ADMM and the interior-point method, alone and where sweeps stall.

#include "catch.hpp"
#include "solvers/coulomb/assemble.hpp"
#include "solvers/coulomb/test_problems.hpp"
#include "solvers/coulomb/test_solve.hpp"

using namespace scree::coulomb;
using namespace scree::coulomb::test;

TEST_CASE("a mass sticks, slides or takes off by ADMM or interior points alone, in the plane and in space") {
  struct Alone {
    Strategy strategy;
    double tolerance, gate;
    int iterations;
  };
  const Alone alone =
      GENERATE(Alone{Strategy::admm, 1e-9, 1e-7, 2000}, Alone{Strategy::interior_point, 1e-10, 1e-8, 200});
  Options options = tight(alone.tolerance);
  options.strategy = alone.strategy;
  options.max_sweeps = alone.iterations;
  constexpr double kMass = 2, kMu = 0.5;
  const auto check = [&]<int D>(const Vec<D>& velocity, double mu, const Vec<D>& impulse) {
    std::vector<Vec<D>> r;
    CHECK(solve_cold(mass_on_floor<D>(kMass, velocity, mu), r, options).status == Status::converged);
    CHECK((r[0] - impulse).norm() < alone.gate);
  };
  check(Vec<3>(-1, 0.3, 0.39), kMu, Vec<3>(2, -0.6, -0.78));
  check(Vec<3>(-1, 3, 4), kMu, Vec<3>(2, -0.6, -0.8));
  check(Vec<3>(1, 3, 4), kMu, Vec<3>(0, 0, 0));
  check(Vec<3>(-1, 3, 4), 0, Vec<3>(2, 0, 0));
  check(Vec<2>(-1, -0.51), kMu, Vec<2>(2, 1));
}

TEST_CASE("ADMM alone solves a heap with W and without, and its answer satisfies Coulomb's law") {
  const RigidProblem<3> rigid = test::heap(4, 4, 0.5);
  const DelassusProblem<3> delassus = assemble(rigid);
  Options options = tight(1e-7);
  options.strategy = Strategy::admm;
  options.max_sweeps = 3000;
  std::vector<Vec<3>> r, s;
  const Report a = solve_cold(rigid, r, options), b = solve_cold(delassus, s, options);
  INFO(a.iterations << " iterations, " << a.factorisations << " factorisations, " << a.error << "; " << b.iterations
                    << ", " << b.factorisations << ", " << b.error);
  CHECK(a.status == Status::converged);
  CHECK(b.status == Status::converged);
  CHECK(a.sweeps == 0);
  CHECK(error(delassus, r, Measure::natural_map) < 1.001e-7);
  CHECK(error(rigid, s, Measure::natural_map) < 1.001e-7);
}

TEST_CASE("ADMM takes over where sweeps stall on a heap") {
  const RigidProblem<3> problem = test::heap(7, 5, 0.3);
  Options options = tight(1e-6);
  options.measure = Measure::impulse_error;
  options.max_sweeps = 4000;
  std::vector<Vec<3>> r;
  const Report report = solve_cold(problem, r, options);
  WARN(report.sweeps << " sweeps, " << report.iterations << " iterations, " << report.factorisations
                     << " factorisations, " << report.seconds << " s");
  CHECK(report.status == Status::converged);
  CHECK(report.stage == "admm");
}

TEST_CASE("the interior-point method finds the weights of a stack") {
  const int count = 10;
  Options options = tight(1e-9);
  options.strategy = Strategy::interior_point;
  std::vector<Vec<3>> r;
  const Report report = solve_cold(stack(count, 1), r, options);
  INFO(report.iterations << " iterations, " << report.error);
  REQUIRE(report.status == Status::converged);
  for (int j = 0; j < count; ++j) CHECK(r[j][0] == Approx((count - j) * kGravity * kStep).epsilon(1e-5));
}

TEST_CASE("the interior-point method alone solves a heap with W and without, and its answer satisfies Coulomb's law",
          "[long]") {
  RigidProblem<3> rigid = test::heap(4, 4, 0.5);
  for (std::size_t i = 0; i < rigid.size(); i += 3) rigid.contacts[i].friction = i % 2 ? 0 : 0.2;
  const DelassusProblem<3> delassus = assemble(rigid);
  Options options = tight(1e-10);
  options.strategy = Strategy::interior_point;
  std::vector<Vec<3>> r, s;
  const Report a = solve_cold(rigid, r, options), b = solve_cold(delassus, s, options);
  WARN(rigid.size() << " contacts: " << a.iterations << " iterations, " << a.error << "; " << b.iterations << ", "
                    << b.error);
  CHECK(a.status == Status::converged);
  CHECK(b.status == Status::converged);
  CHECK(error(delassus, r, Measure::natural_map) < 1.001e-10);
  CHECK(error(rigid, s, Measure::natural_map) < 1.001e-10);
}

TEST_CASE("a heap that gives way on all sides is solved by the interior-point method, where sweeps and ADMM stall",
          "[long]") {
  const RigidProblem<3> problem = test::heap(3, 4, GENERATE(0.5, 0.8), false);
  Options options = tight(1e-7);
  options.max_sweeps = 2000;
  std::vector<Vec<3>> one, other;
  options.strategy = Strategy::gauss_seidel;
  CHECK(solve_cold(problem, one, options).status == Status::stalled);
  options.strategy = Strategy::admm;
  CHECK(solve_cold(problem, one, options).status == Status::stalled);
  options.strategy = Strategy::all;
  const Report report = solve_cold(problem, one, options);
  WARN(problem.size() << " contacts: " << report.sweeps << " sweeps, " << report.iterations << " iterations, "
                      << report.seconds << " s");
  CHECK(report.status == Status::converged);
  CHECK(report.stage == "interior-point");
  for (const int threads : {2, 3}) {
    options.threads = threads;
    const Report shared = solve_cold(problem, other, options);
    CHECK(other == one);
    CHECK(shared.error == report.error);
    CHECK(shared.iterations == report.iterations);
  }
}
