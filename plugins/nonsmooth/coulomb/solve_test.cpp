#include "coulomb/solve.hpp"

#include "catch.hpp"
#include "coulomb/assemble.hpp"
#include "coulomb/test_problems.hpp"

using namespace scree::coulomb;
using test::Random;

TEST_CASE("a heap of spheres has the same solution with W and without") {
  const RigidProblem<3> rigid = test::heap(5, 3, 0.4);
  const DelassusProblem<3> delassus = assemble(rigid);
  Options options;
  options.tolerance = 1e-8;
  std::vector<Vec<3>> r(rigid.size(), Vec<3>::Zero()), s = r;
  const Report a = solve(rigid, r, options), b = solve(delassus, s, options);
  INFO(rigid.size() << " contacts, " << a.sweeps << " sweeps, " << a.error << " and " << b.sweeps << ", " << b.error);
  CHECK(a.status == Status::converged);
  CHECK(b.status == Status::converged);
  CHECK(error(delassus, r, Measure::natural_map) == Approx(a.error).epsilon(1e-3));
}
