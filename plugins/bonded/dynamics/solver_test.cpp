#include "catch.hpp"

#include "measure/specimen.hpp"
#include "one_thread.hpp"
#include "skip.hpp"
#include "solvers/blocks/block_kernels.hpp"
#include "use_solvers.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

/// A row of blocks coupled to its neighbours, scaled by `sign` on the diagonal.
BlockPattern line(std::size_t rows) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t k = 0; k + 1 < rows; ++k) pairs.emplace_back(k + 1, k);
  return {rows, pairs};
}

void fill(BlockMatrix& a, double diagonal) {
  const BlockPattern& p = a.pattern();
  for (std::size_t row = 0; row < p.rows(); ++row)
    for (std::size_t k = p.row_start[row]; k < p.row_start[row + 1]; ++k)
      a.block(k) = p.column[k] == row ? Block(diagonal * Block::Identity()) : Block(-Block::Identity());
}

std::vector<std::unique_ptr<LinearSolver>> all() {
  std::vector<std::unique_ptr<LinearSolver>> s;
  s.push_back(block_jacobi_cg());
  s.push_back(block_ic_cg());
  s.push_back(multigrid_cg());
  s.push_back(direct_cholesky());
  if (auto c = cholmod_cholesky()) s.push_back(std::move(c));
  return s;
}

}  // namespace

TEST_CASE("the pattern has both triangles, each pair once, columns ascending") {
  const BlockPattern p(4, {{2, 0}, {0, 2}, {3, 1}, {2, 0}});
  CHECK(p.row_start == std::vector<std::size_t>{0, 2, 4, 6, 8});
  CHECK(p.column == std::vector<std::uint32_t>{0, 2, 1, 3, 0, 2, 1, 3});
  CHECK(p.slot(2, 0) == 4);
  CHECK_THROWS_WITH(BlockPattern(2, {{0, 2}}), Catch::Matchers::ContainsSubstring("row that does not exist"));
}

TEST_CASE("every solver solves, and keeps its symbolic work for new values") {
  const BlockPattern pattern = line(40);
  BlockMatrix a(pattern);
  BlockVector b(240), x, ax;
  for (Eigen::Index k = 0; k < b.size(); ++k) b[k] = std::sin(static_cast<double>(k));
  for (const auto& solver : all())
    for (const double diagonal : {3.0, 2.1}) {
      fill(a, diagonal);
      REQUIRE(solver->prepare(a));
      const auto report = solver->solve(a, b, 1e-10, x);
      a.multiply(x, ax);
      INFO(solver->name());
      CHECK(report.converged);
      CHECK(report.positive_definite);
      CHECK((ax - b).norm() < 1e-9 * b.norm());
      CHECK(solver->bytes() > 0);
      solver->solve(a, BlockVector::Zero(240), 1e-10, x);
      CHECK(x.norm() == 0);
    }
}

TEST_CASE("CHOLMOD is among the solvers where it was asked for", "[optional]") {
  if (!cholmod_cholesky()) return scree::test::skip_not_built("CHOLMOD (SCREE_CHOLMOD is off, or it was not found)");
  CHECK(all().back()->name() == "cholmod");
}

TEST_CASE("every solver says so when the matrix is not positive definite") {
  const BlockPattern pattern = line(40);
  BlockMatrix a(pattern);
  BlockVector b = BlockVector::Ones(240), x;
  for (Eigen::Index k = 0; k < b.size(); ++k) b[k] = k / 6 % 2 ? 1.0 : 0.9;
  fill(a, 0.5);  // eigenvalues 0.5 - 2 cos
  for (const auto& solver : all()) {
    INFO(solver->name());
    const bool found = !solver->prepare(a) || !solver->solve(a, b, 1e-10, x).positive_definite;
    CHECK(found);
  }
}

