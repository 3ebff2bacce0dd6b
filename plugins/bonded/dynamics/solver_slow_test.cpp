#include "catch.hpp"
#include "measure/drape_system.hpp"
#include "solvers/blocks/solver.hpp"
#include "use_solvers.hpp"

using namespace scree::bonded;

TEST_CASE("multigrid solves the drape of 65,000 elements to 1e-8 in twenty iterations") {
  const DrapeSystem drape(cut_cubes(44, 16, 16, 1.0 / 44, 1e9, 4e8, 1000, 0.15), 1.0 / 28);
  REQUIRE(drape.hessian().rows() > 65000);
  const auto solver = multigrid_cg();
  solver->set_centres(drape.centres());
  REQUIRE(solver->prepare(drape.hessian()));
  BlockVector x, product;
  const auto report = solver->solve(drape.hessian(), drape.right(), 1e-8, x);
  INFO(report.iterations << " iterations");
  CHECK(report.converged);
  CHECK(report.iterations <= 20);
  drape.hessian().multiply(x, product);
  CHECK((product - drape.right()).norm() < 1e-7 * drape.right().norm());
}
