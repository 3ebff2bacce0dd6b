#include "fclib/assemble.hpp"

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <random>

#include "coulomb/solve.hpp"
#include "fclib/test_files.hpp"

namespace scree::fclib {

using coulomb::DelassusProblem;
using coulomb::kImmovable;
using coulomb::kSpin;
using coulomb::Mat;
using coulomb::RigidBody;
using coulomb::RigidContact;
using coulomb::RigidProblem;
using coulomb::Vec;

namespace {

/// Bodies and contacts at random; some contacts are with the immovable, some couples of bodies share several.
template <int D>
RigidProblem<D> random_problem(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vec = [&] { return Vec<D>(Vec<D>::NullaryExpr([&](auto) { return number(random); })); };
  RigidProblem<D> problem;
  constexpr std::uint32_t bodies = 6;
  for (std::uint32_t k = 0; k < bodies; ++k) {
    RigidBody<D> body;
    body.velocity = vec();
    body.spin.setConstant(number(random));
    body.inverse_mass = 1 + number(random) / 2;
    const Eigen::Matrix<double, kSpin<D>, kSpin<D>> root =
        Eigen::Matrix<double, kSpin<D>, kSpin<D>>::NullaryExpr([&](auto, auto) { return number(random); });
    body.inverse_inertia = root * root.transpose();
    problem.bodies.push_back(body);
  }
  for (int i = 0; i < 20; ++i) {
    RigidContact<D> c;
    c.a = random() % bodies;
    c.b = (c.a + 1 + random() % (bodies - 1)) % bodies;
    if (i % 5 == 0) (i % 2 ? c.a : c.b) = kImmovable;
    const Mat<D> columns = Mat<D>::NullaryExpr([&](auto, auto) { return number(random); });
    c.frame = Eigen::HouseholderQR<Mat<D>>(columns).householderQ();
    c.arm_a = vec();
    c.arm_b = vec();
    c.w = vec();
    c.friction = 0.1 * i;
    problem.contacts.push_back(c);
  }
  return problem;
}

Vec<2> by_spin(const Vec<1>& spin, const Vec<2>& arm) { return {-spin[0] * arm[1], spin[0] * arm[0]}; }
Vec<3> by_spin(const Vec<3>& spin, const Vec<3>& arm) { return spin.cross(arm); }

template <int D>
Vec<D> velocity_at(const std::vector<RigidBody<D>>& bodies, std::uint32_t row, const Vec<D>& arm) {
  if (row == kImmovable) return Vec<D>::Zero();
  return bodies[row].velocity + by_spin(bodies[row].spin, arm);
}

template <int D>
void check_velocities(unsigned seed) {
  const RigidProblem<D> rigid = random_problem<D>(seed);
  const DelassusProblem<D> problem = assemble(rigid);
  std::vector<Vec<D>> impulses;
  Eigen::VectorXd r(static_cast<Eigen::Index>(D * rigid.size())), q(r.size());
  std::mt19937 random(seed + 100);
  for (std::size_t i = 0; i < rigid.size(); ++i) {
    impulses.push_back(Vec<D>::NullaryExpr([&](auto) { return std::ldexp(random(), -32); }));
    r.segment<D>(static_cast<Eigen::Index>(D * i)) = impulses[i];
    q.segment<D>(static_cast<Eigen::Index>(D * i)) = problem.q[i];
  }
  const Eigen::VectorXd u = test::dense(problem) * r + q;
  std::vector<RigidBody<D>> bodies = rigid.bodies;
  coulomb::add_impulses(rigid, std::span<const Vec<D>>(impulses), std::span(bodies));
  for (std::size_t i = 0; i < rigid.size(); ++i) {
    const RigidContact<D>& c = rigid.contacts[i];
    const Vec<D> expected = c.frame * (velocity_at(bodies, c.b, c.arm_b) - velocity_at(bodies, c.a, c.arm_a)) + c.w;
    // Twenty impulses of order one, each through a dozen of operations.
    CHECK((u.segment<D>(static_cast<Eigen::Index>(D * i)) - expected).norm() < 1e-13 * (1 + u.norm()));
  }
}

}  // namespace

TEST_CASE("W r + q are the velocities that the bodies have after the impulses") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    check_velocities<2>(seed);
    check_velocities<3>(seed);
  }
}

TEST_CASE("W of rigid bodies is symmetric, rows ascend and hold their diagonal") {
  const DelassusProblem<3> problem = assemble(random_problem<3>(7));
  const Eigen::MatrixXd w = test::dense(problem);
  CHECK((w - w.transpose()).cwiseAbs().maxCoeff() < 1e-15 * w.cwiseAbs().maxCoeff());
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const auto begin = problem.column.begin() + static_cast<std::ptrdiff_t>(problem.row_start[i]);
    const auto end = problem.column.begin() + static_cast<std::ptrdiff_t>(problem.row_start[i + 1]);
    CHECK(std::adjacent_find(begin, end, std::greater_equal<>()) == end);
    CHECK(std::find(begin, end, i) != end);
  }
}

TEST_CASE("contacts between the immovable have a zero row") {
  RigidProblem<2> rigid = random_problem<2>(3);
  rigid.contacts[4].a = rigid.contacts[4].b = kImmovable;
  const DelassusProblem<2> problem = assemble(rigid);
  CHECK(problem.row_start[5] == problem.row_start[4] + 1);
  CHECK(problem.block[problem.row_start[4]].isZero(0));
  CHECK(problem.q[4] == rigid.contacts[4].w);
}

}  // namespace scree::fclib
