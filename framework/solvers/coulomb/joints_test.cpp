/// \file Joints among contacts: what they hold, in both forms, by every stage that takes them.

#include <Eigen/Cholesky>

#include "catch.hpp"
#include "solvers/coulomb/assemble.hpp"
#include "solvers/coulomb/test_problems.hpp"
#include "solvers/coulomb/test_solve.hpp"

using namespace scree::coulomb;
using namespace scree::coulomb::test;

namespace {

template <int D>
RigidContact<D> joint(std::uint32_t a, std::uint32_t b, const Vec<D>& arm_a, const Vec<D>& arm_b) {
  return {a, b, Mat<D>::Identity(), arm_a, arm_b, Vec<D>::Zero(), kJoint};
}

/// Rods with joints at their ends, the first one's held fast; they move as they like before.
template <int D>
RigidProblem<D> chain(int links) {
  Random random(7);
  RigidProblem<D> problem;
  Vec<D> end = Vec<D>::Zero();  // of the link before, from its centre
  for (int k = 0; k < links; ++k) {
    problem.bodies.push_back(ball<D>(1 + k % 3, 0.5));
    problem.bodies.back().velocity = random.vector<D>();
    problem.bodies.back().spin[0] = random.normal();
    const Vec<D> half = 0.5 * random.vector<D>().normalized();
    problem.contacts.push_back(
        joint<D>(k == 0 ? kImmovable : static_cast<std::uint32_t>(k - 1), static_cast<std::uint32_t>(k), end, -half));
    problem.contacts.back().w = 0.1 * random.vector<D>();
    end = half;
  }
  return problem;
}

/// W r = -q, directly.
template <int D>
Eigen::VectorXd direct(const DelassusProblem<D>& problem) {
  const auto n = static_cast<Eigen::Index>(D * problem.size());
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd q(n);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    q.segment<D>(D * i) = problem.q[i];
    for (std::size_t k = problem.row_start[i]; k < problem.row_start[i + 1]; ++k)
      W.block<D, D>(D * i, D * problem.column[k]) = problem.block[k];
  }
  return -W.ldlt().solve(q);
}

template <int D>
void check_chain() {
  constexpr int kLinks = 12;
  const RigidProblem<D> rigid = chain<D>(kLinks);
  const DelassusProblem<D> delassus = assemble(rigid);
  const Eigen::VectorXd exact = direct(delassus);
  const auto distance = [&](const std::vector<Vec<D>>& r) {
    return (Eigen::Map<const Eigen::VectorXd>(r.front().data(), exact.size()) - exact).norm() / exact.norm();
  };
  std::vector<Vec<D>> known(kLinks), r;
  for (int k = 0; k < kLinks; ++k) known[k] = exact.segment<D>(D * k);
  for (const Measure measure : {Measure::natural_map, Measure::fischer_burmeister, Measure::impulse_error}) {
    CHECK(error(rigid, known, measure) < 1e-13);
    known[3][D - 1] += 1e-3;
    CHECK(error(rigid, known, measure) > 1e-5);
    known[3][D - 1] -= 1e-3;
    for (const Strategy strategy : {Strategy::all, Strategy::gauss_seidel, Strategy::admm}) {
      Options options = tight(1e-11);
      options.measure = measure;
      options.strategy = strategy;
      INFO("D " << D << ", measure " << static_cast<int>(measure) << ", strategy " << static_cast<int>(strategy));
      CHECK(solve_cold(rigid, r, options).status == Status::converged);
      CHECK(distance(r) < 1e-8);
      CHECK(solve_cold(delassus, r, options).status == Status::converged);
      CHECK(distance(r) < 1e-8);
    }
  }
  for (const LocalSolver local : {LocalSolver::hybrid, LocalSolver::newton, LocalSolver::enumerative}) {
    Options options = tight(1e-11);
    options.local = local;
    const Report report = solve_cold(rigid, r, options);
    CHECK(report.status == Status::converged);
    CHECK(report.branches.stick == static_cast<std::uint64_t>(report.sweeps) * kLinks);
  }
}

}  // namespace