TEST_CASE("block IC is exact on a chain, and needs far fewer iterations than block Jacobi on a body") {
  const scree::test::OneThread one_thread;
  const BlockPattern pattern = line(100);
  BlockMatrix chain(pattern);
  fill(chain, 2.001);
  BlockVector b = BlockVector::Ones(600), x;
  const auto ic = block_ic_cg(), jacobi = block_jacobi_cg();
  ic->prepare(chain);
  CHECK(ic->solve(chain, b, 1e-10, x).iterations <= 2);

  Specimen s = cut_cubes(12, 4, 4, 0.25, 1e9, 4e8, 1000, 0.15);
  s.drive([](const Vec3& p) { return p.x() < 0.25; });
  const BondTerm bonds(s.bonds(), s.size());
  const InertiaTerm inertia({s.mass, s.moment, s.position, s.orientation, 1.0 / 60});
  IncrementalPotential potential(s.unknowns(), {&inertia, &bonds});
  BlockMatrix h(potential.pattern());
  potential.hessian(s.configuration(), Curvature::exact, h);
  b = BlockVector::Zero(6 * static_cast<Eigen::Index>(h.rows()));
  for (std::size_t row = 0; row < h.rows(); ++row)
    b[6 * static_cast<Eigen::Index>(row) + 2] = -9.81 * s.mass[potential.unknowns().body[row]];
  ic->prepare(h);
  jacobi->prepare(h);
  const int few = ic->solve(h, b, 1e-8, x).iterations, many = jacobi->solve(h, b, 1e-8, x).iterations;
  INFO("block IC " << few << " block Jacobi " << many);
  CHECK(few < many / 2);
}

TEST_CASE("multigrid needs as many iterations for a body eight times as large, and rigid motions to do so") {
  const scree::test::OneThread one_thread;
  int its[3], at = 0;
  for (const auto& [cells, informed] : {std::pair{1, true}, {2, true}, {2, false}}) {
    Specimen s = cut_cubes(8 * cells, 3 * cells, 3 * cells, 1.0 / cells, 1e9, 4e8, 1000, 0.15);
    s.drive([&](const Vec3& p) { return p.x() < 1.0 / cells; });
    const BondTerm bonds(s.bonds(), s.size());
    IncrementalPotential potential(s.unknowns(), {&bonds});
    BlockMatrix h(potential.pattern());
    potential.hessian(s.configuration(), Curvature::exact, h);
    BlockVector b = BlockVector::Zero(6 * static_cast<Eigen::Index>(h.rows())), x;
    std::vector<Vec3> centres;
    for (std::size_t row = 0; row < h.rows(); ++row) {
      b[6 * static_cast<Eigen::Index>(row) + 2] = -9.81 * s.mass[potential.unknowns().body[row]];
      centres.push_back(s.position[potential.unknowns().body[row]]);
    }
    const auto solver = multigrid_cg();
    if (informed) solver->set_centres(centres);
    REQUIRE(solver->prepare(h));
    const auto report = solver->solve(h, b, 1e-8, x);
    CHECK(report.converged);
    its[at++] = report.iterations;
  }
  INFO(its[0] << ", " << its[1] << ", without rigid motions " << its[2]);
  CHECK(its[0] <= 20);
  CHECK(its[1] <= 20);
  CHECK(its[2] > 2 * its[1]);
}

TEST_CASE("products of blocks in eight lanes are those of Eigen, and read nothing beyond a block") {
  std::vector<double> numbers(36);
  for (std::size_t k = 0; k < 36; ++k) numbers[k] = std::sin(1 + 3.0 * static_cast<double>(k));
  // On the heap, 36 numbers and no more: a memory checker sees a read beyond.
  const auto a = std::make_unique<Block>(Eigen::Map<const Block>(numbers.data()));
  const auto small = std::make_unique<FloatBlock>(a->cast<float>());
  const Eight<float> x = {1, -2, 3, 0.5, 0.25, -1, 0, 0}, y = {1, 2, 3, 4, 5, 6, 7, 8};
  Eigen::Matrix<float, 6, 1> ex, ey;
  for (int k = 0; k < 6; ++k) ex[k] = x[k], ey[k] = y[k];
  const Eigen::Matrix<float, 6, 1> ax = ey + *small * ex, atx = ey + small->transpose() * ex;
  const Eight<float> ours = times(*small, x, y), ours_t = dotted(*small, x, y);
  for (int k = 0; k < 6; ++k) {
    CHECK(std::abs(ours[k] - ax[k]) < 1e-5);
    CHECK(std::abs(ours_t[k] - atx[k]) < 1e-5);
  }
  WideBlock c = WideBlock::zero();
  add_product(WideBlock::of(*a), small->data(), c);
  Block sum = Block::Identity();
  c.add_to(sum);
  CHECK((sum - Block::Identity() - *a * small->cast<double>()).norm() < 1e-12);
}

