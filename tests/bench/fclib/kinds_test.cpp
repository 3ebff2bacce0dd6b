#include "kinds.hpp"

#include <Eigen/Eigenvalues>

#include "catch.hpp"
#include "solvers/coulomb/solve.hpp"

namespace scree::bench {

using coulomb::DelassusProblem;

namespace {

Eigen::MatrixXd dense(const DelassusProblem<3>& problem) {
  const auto n = static_cast<Eigen::Index>(3 * problem.size());
  Eigen::MatrixXd w = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t i = 0; i < problem.size(); ++i)
    for (std::size_t b = problem.row_start[i]; b < problem.row_start[i + 1]; ++b)
      w.block<3, 3>(static_cast<Eigen::Index>(3 * i), 3 * static_cast<Eigen::Index>(problem.column[b])) =
          problem.block[b];
  return w;
}

/// The first few problems of a kind that are small enough for dense eigenvalues.
/// \param least  contacts that a problem must have
template <class Look>
void for_some(DelassusProblem<3> (*make)(Random&), Look look, std::size_t least = 1) {
  int looked_at = 0;
  for (std::uint64_t seed = 1; looked_at < 5; ++seed) {
    Random random(seed);
    const DelassusProblem<3> problem = make(random);
    if (problem.size() < least || problem.size() > 150) continue;
    ++looked_at;
    INFO("seed " << seed);
    look(problem, dense(problem));
  }
}

void check_operator(const DelassusProblem<3>& problem, const Eigen::MatrixXd& w) {
  REQUIRE(problem.size() > 0);
  const double largest = w.cwiseAbs().maxCoeff();
  CHECK((w - w.transpose()).cwiseAbs().maxCoeff() < 1e-14 * largest);
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(w).eigenvalues();
  CHECK(values[0] > -1e-12 * values[values.size() - 1]);
}

}  // namespace

TEST_CASE("no random problem is called infeasible, solved or not") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (auto* make : {sphere_heap, box_stack, fibres})
      for (const int sweeps : {1, 20, 200}) {
        Random random(seed);
        const DelassusProblem<3> problem = make(random);
        std::vector<coulomb::Vec<3>> impulses(problem.size(), coulomb::Vec<3>::Zero());
        coulomb::Options options;
        options.tolerance = 1e-14;
        options.max_sweeps = sweeps;
        options.strategy = coulomb::Strategy::gauss_seidel;
        INFO("seed " << seed << ", " << problem.size() << " contacts, " << sweeps << " sweeps");
        CHECK(coulomb::solve(problem, impulses, options).status != coulomb::Status::infeasible);
      }
}

TEST_CASE("W of random problems is symmetric and positive semidefinite") {
  for (auto* make : {sphere_heap, box_stack, fibres}) for_some(make, check_operator);
}

TEST_CASE("boxes with several contacts in a face give W of low rank") {
  for_some(box_stack, [](const DelassusProblem<3>&, const Eigen::MatrixXd& w) {
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(w).eigenvalues();
    // Six for each box, and four contacts or more.
    CHECK((values.array() > 1e-10 * values[values.size() - 1]).count() <= values.size() / 2);
  });
}

TEST_CASE("the stiffness of fibres spreads over decades") {
  const auto look = [](const DelassusProblem<3>&, const Eigen::MatrixXd& w) {
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(w).eigenvalues().cwiseAbs();
    CHECK(values.minCoeff() < 1e-4 * values.maxCoeff());
  };
  for_some(fibres, look, 40);  // fewer contacts may not meet the stiff directions
}

TEST_CASE("a seed is a problem") {
  for (auto* make : {sphere_heap, box_stack, fibres}) {
    Random a(7), b(7), c(8);
    const DelassusProblem<3> first = make(a), again = make(b), other = make(c);
    CHECK(first.q == again.q);
    CHECK(first.block == again.block);
    CHECK(first.q != other.q);
  }
}

}  // namespace scree::bench