TEST_CASE("a chain of joints: the impulses that solve W r = -q, in the plane and in space") {
  check_chain<2>();
  check_chain<3>();
}

TEST_CASE("two masses joined move as one: they stick, slide or take off with the mass of both") {
  constexpr double kMu = 0.5, kOne = 2, kOther = 6;
  const auto check = [&](const Vec<3>& one, const Vec<3>& other, const Vec<3>& impulse) {
    RigidProblem<3> problem = mass_on_floor<3>(kOne, one, kMu);
    problem.bodies.push_back(problem.bodies[0]);
    problem.bodies[1].inverse_mass = 1 / kOther;
    problem.bodies[1].velocity = other;
    problem.contacts.push_back(joint<3>(0, 1, Vec<3>::Zero(), Vec<3>::Zero()));
    for (const Strategy strategy : {Strategy::all, Strategy::admm}) {
      Options options = tight(1e-10);
      options.strategy = strategy;
      std::vector<Vec<3>> r;
      CHECK(solve_cold(problem, r, options).status == Status::converged);
      CHECK((r[0] - impulse).norm() < 1e-8);
      auto bodies = problem.bodies;
      add_impulses(problem, r, bodies);
      CHECK((bodies[0].velocity - bodies[1].velocity).norm() < 1e-8);
    }
  };
  // Together 8 kg: velocities (-1, 0.3, 0.39), (-1, 3, 4) and (1, 3, 4) of both.
  check({-4, 0, 0.39}, {0, 0.4, 0.39}, {8, -2.4, -3.12});
  check({-4, 12, 16}, {0, 0, 0}, {8, -2.4, -3.2});
  check({4, 12, 16}, {0, 0, 0}, {0, 0, 0});
}

TEST_CASE("a joint pulls as well as it pushes, where a contact would let go") {
  RigidProblem<3> problem = mass_on_floor<3>(2, {1, 3, 4}, kJoint);
  std::vector<Vec<3>> r;
  CHECK(solve_cold(problem, r, tight()).status == Status::converged);
  CHECK((r[0] - Vec<3>(-2, -6, -8)).norm() < 1e-14);
}

TEST_CASE("walls that press a ball are told with joints about, too, and joints alone never are") {
  RigidProblem<3> problem = mass_on_floor<3>(1, {-1, 0, 0}, 0.3);
  problem.contacts.push_back(problem.contacts[0]);
  problem.contacts[1].frame = frame_of(Vec<3>(-1, 0, 0));
  problem.contacts[0].w = problem.contacts[1].w = Vec<3>(-0.1, 0, 0);
  problem.bodies.push_back(ball<3>(1, 0.5));
  problem.contacts.push_back(joint<3>(0, 1, Vec<3>::Zero(), Vec<3>(0, 0.5, 0)));
  std::vector<Vec<3>> r;
  CHECK(solve_cold(problem, r, tight(1e-6)).status == Status::infeasible);
  problem.contacts[0].friction = problem.contacts[1].friction = kJoint;  // two joints that contradict each other
  Options options = tight(1e-6);
  options.max_sweeps = 200;
  CHECK(solve_cold(problem, r, options).status == Status::stalled);
}

TEST_CASE("interior points alone take no joints and say so, and an infinite friction is none") {
  RigidProblem<3> problem = mass_on_floor<3>(2, {1, 3, 4}, kJoint);
  std::vector<Vec<3>> r(1, Vec<3>::Zero());
  Options options;
  options.strategy = Strategy::interior_point;
  CHECK(refusal(problem, r, options) == "the interior-point method alone takes no joints");
  problem.contacts[0].friction = -kJoint;
  CHECK(refusal(problem, r) == "friction of contact 0 is inf; allowed: 0 or more, finite, and kJoint");
}