TEST_CASE("a preconditioner is kept for near values, and made anew once it no longer helps") {
  const scree::test::OneThread one_thread;
  Specimen s = cut_cubes(12, 4, 4, 0.25, 1e9, 4e8, 1000, 0.15);
  s.drive([](const Vec3& p) { return p.x() < 0.25; });
  const BondTerm bonds(s.bonds(), s.size());
  IncrementalPotential potential(s.unknowns(), {&bonds});
  BlockMatrix h(potential.pattern());
  potential.hessian(s.configuration(), Curvature::exact, h);
  BlockVector b = BlockVector::Ones(6 * static_cast<Eigen::Index>(h.rows())), x, hx;
  std::vector<Vec3> centres;
  for (const std::uint32_t i : potential.unknowns().body) centres.push_back(s.position[i]);
  const auto solver = multigrid_cg();
  solver->set_centres(centres);
  REQUIRE(solver->prepare(h));
  const int fresh = solver->solve(h, b, 1e-8, x).iterations;

  const auto solved = [&] {
    solver->set_centres(centres);
    REQUIRE(solver->refresh(h));
    const auto report = solver->solve(h, b, 1e-8, x);
    h.multiply(x, hx);
    CHECK(report.converged);
    CHECK((hx - b).norm() < 1e-7 * b.norm());
    return report.iterations;
  };
  // Bent by a fiftieth of a radian over its length.
  for (std::size_t i = 0; i < s.size(); ++i) {
    const double along = s.position[i].x() - 0.25, angle = 0.02 * std::max(along, 0.0) / 3;
    s.position[i].z() += 0.5 * angle * along;
    s.orientation[i] = exponential<double>(Vec3(0, -angle, 0));
  }
  potential.hessian(s.configuration(), Curvature::exact, h);
  const int near = solved();
  INFO(fresh << " fresh, " << near << " bent");
  CHECK(near <= 1.5 * fresh);
  // Every third body a hundred times as stiff.
  for (std::size_t row = 0; row < h.rows(); row += 3) h.diagonal(row) *= 100;
  const int tired = solved(), anew = solved();
  INFO(tired << " with the old one, " << anew << " with a new one");
  CHECK(tired > 2 * anew);
  CHECK(anew <= fresh);
}

TEST_CASE("the choice of a solver says its numbers, and a wrong name what there is") {
  const BlockPattern pattern = line(1000);
  const auto choice = choose_solver(pattern);
  CHECK(choice.reason.find("1000 rows, cross-section 1") != std::string::npos);
  CHECK((choice.solver->name() == "direct" || choice.solver->name() == "cholmod"));
  CHECK(choose_solver(pattern, "block-ic").solver->name() == "block-ic");
  CHECK_THROWS_WITH(choose_solver(pattern, "amg"),
                    Catch::Matchers::ContainsSubstring("linear solver \"amg\": unknown. Known: auto, block-jacobi"));
}

TEST_CASE("sums have one order for any number of threads") {
  BlockVector x(100003), y(100003);
  for (Eigen::Index k = 0; k < x.size(); ++k) x[k] = std::sin(static_cast<double>(k)), y[k] = 1 / (1.0 + k);
  const double want = ordered_dot(x, y);
  CHECK(std::abs(want - x.dot(y)) < 1e-12);
}

TEST_CASE("bad bonds are named") {
  const auto with = [](auto&& change) {
    Specimen s = chain(3, 0.3, 0.01, 1e7, 4e6);
    change(s);
    return BondTerm(s.bonds(), s.size());
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_WITH(with([](Specimen& s) { s.b[1] = 9; }),
                    ContainsSubstring("bond 1: joins bodies 1 and 9, there are 4"));
  CHECK_THROWS_WITH(with([](Specimen& s) { s.b[2] = 2; }), ContainsSubstring("bond 2: joins body 2 with itself"));
  CHECK_THROWS_WITH(with([](Specimen& s) { s.rest_length[0] = 0; }), ContainsSubstring("bond 0: has a rest length"));
  CHECK_THROWS_WITH(with([](Specimen& s) { s.rest[0] *= 2; }), ContainsSubstring("not a unit vector"));
  CHECK_THROWS_WITH(with([](Specimen& s) { s.bend[2] = -1; }), ContainsSubstring("bond 2: has a stiffness"));
  CHECK_THROWS_WITH(with([](Specimen& s) { s.a[1] = 1, s.b[1] = 0; }),
                    ContainsSubstring("bodies 0 and 1 have two bonds"));
}
